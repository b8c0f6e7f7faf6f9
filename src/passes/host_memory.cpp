// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host_memory.h"

#include "passes/host_context.h"
#include "passes/host_primitives.h"
#include "support/host_abi.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
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

struct LocalVariable {
  GlobalVariable* global;
  uint64_t size;
  Align align;
  uint64_t place;
  BitVector kernels; // those that reach it
};

// The variables that a kernel reaches through calls, addresses of functions and initialisers. A call through a pointer
// may go to any function whose address is taken.
SmallPtrSet<const Value*, 16> reached_variables(const Function& kernel) {
  SmallPtrSet<const Value*, 16> seen{&kernel};
  SmallVector<const Constant*, 32> work{&kernel};
  auto visit = [&](const Value* value) {
    if (auto* constant = dyn_cast<Constant>(value); constant && seen.insert(constant).second)
      work.push_back(constant);
  };
  while (!work.empty()) {
    const Constant* constant = work.pop_back_val();
    for (const Use& operand : constant->operands())
      visit(operand.get());
    auto* function = dyn_cast<Function>(constant);
    if (!function)
      continue;
    for (const Instruction& instruction : instructions(*function)) {
      for (const Use& operand : instruction.operands())
        visit(operand.get());
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call && !call->isInlineAsm() && !isa<Function>(call->getCalledOperand()->stripPointerCasts()))
        for (const Function& other : *kernel.getParent())
          if (other.hasAddressTaken())
            visit(&other);
    }
  }
  return seen;
}

// Two variables may share bytes unless some kernel reaches both; a kernel's size ends with its last variable. Those
// that most kernels reach come first, at the start, where they cost nobody a gap.
void give_places(SmallVectorImpl<LocalVariable>& variables, std::vector<uint64_t>& sizes) {
  SmallVector<LocalVariable*, 8> order;
  for (LocalVariable& variable : variables)
    order.push_back(&variable);
  llvm::sort(order, [](const LocalVariable* a, const LocalVariable* b) { // of one array: addresses keep its order
    return std::pair(b->kernels.count(), a) < std::pair(a->kernels.count(), b);
  });
  SmallVector<const LocalVariable*, 8> placed; // by place
  for (LocalVariable* variable : order) {
    uint64_t place = 0;
    for (const LocalVariable* other : placed) {
      if (!other->kernels.anyCommon(variable->kernels))
        continue;
      if (place + variable->size <= other->place)
        break;
      place = std::max(place, alignTo(other->place + other->size, variable->align));
    }
    variable->place = place;
    placed.insert(upper_bound(placed, variable, [](auto* a, auto* b) { return a->place < b->place; }), variable);
    for (unsigned k : variable->kernels.set_bits())
      sizes[k] = std::max(sizes[k], place + variable->size);
  }
}

} // namespace

std::optional<uint32_t> LocalMemory::common_size() const {
  for (const auto& [kernel, size] : sizes)
    if (size != sizes.begin()->second)
      return std::nullopt;
  return sizes.empty() ? 0 : sizes.begin()->second;
}

Value* launch_local_size(IRBuilder<>& b, Value* launch) {
  auto field = [&](uint64_t offset) {
    return load_invariant(b, b.getInt32Ty(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), launch, offset));
  };
  Value* all = field(offsetof(host_abi::Launch, packet.group_segment_size));
  return b.CreateSub(all, field(offsetof(host_abi::Launch, implicit.dynamic_lds_size)));
}

Result<LocalMemory> place_local_memory(Module& module, const AddressSpaces& spaces) {
  const DataLayout& layout = module.getDataLayout();
  SmallVector<LocalVariable, 8> fixed, dynamic;
  for (GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == spaces.local) {
      uint64_t size = variable.isDeclaration() ? 0 : layout.getTypeAllocSize(variable.getValueType());
      Align align = std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(variable.getValueType()));
      (size == 0 ? dynamic : fixed).push_back({&variable, size, align, 0, {}});
    }
  SmallVector<Function*, 8> kernels;
  for (Function& function : module)
    if (is_host_kernel(function) && !function.isDeclaration())
      kernels.push_back(&function);
  for (LocalVariable& variable : fixed)
    variable.kernels.resize(kernels.size());
  for (LocalVariable& variable : dynamic)
    variable.kernels.resize(kernels.size());
  for (unsigned k = 0; k < kernels.size(); ++k) {
    auto reached = reached_variables(*kernels[k]);
    for (LocalVariable& variable : fixed)
      variable.kernels[k] = reached.contains(variable.global);
    for (LocalVariable& variable : dynamic)
      variable.kernels[k] = reached.contains(variable.global);
  }

  LocalMemory result;
  std::vector<uint64_t> sizes(kernels.size());
  give_places(fixed, sizes);
  Align most(16);
  for (const LocalVariable& variable : dynamic)
    most = std::max(most, variable.align);
  for (unsigned k = 0; k < kernels.size(); ++k) {
    if (any_of(dynamic, [&](const LocalVariable& variable) { return variable.kernels[k]; }))
      sizes[k] = alignTo(sizes[k], most);
    if (sizes[k] > largest_local_memory)
      return Error{ErrorCode::compile_failed, "the static shared memory of kernel '" + kernels[k]->getName().str() +
                                                  "' is " + std::to_string(sizes[k]) +
                                                  " bytes, and the host device has " +
                                                  std::to_string(largest_local_memory)};
    result.sizes[kernels[k]->getName().str()] = uint32_t(sizes[k]);
  }

  auto* ptr = PointerType::get(module.getContext(), 0);
  auto primitive = [&](const char* name) {
    FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(ptr, false));
    cast<Function>(callee.getCallee())->setDoesNotAccessMemory();
    return callee;
  };
  auto base = [&](IRBuilder<>& b, Type* type) {
    Value* group = b.CreateCall(primitive(host_primitive::group));
    LoadInst* local =
        load_invariant(b, ptr, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), group, offsetof(host_abi::Group, local)));
    local->setMetadata(LLVMContext::MD_align, MDNode::get(b.getContext(), ConstantAsMetadata::get(b.getInt64(256))));
    return b.CreateAddrSpaceCast(local, type);
  };
  for (LocalVariable& variable : fixed)
    KILN_TRY(replace_in_functions(*variable.global, [&, type = variable.global->getType()](IRBuilder<>& b) {
      return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base(b, type), variable.place);
    }));
  // Dynamic memory lies behind the static memory of the kernel that runs.
  for (LocalVariable& variable : dynamic) {
    std::optional<uint64_t> place;
    bool same = true;
    for (unsigned k : variable.kernels.set_bits()) {
      same = same && (!place || *place == sizes[k]);
      place = sizes[k];
    }
    KILN_TRY(replace_in_functions(*variable.global, [&, type = variable.global->getType()](IRBuilder<>& b) -> Value* {
      if (same)
        return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base(b, type), place.value_or(0));
      Value* launch = b.CreateCall(primitive(host_primitive::launch));
      return b.CreateInBoundsGEP(b.getInt8Ty(), base(b, type),
                                 b.CreateZExt(launch_local_size(b, launch), b.getInt64Ty()));
    }));
  }
  return result;
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
