// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host_memory.h"

#include "passes/host_primitives.h"
#include "support/host_abi.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace kiln::passes {
using namespace llvm;

namespace {

constexpr uint64_t largest_local_memory = 65536;

// Replaces all uses by instructions with what `make` builds at the start of each function, once per function.
template <class Make> Result<void> replace_in_functions(GlobalVariable& variable, Make make) {
  convertUsersOfConstantsToInstructions({&variable});
  DenseMap<Function*, Value*> made;
  for (Use& use : make_early_inc_range(variable.uses())) {
    auto* user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      return Error{ErrorCode::unsupported, "the initialiser of a constant refers to the variable '" +
                                               variable.getName().str() +
                                               "', which has no fixed address on the host; assign it at run time"};
    Value*& value = made[user->getFunction()];
    if (!value) {
      BasicBlock& entry = user->getFunction()->getEntryBlock();
      IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      value = make(b);
    }
    use.set(value);
  }
  variable.eraseFromParent();
  return {};
}

LoadInst* load_invariant(IRBuilder<>& b, Type* type, Value* address) {
  LoadInst* load = b.CreateLoad(type, address);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return load;
}

} // namespace

Result<uint32_t> place_local_memory(Module& module, const AddressSpaces& spaces) {
  const DataLayout& layout = module.getDataLayout();
  SmallVector<GlobalVariable*, 8> fixed, dynamic;
  for (GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == spaces.local)
      (variable.isDeclaration() || layout.getTypeAllocSize(variable.getValueType()) == 0 ? dynamic : fixed)
          .push_back(&variable);

  uint64_t size = 0;
  std::vector<std::pair<GlobalVariable*, uint64_t>> places;
  auto alignment = [&](GlobalVariable* variable) {
    return std::max(variable->getAlign().valueOrOne(), layout.getABITypeAlign(variable->getValueType()));
  };
  for (GlobalVariable* variable : fixed) {
    size = alignTo(size, alignment(variable));
    places.emplace_back(variable, size);
    size += layout.getTypeAllocSize(variable->getValueType());
  }
  if (!dynamic.empty()) {
    Align most(16);
    for (GlobalVariable* variable : dynamic)
      most = std::max(most, alignment(variable));
    size = alignTo(size, most);
  }
  for (GlobalVariable* variable : dynamic)
    places.emplace_back(variable, size);
  if (size > largest_local_memory)
    return Error{ErrorCode::compile_failed, "the module's static shared memory is " + std::to_string(size) +
                                                " bytes, and the host device has " +
                                                std::to_string(largest_local_memory)};

  auto* ptr = PointerType::get(module.getContext(), 0);
  FunctionCallee group = module.getOrInsertFunction(host_primitive::group, FunctionType::get(ptr, false));
  cast<Function>(group.getCallee())->setDoesNotAccessMemory();
  for (auto [variable, offset] : places)
    KILN_TRY(replace_in_functions(*variable, [&, offset = offset, type = variable->getType()](IRBuilder<>& b) {
      Value* field = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), b.CreateCall(group), offsetof(host_abi::Group, local));
      LoadInst* base = load_invariant(b, ptr, field);
      base->setMetadata(LLVMContext::MD_align, MDNode::get(b.getContext(), ConstantAsMetadata::get(b.getInt64(256))));
      return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), b.CreateAddrSpaceCast(base, type), offset);
    }));
  return uint32_t(size);
}

Result<void> import_globals(Module& module, const AddressSpaces& spaces) {
  auto* ptr = PointerType::get(module.getContext(), 0);
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    bool elsewhere = variable.getAddressSpace() == spaces.global || variable.getAddressSpace() == spaces.constant;
    if (!variable.isDeclaration() || !elsewhere)
      continue;
    if (variable.use_empty()) {
      variable.eraseFromParent();
      continue;
    }
    auto* slot = new GlobalVariable(module, ptr, false, GlobalValue::ExternalLinkage, ConstantPointerNull::get(ptr),
                                    host_abi::slot_prefix + variable.getName());
    slot->setDSOLocal(true);
    slot->setVisibility(GlobalValue::ProtectedVisibility);
    KILN_TRY(replace_in_functions(variable, [&, type = variable.getType()](IRBuilder<>& b) {
      return b.CreateAddrSpaceCast(load_invariant(b, ptr, slot), type);
    }));
  }
  return {};
}

bool relax_scopes(Module& module, const AddressSpaces& spaces) {
  LLVMContext& context = module.getContext();
  SmallVector<StringRef, 8> names;
  context.getSyncScopeNames(names);
  auto within_group = [&](SyncScope::ID scope) {
    StringRef name = scope < names.size() ? names[scope] : "";
    name.consume_back("-one-as");
    return name == "workgroup" || name == "wavefront" || name == "singlethread";
  };
  bool local_atomics = false;
  for (Function& function : module) {
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
          exchange && exchange->getPointerAddressSpace() == spaces.local) {
        lowerAtomicCmpXchgInst(exchange);
        local_atomics = true;
        continue;
      }
      if (auto* update = dyn_cast<AtomicRMWInst>(&instruction);
          update && update->getPointerAddressSpace() == spaces.local) {
        lowerAtomicRMWInst(update);
        local_atomics = true;
        continue;
      }
      if (auto scope = getAtomicSyncScopeID(&instruction))
        setAtomicSyncScopeID(&instruction, within_group(*scope) ? SyncScope::SingleThread : SyncScope::System);
    }
  }
  return local_atomics;
}

} // namespace kiln::passes
