// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/amdgpu/prepare.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace kiln::target {
namespace {

// The product of !max_work_group_size or !reqd_work_group_size (x, y, z), or 0.
uint64_t work_group_size(const llvm::Function& kernel, llvm::StringRef kind) {
  const llvm::MDNode* node = kernel.getMetadata(kind);
  if (!node || node->getNumOperands() == 0)
    return 0;
  uint64_t size = 1;
  for (const llvm::MDOperand& operand : node->operands()) {
    auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand);
    if (!value)
      return 0;
    size *= value->getZExtValue();
  }
  return size;
}

void set_launch_bounds(llvm::Function& kernel) {
  if (kernel.hasFnAttribute("amdgpu-flat-work-group-size"))
    return;
  uint64_t exact = work_group_size(kernel, "reqd_work_group_size");
  uint64_t most = exact ? exact : work_group_size(kernel, "max_work_group_size");
  if (most == 0 || most > 1024)
    most = 1024; // HIP's own limit, and what AMD's toolchain assumes
  kernel.addFnAttr("amdgpu-flat-work-group-size", std::to_string(exact ? exact : 1) + "," + std::to_string(most));
}

void make_kernel(llvm::Function& kernel) {
  kernel.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  kernel.setVisibility(llvm::GlobalValue::ProtectedVisibility);
  kernel.setDSOLocal(true);
  if (kernel.hasLocalLinkage())
    kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  // HIP's grids are whole blocks; clang says the same for HIP (-foffload-uniform-block).
  kernel.addFnAttr("uniform-work-group-size", "true");
  set_launch_bounds(kernel);
}

} // namespace

void prepare_amdgpu(llvm::Module& module, const AmdgpuForm& form) {
  for (llvm::Function& function : module) {
    bool kernel = function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
                  function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
    if (kernel && !function.isDeclaration()) {
      make_kernel(function);
    } else if (function.getCallingConv() == llvm::CallingConv::SPIR_FUNC) {
      function.setCallingConv(llvm::CallingConv::C);
    }
    if (!function.isDeclaration() && form.flush_f32_denormals && !function.hasFnAttribute("denormal-fp-math-f32"))
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    // Calls by address have the convention of the portable form as well.
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call && call->getCallingConv() == llvm::CallingConv::SPIR_FUNC)
          call->setCallingConv(llvm::CallingConv::C);
  }
  module.setModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", form.code_object_version * 100);
}

void mark_printf_use(llvm::Module& module) {
  // LLVM lists hidden_printf_buffer in the metadata when this list exists; Kiln's printf has no strings to put in it.
  for (const char* name :
       {"__ockl_printf_begin", "__ockl_fprintf_stdout_begin", "__ockl_fprintf_stderr_begin", "__kiln_assert_fail"})
    if (const llvm::Function* function = module.getFunction(name); function && !function->isDeclaration())
      module.getOrInsertNamedMetadata("llvm.printf.fmts");
}

} // namespace kiln::target
