// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/globals.h"

#include "target/diagnostics.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace kiln::target {
namespace {

bool has_kernel(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
                                      function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL ||
                                      function.getCallingConv() == llvm::CallingConv::PTX_Kernel))
      return true;
  return false;
}

// llvm.used and friends keep things for a linker that is not ours.
void drop_used_lists(llvm::Module& module) {
  for (const char* name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* list = module.getGlobalVariable(name, /*AllowInternal=*/true); list && list->use_empty())
      list->eraseFromParent();
}

} // namespace

bool is_shared_variable(const llvm::GlobalVariable& variable, const AddressSpaces& spaces) {
  if (variable.getAddressSpace() != spaces.global && variable.getAddressSpace() != spaces.constant)
    return false;
  if (variable.getName().starts_with("llvm.") || variable.isDeclaration())
    return false;
  // The host may write an externally_initialized "constant" (__constant__) through its symbol.
  if (!variable.isConstant() || variable.isExternallyInitialized())
    return true;
  // A string, a lookup table, an inline constexpr: equal everywhere, so that each image may own one and fold it.
  return !variable.hasLocalLinkage() && !variable.isDiscardableIfUnused();
}

Result<void> settle_globals(llvm::Module& module, const AddressSpaces& spaces, bool define) {
  drop_used_lists(module);
  bool globals_unit = define && !has_kernel(module);
  unsigned unnamed = 0;
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (!is_shared_variable(variable, spaces)) {
      if (!variable.isDeclaration() && variable.isDiscardableIfUnused()) {
        variable.setComdat(nullptr);
        variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
        variable.setLinkage(llvm::GlobalValue::InternalLinkage);
      }
      continue;
    }
    if (!variable.hasName()) {
      if (!define)
        return Error{ErrorCode::unsupported,
                     describe_kernels(module) +
                         ": uses a global variable without a name, which cannot be shared between "
                         "kernels; compile the module as one unit"};
      variable.setName("__kiln_global_" + std::to_string(unnamed++));
    }
    variable.setComdat(nullptr);
    if (!define) {
      variable.setInitializer(nullptr);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
      variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
      variable.setDSOLocal(false);
      variable.setExternallyInitialized(false);
    } else if (globals_unit || !variable.hasLocalLinkage()) {
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
      variable.setVisibility(llvm::GlobalValue::ProtectedVisibility);
      variable.setDSOLocal(true);
    }
  }
  return {};
}

} // namespace kiln::target
