// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Are two LLVM modules the same program, instruction by instruction? What the round-trip tests ask of
// reader(emitter(M)) and M. Local names, the order of blocks and of unused declarations, and what docs/spirv-mapping.md
// section 8 lists do not count: both modules are first brought to one form by canonicalize().
#pragma once

#include "support/result.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace kiln::translate {

// The error describes the first difference, with the first module as what was expected. The modules may be of two
// contexts.
[[nodiscard]] Result<void> same_module(const llvm::Module& expected, const llvm::Module& actual);

// Rewrites what section 8 says may differ into one form of it.
void canonicalize(llvm::Module& module);

} // namespace kiln::translate
