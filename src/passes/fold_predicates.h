// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Late architecture checks: __builtin_amdgcn_processor_is("gfx950") is a call of __kiln_predicate.is.gfx950() until the
// device is known. Here each gets its answer and what depends on it is removed, so that intrinsics and assembly of
// other devices are gone before anything looks at them. Runs also at opt level 0: it is semantics, not optimisation.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

namespace llvm {
class Module;
}

namespace kiln::passes {

// Also folds what the reader has decided already (constants that now steer branches).
void fold_predicates(llvm::Module& module, llvm::function_ref<bool(llvm::StringRef name)> decide);

} // namespace kiln::passes
