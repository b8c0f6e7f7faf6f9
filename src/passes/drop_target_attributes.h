// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes from functions what another target's front end wrote there: "target-cpu", "target-features" (the portable
// form has the union of all GPUs, with which AMDGPU code generation silently drops functions), "frame-pointer" and the
// like.
#pragma once

namespace llvm {
class Module;
}

namespace kiln::passes {

void drop_target_attributes(llvm::Module& module);

} // namespace kiln::passes
