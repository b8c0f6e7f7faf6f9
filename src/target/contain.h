// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a piece of the compiler such that nothing inside can end the user's process: a fatal error of LLVM, a failed
// assertion, a crash (SIGSEGV, SIGABRT, ...) and an exit() of the linker all become an Error.
//
// The signal handlers are there only while some thread is inside contain(). A signal of a thread that is not inside
// goes on to the handler that was there before. What a crashed piece of work had allocated is leaked: destructors do
// not run.
#pragma once

#include "support/result.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string_view>

namespace kiln::target {

// `what` names the work in the error ("generating code for kernel 'k'"). May be nested. Thread-safe.
[[nodiscard]] Result<void> contain(std::string_view what, llvm::function_ref<Result<void>()> work);

} // namespace kiln::target
