// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives every function the WorkItem (host_abi.h) it runs for as its first parameter, through direct and indirect calls
// alike, and replaces the primitives that ask about it by reads. Calls of the executor's services (printf, assert,
// trap, clock, malloc) become calls through the launch's table of callbacks.
#pragma once

#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace kiln::passes {

struct HostKernel {
  std::string name;
  llvm::Function* body;    // void (ptr item, arguments...), external as long as it has no entry
  unsigned max_block_size; // from the program's launch bounds
};

// Before the device library is linked: what the executor does itself must not come from there.
void claim_host_services(llvm::Module& module);

[[nodiscard]] bool is_host_kernel(const llvm::Function& function); // by its calling convention

// Without a size that is common to all kernels, the static local memory is what the launch says.
[[nodiscard]] Result<std::vector<HostKernel>> thread_work_item(llvm::Module& module,
                                                               std::optional<uint32_t> static_local_size);

} // namespace kiln::passes
