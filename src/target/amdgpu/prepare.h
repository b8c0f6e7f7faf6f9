// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives a module from the reader the form that clang gives device code for AMDGPU: calling conventions, launch bounds,
// module flags. What differs between processors comes in as options.
#pragma once

namespace llvm {
class Module;
}

namespace kiln::target {

struct AmdgpuForm {
  unsigned code_object_version = 5; // 5, 6
  bool flush_f32_denormals = false;
};

void prepare_amdgpu(llvm::Module& module, const AmdgpuForm& form);

// To be called when the device library is linked: says in the module that printf's buffer is needed, if it is.
void mark_printf_use(llvm::Module& module);

} // namespace kiln::target
