// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memories of a GPU program on the host. Local memory (LDS) is one block per work-group that the executor provides;
// global variables of other images are reached through exported pointers that the loader fills; and as one thread runs
// a whole work-group, what synchronises within a group needs no atomic instruction.
#pragma once

#include "support/address_spaces.h"
#include "support/result.h"

#include <cstdint>

namespace llvm {
class Module;
}

namespace kiln::passes {

// Gives every variable in local memory a place in the group's block and replaces its uses; dynamic ones (extern
// __shared__) all start where the static ones end. Returns the size of the static part.
[[nodiscard]] Result<uint32_t> place_local_memory(llvm::Module& module, const AddressSpaces& spaces);

// Replaces every global variable that is declared and not defined by a load from `kiln.slot.NAME` (host_abi.h).
[[nodiscard]] Result<void> import_globals(llvm::Module& module, const AddressSpaces& spaces);

// Scopes: what is visible within a wave or group only orders the compiler; atomic operations on local memory become
// plain ones. Returns whether there were any of the latter (a loop with such is not to be called parallel).
bool relax_scopes(llvm::Module& module, const AddressSpaces& spaces);

} // namespace kiln::passes
