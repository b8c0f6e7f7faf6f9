// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code generation may call __truncsfbf2 and __truncdfbf2, which libgcc has only since GCC 13: an image brings its own.
#pragma once

namespace llvm {
class Module;
}

namespace kiln::target {

// Defines both, hidden, if `module` has values of type bfloat. After all optimisation: nothing refers to them yet.
void define_bfloat_helpers(llvm::Module& module);

} // namespace kiln::target
