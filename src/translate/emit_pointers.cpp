// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "translate/emit_pointers.h"

#include "translate/op_table.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

namespace kiln::translate {

using namespace llvm;

PointerPlan::PointerPlan(const Function& function) : byte_(Type::getInt8Ty(function.getContext())) {
  for (const Argument& argument : function.args()) {
    for (auto kind : {Attribute::ByVal, Attribute::ByRef, Attribute::StructRet})
      if (auto attribute = argument.getAttribute(kind); attribute.isValid())
        want(&argument, attribute.getValueAsType());
  }
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block) {
      if (auto* load = dyn_cast<LoadInst>(&instruction))
        want(load->getPointerOperand(), load->getType());
      else if (auto* store = dyn_cast<StoreInst>(&instruction))
        want(store->getPointerOperand(), store->getValueOperand()->getType());
      else if (auto* chain = dyn_cast<GetElementPtrInst>(&instruction))
        want(chain->getPointerOperand(), chain->getSourceElementType());
      else if (auto* rmw = dyn_cast<AtomicRMWInst>(&instruction))
        want(rmw->getPointerOperand(), rmw->getValOperand()->getType());
      else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        want(exchange->getPointerOperand(), exchange->getNewValOperand()->getType());
    }
  // What is wanted of a phi, select, freeze or cast is wanted of what goes into it. Backwards, so that chains work.
  for (const BasicBlock& block : reverse(function))
    for (const Instruction& instruction : reverse(block)) {
      if (!isa<PHINode, SelectInst, FreezeInst, AddrSpaceCastInst>(instruction) || !is_pointer(instruction.getType()))
        continue;
      auto found = wanted_.find(&instruction);
      if (found == wanted_.end())
        continue;
      Type* pointee = found->second;
      for (const Value* operand : instruction.operands())
        if (is_pointer(operand->getType()) && !isa<Constant>(operand))
          want(operand, pointee);
    }
}

void PointerPlan::want(const Value* pointer, Type* pointee) {
  wanted_.try_emplace(pointer, pointee);
}

Type* PointerPlan::natural(const Value* value) const {
  if (auto* alloca = dyn_cast<AllocaInst>(value))
    return alloca_type(*alloca);
  if (auto* chain = dyn_cast<GetElementPtrInst>(value))
    return chain->getResultElementType();
  if (!isa<Argument, PHINode, SelectInst, FreezeInst, AddrSpaceCastInst, IntToPtrInst>(value))
    return byte_;
  if (auto found = wanted_.find(value); found != wanted_.end())
    return found->second;
  if (auto* cast = dyn_cast<AddrSpaceCastInst>(value); cast && !isa<Constant>(cast->getOperand(0)))
    return natural(cast->getOperand(0));
  return byte_;
}

bool is_static(const AllocaInst& alloca) {
  return isa<ConstantInt>(alloca.getArraySize()) && alloca.getParent()->isEntryBlock();
}

Type* alloca_type(const AllocaInst& alloca) {
  auto* count = dyn_cast<ConstantInt>(alloca.getArraySize());
  if (!is_static(alloca) || count->isOne())
    return alloca.getAllocatedType();
  return ArrayType::get(alloca.getAllocatedType(), count->getZExtValue());
}

namespace {

bool plain_access(Type* type, Align align, bool is_volatile, const DataLayout& layout) {
  return !is_volatile && align.value() == layout.getTypeStoreSize(type).getFixedValue();
}

bool plain_type(Type* type) {
  return type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() || type->isDoubleTy();
}

} // namespace

bool has_atomic_opcode(const Instruction& instruction, const DataLayout& layout) {
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return plain_type(load->getType()) && plain_access(load->getType(), load->getAlign(), load->isVolatile(), layout);
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    Type* type = store->getValueOperand()->getType();
    return plain_type(type) && plain_access(type, store->getAlign(), store->isVolatile(), layout);
  }
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    Type* type = exchange->getNewValOperand()->getType();
    return plain_type(type) && type->isIntegerTy() &&
           plain_access(type, exchange->getAlign(), exchange->isVolatile(), layout);
  }
  auto* rmw = dyn_cast<AtomicRMWInst>(&instruction);
  if (!rmw || to_spirv(atomic_ops, rmw->getOperation()) == spv::Op::OpNop)
    return false;
  Type* type = rmw->getValOperand()->getType();
  bool half = type->isHalfTy() && rmw->isFloatingPointOperation();
  return (plain_type(type) || half) && plain_access(type, rmw->getAlign(), rmw->isVolatile(), layout);
}

} // namespace kiln::translate
