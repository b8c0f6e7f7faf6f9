// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/nvptx/prepare.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <algorithm>

namespace kiln::target {
namespace {

constexpr unsigned global_space = 1, constant_space = 4;

// Lets all uses of `from` (a struct parameter in the constant address space) use `to` (the same in the generic one).
Result<void> retype(llvm::Value& from, llvm::Value& to, const llvm::Function& kernel) {
  llvm::SmallVector<std::pair<llvm::Value*, llvm::Value*>> work{{&from, &to}};
  llvm::SmallVector<llvm::Instruction*> dead;
  while (!work.empty()) {
    auto [old, now] = work.pop_back_val();
    for (llvm::Use& use : llvm::make_early_inc_range(old->uses())) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      llvm::IRBuilder<> builder(user);
      if (auto* access = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::SmallVector<llvm::Value*> indices(access->indices());
        auto* copy = builder.CreateGEP(access->getSourceElementType(), now, indices, access->getName(),
                                       access->getNoWrapFlags());
        work.emplace_back(access, copy);
        dead.push_back(access);
      } else if (llvm::isa<llvm::LoadInst>(user)) {
        use.set(now);
      } else if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user)) {
        if (cast->getDestAddressSpace() == 0) {
          cast->replaceAllUsesWith(now);
          dead.push_back(cast);
        } else {
          use.set(now);
        }
      } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user); copy && use.getOperandNo() == 1) {
        builder.CreateMemTransferInst(copy->getIntrinsicID(), copy->getRawDest(), copy->getDestAlign(), now,
                                      copy->getSourceAlign(), copy->getLength(), copy->isVolatile());
        dead.push_back(copy);
      } else {
        return Error{ErrorCode::unsupported, "kernel '" + kernel.getName().str() +
                                                 "': the address of a struct parameter is used in a way that cannot be "
                                                 "compiled for NVIDIA; copy the struct to a local variable first"};
      }
    }
  }
  for (llvm::Instruction* instruction : llvm::reverse(dead))
    instruction->eraseFromParent();
  return {};
}

// `byref` parameters (constant address space) become `byval` ones, which are PTX parameters held in place.
Result<void> pass_structs_by_value(llvm::Function& kernel) {
  bool any = false;
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Argument& argument : kernel.args()) {
    any |= argument.hasByRefAttr();
    types.push_back(argument.hasByRefAttr() ? llvm::PointerType::get(kernel.getContext(), 0) : argument.getType());
  }
  if (!any)
    return {};
  auto* type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
  auto* copy = llvm::Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), "", kernel.getParent());
  copy->copyAttributesFrom(&kernel);
  copy->copyMetadata(&kernel, 0);
  copy->takeName(&kernel);
  copy->splice(copy->begin(), &kernel);
  for (auto [old, now] : llvm::zip(kernel.args(), copy->args())) {
    now.takeName(&old);
    if (!old.hasByRefAttr()) {
      old.replaceAllUsesWith(&now);
      continue;
    }
    llvm::Type* pointee = old.getParamByRefType();
    llvm::Align align = old.getParamAlign().value_or(kernel.getParent()->getDataLayout().getABITypeAlign(pointee));
    for (auto kind : {llvm::Attribute::ByRef, llvm::Attribute::Alignment})
      copy->removeParamAttr(now.getArgNo(), kind);
    llvm::AttrBuilder attributes(kernel.getContext());
    attributes.addByValAttr(pointee);
    attributes.addAlignmentAttr(align);
    attributes.addAttribute("nvvm.grid_constant"); // never written: no private copy is needed
    copy->addParamAttrs(now.getArgNo(), attributes);
    KILN_TRY(retype(old, now, *copy));
  }
  kernel.replaceAllUsesWith(copy);
  kernel.eraseFromParent();
  return {};
}

void set_launch_bounds(llvm::Function& kernel) {
  for (auto [kind, attribute] :
       {std::pair("reqd_work_group_size", "nvvm.reqntid"), std::pair("max_work_group_size", "nvvm.maxntid")}) {
    const llvm::MDNode* node = kernel.getMetadata(kind);
    if (!node || node->getNumOperands() == 0)
      continue;
    // HIP gives a bound on the product only: (N, 1, 1). PTX's .maxntid is a product as well.
    std::string sizes;
    for (const llvm::MDOperand& operand : node->operands())
      if (auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand))
        sizes += (sizes.empty() ? "" : ",") + std::to_string(value->getZExtValue());
    kernel.addFnAttr(attribute, sizes);
    return;
  }
  kernel.addFnAttr("nvvm.maxntid", "1024");
}

} // namespace

