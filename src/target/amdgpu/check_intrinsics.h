// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ahead of time, clang refuses a builtin that the processor does not have. The portable module has all of them, so that
// this is checked here, when the processor is known: LLVM's code generator takes it for granted, and answers otherwise
// with a crash, a dump on standard error, or an instruction that the processor does not have.
#pragma once

#include "support/result.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

namespace llvm {
class Module;
}

namespace kiln::target {

struct AmdProcessor;

// Looks at what is called, so dead functions should be gone and predicates folded. `has` answers for one feature.
// Errors: unsupported, naming a kernel, the intrinsic and what to do.
[[nodiscard]] Result<void> check_amdgpu_intrinsics(const llvm::Module& module, const AmdProcessor& processor,
                                                   llvm::function_ref<bool(llvm::StringRef feature)> has);

} // namespace kiln::target
