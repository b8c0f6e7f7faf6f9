// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the launch metadata of targets whose LLVM back end writes none (host, nvptx), in the form of AMD's code
// objects: the msgpack that codeobj/kernel_metadata.h reads.
#pragma once

#include "support/bytes.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
}

namespace kiln::target {

struct ArgumentDescription {
  std::string name, value_kind, address_space;
  uint64_t offset = 0, size = 0;
};

struct KernelDescription {
  std::string name, symbol;
  std::vector<ArgumentDescription> arguments;
  uint64_t kernarg_size = 0, kernarg_align = 8;
  uint64_t group_size = 0, private_size = 0;
  unsigned wave_size = 32, max_block_size = 1024;
};

// Name, arguments (in AMD's layout: each at its ABI alignment), static LDS, launch bounds: all that the IR says.
// `local_space` is the number of the LDS address space.
[[nodiscard]] KernelDescription describe_kernel(const llvm::Function& kernel, unsigned local_space);

[[nodiscard]] Bytes write_kernel_metadata(const std::string& target, const std::vector<KernelDescription>& kernels);

} // namespace kiln::target
