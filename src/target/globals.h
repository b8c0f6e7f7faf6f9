// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which global variables an image defines. A module's variables must exist once, while its kernels are compiled one by
// one: a kernel's image refers to them by name, and one further image (the globals unit) defines them.
#pragma once

#include "support/address_spaces.h"
#include "support/result.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace kiln::target {

// Is this variable shared by all kernels of the module: in global or constant memory, and not a constant that every
// image may have its own copy of?
[[nodiscard]] bool is_shared_variable(const llvm::GlobalVariable& variable, const AddressSpaces& spaces);

// define = false: shared variables become undefined symbols. define = true: those with external linkage, or all of them
// if the module has no kernel (the globals unit), are defined with protected visibility. Unnamed ones get a name.
// Constants that each image owns become internal. Errors: unsupported, a variable without a name that would have to be
// shared.
[[nodiscard]] Result<void> settle_globals(llvm::Module& module, const AddressSpaces& spaces, bool define);

} // namespace kiln::target
