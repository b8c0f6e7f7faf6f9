// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the body of a kernel, written for one work-item, to the entry that the executor calls (host_abi.h): a loop nest
// over the work-items of a group, or a coroutine per work-item where they wait for each other.
#pragma once

#include "passes/host_context.h"
#include "support/host_abi.h"

namespace kiln::passes {

struct HostArgument {
  std::string name, value_kind, address_space;
  uint32_t offset, size;
};

// Explicit arguments at the offsets that AMDGPU gives them: each aligned as its type (or as the byref pointer says).
struct HostArguments {
  std::vector<HostArgument> list;
  uint32_t size = 0, alignment = 8;
};
[[nodiscard]] HostArguments lay_out_arguments(const HostKernel& kernel);

// Marks all functions from which a waiting primitive is reached by direct calls as to be inlined.
void inline_waiting_functions(llvm::Module& module);

// After inlining and the removal of what is not reached. Errors (unsupported): a waiting primitive in a function that
// could not be inlined, as it is recursive or called through a pointer.
[[nodiscard]] Result<void> check_waiting_functions(const llvm::Module& module, llvm::ArrayRef<HostKernel> kernels);

// `coroutines` if work-items wait for each other: at barriers and cross-lane operations, or in a loop that ends when
// another one has written to memory.
[[nodiscard]] host_abi::Shape choose_shape(const HostKernel& kernel);

struct EntryOptions {
  unsigned wave_size = 32;
  bool parallel = true; // work-items may be reordered freely: no plain operation stands for an atomic one
};
// Builds the entry and the exported KernelDescriptor; the body is inlined and gone. A coroutine is not split yet.
[[nodiscard]] Result<void> make_entry(const HostKernel& kernel, host_abi::Shape shape, const EntryOptions& options);

} // namespace kiln::passes
