// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feature expressions as clang writes them for its builtins, the NAME of "has.NAME": a comma is "and", a bar is "or",
// parentheses group. "gfx11-insts,wavefrontsize32", "(gfx10-3-insts|gfx11-insts),dot7-insts".
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

namespace kiln::target {

// Is the whole predicate ("is.gfx950", "has.a,b") true of a device? An empty expression is; a malformed one is not.
[[nodiscard]] bool evaluate_predicate(llvm::StringRef predicate, llvm::function_ref<bool(llvm::StringRef processor)> is,
                                      llvm::function_ref<bool(llvm::StringRef feature)> has);

} // namespace kiln::target