Result<void> prepare_nvptx_kernels(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    bool kernel = function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
                  function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
    if (kernel && !function.isDeclaration()) {
      function.setCallingConv(llvm::CallingConv::PTX_Kernel);
      function.setVisibility(llvm::GlobalValue::DefaultVisibility);
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
      set_launch_bounds(function);
      KILN_TRY(pass_structs_by_value(function));
    } else if (function.getCallingConv() == llvm::CallingConv::SPIR_FUNC) {
      function.setCallingConv(llvm::CallingConv::C);
    }
  }
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && call->getCallingConv() == llvm::CallingConv::SPIR_FUNC)
        call->setCallingConv(llvm::CallingConv::C);
  return {};
}

void rename_sync_scopes(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::StringRef> names;
  context.getSyncScopeNames(names);
  llvm::SmallVector<llvm::SyncScope::ID> renamed(names.size());
  for (size_t id = 0; id < names.size(); ++id) {
    llvm::StringRef name = names[id];
    name.consume_back("-one-as"); // orders one address space only; PTX's order is stronger
    if (name == "one-as")
      name = "";
    renamed[id] = name == "agent"                              ? context.getOrInsertSyncScopeID("device")
                  : name == "workgroup" || name == "wavefront" ? context.getOrInsertSyncScopeID("block")
                                                               : context.getOrInsertSyncScopeID(name);
  }
  auto change = [&](auto* instruction) {
    if (instruction && instruction->getSyncScopeID() < renamed.size())
      instruction->setSyncScopeID(renamed[instruction->getSyncScopeID()]);
  };
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
        change(fence);
      else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        change(update);
      else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        change(exchange);
      else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic())
        change(load);
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
        change(store);
    }
}

Result<void> reach_variables_by_address(llvm::Module& module) {
  llvm::SmallVector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() &&
        (variable.getAddressSpace() == global_space || variable.getAddressSpace() == constant_space))
      variables.push_back(&variable);
  for (llvm::GlobalVariable* variable : variables) {
    llvm::convertUsersOfConstantsToInstructions({variable});
    llvm::Type* type = variable->getType();
    auto* slot = new llvm::GlobalVariable(
        module, type, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage, llvm::Constant::getNullValue(type),
        nvptx_address_prefix + variable->getName().str(), nullptr, llvm::GlobalValue::NotThreadLocal, constant_space,
        /*isExternallyInitialized=*/true);
    llvm::DenseMap<llvm::Function*, llvm::Value*> loaded;
    for (llvm::Use& use : llvm::make_early_inc_range(variable->uses())) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user)
        return Error{ErrorCode::unsupported,
                     "variable '" + variable->getName().str() +
                         "' stands in another variable's initial value, which cannot be compiled for "
                         "NVIDIA one kernel at a time"};
      llvm::Function& function = *user->getFunction();
      llvm::Value*& address = loaded[&function];
      if (!address) {
        llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        auto* load = builder.CreateLoad(type, slot, variable->getName());
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
        address = load;
      }
      use.set(address);
    }
    variable->eraseFromParent();
  }
  return {};
}

void define_printf_buffer(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::get(context, global_space);
  auto* type = llvm::FunctionType::get(pointer, false);
  auto callee = module.getOrInsertFunction("__kiln_printf_buffer", type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  auto* address = new llvm::GlobalVariable(
      module, pointer, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage, llvm::Constant::getNullValue(pointer),
      nvptx_printf_buffer, nullptr, llvm::GlobalValue::NotThreadLocal, global_space, /*isExternallyInitialized=*/true);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  builder.CreateRet(builder.CreateLoad(pointer, address));
}

void rename_for_ptx(llvm::Module& module) {
  auto rename = [](llvm::GlobalValue& value) {
    if (!value.hasName() || value.getName().starts_with("llvm.") || !value.getName().contains('.'))
      return;
    std::string name = value.getName().str();
    std::replace(name.begin(), name.end(), '.', '$');
    value.setName(name);
  };
  for (llvm::GlobalVariable& variable : module.globals())
    rename(variable);
  for (llvm::Function& function : module)
    rename(function);
}

} // namespace kiln::target
