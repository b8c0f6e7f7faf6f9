// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memories of a GPU program on the host. Local memory (LDS) is one block per work-group that the executor provides;
// global variables of other images are reached through exported pointers that the loader fills; and as one thread runs
// a whole work-group, what synchronises within a group needs no atomic instruction.
#pragma once

#include "support/address_spaces.h"
#include "support/result.h"

#include <cstdint>
#include <llvm/IR/IRBuilder.h>
#include <map>
#include <optional>
#include <string>

namespace kiln::passes {

// Static local memory in bytes, by kernel.
struct LocalMemory {
  std::map<std::string, uint32_t> sizes;
  [[nodiscard]] std::optional<uint32_t> common_size() const; // if all have the same
};

// Gives every variable in local memory a place in the group's block and replaces its uses. A kernel pays for what it
// reaches itself. Dynamic variables (extern __shared__) all start where the kernel's static ones end.
[[nodiscard]] Result<LocalMemory> place_local_memory(llvm::Module& module, const AddressSpaces& spaces);

// The static local memory of the kernel that runs, read from its launch: for code that several kernels share.
[[nodiscard]] llvm::Value* launch_local_size(llvm::IRBuilder<>& b, llvm::Value* launch);

// Replaces every global variable that is declared and not defined by a load from `kiln.slot.NAME` (host_abi.h).
[[nodiscard]] Result<void> import_globals(llvm::Module& module, const AddressSpaces& spaces);

// Scopes: what is visible within a wave or group only orders the compiler; atomic operations on local memory become
// plain ones. Returns whether there were any of the latter (a loop with such is not to be called parallel).
bool relax_scopes(llvm::Module& module, const AddressSpaces& spaces);

} // namespace kiln::passes
