// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code generation: a module that is ready for its target, to an object, assembly or IR text.
#pragma once

#include "support/bytes.h"
#include "support/result.h"
#include "target/target.h"

namespace llvm {
class TargetMachine;
}

namespace kiln::target {

// Output::image and Output::object both give the object (linking is link.h's). The module is changed. Fatal errors and
// crashes of LLVM come back as errors that name the kernel and what it used. To be called with a DiagnosticScope on the
// context. `what` ("kernel 'k' for gfx942") is for messages.
[[nodiscard]] Result<Bytes> emit(llvm::Module& module, llvm::TargetMachine& machine, Output output,
                                 const std::string& what);

} // namespace kiln::target
