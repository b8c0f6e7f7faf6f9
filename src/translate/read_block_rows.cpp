// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kiln's rows in blocks: flags that SPIR-V cannot say, and facts about the next instruction.
#include "translate/read_body.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace kiln::translate::reading {
namespace {

// What Kiln Flags says of an instruction, where the instruction can have it.
void set_flags(llvm::Instruction* instruction, uint32_t flags) {
  using namespace llvm;
  if (auto* old = dyn_cast<ExtractValueInst>(instruction))
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(old->getAggregateOperand()))
      instruction = exchange;
  if (flags & flag::exact && isa<PossiblyExactOperator>(instruction))
    instruction->setIsExact();
  if (auto* disjoint = dyn_cast<PossiblyDisjointInst>(instruction))
    disjoint->setIsDisjoint(flags & flag::disjoint);
  if (flags & flag::nneg && isa<PossiblyNonNegInst>(instruction))
    instruction->setNonNeg();
  if (auto* compare = dyn_cast<ICmpInst>(instruction))
    compare->setSameSign(flags & flag::samesign);
  if (isa<OverflowingBinaryOperator, TruncInst>(instruction)) {
    if (flags & flag::nuw)
      instruction->setHasNoUnsignedWrap();
    if (flags & flag::nsw)
      instruction->setHasNoSignedWrap();
  }
  if (auto* gep = dyn_cast<GetElementPtrInst>(instruction)) {
    GEPNoWrapFlags wrap = gep->getNoWrapFlags();
    if (flags & flag::inbounds)
      wrap |= GEPNoWrapFlags::inBounds();
    if (flags & flag::nusw)
      wrap |= GEPNoWrapFlags::noUnsignedSignedWrap();
    if (flags & flag::nuw)
      wrap |= GEPNoWrapFlags::noUnsignedWrap();
    gep->setNoWrapFlags(wrap);
  }
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(instruction))
    exchange->setWeak(flags & flag::weak);
  if (auto* call = dyn_cast<IntrinsicInst>(instruction); call && flags & flag::poison_case)
    if (Intrinsic::ID id = call->getIntrinsicID();
        id == Intrinsic::ctlz || id == Intrinsic::cttz || id == Intrinsic::abs)
      call->setArgOperand(1, ConstantInt::getTrue(call->getContext()));
  if (isa<FPMathOperator>(instruction)) {
    FastMathFlags fast = instruction->getFastMathFlags();
    fast.setApproxFunc(fast.approxFunc() || flags & flag::afn);
    fast.setNoNaNs(fast.noNaNs() || flags & flag::nnan);
    fast.setNoInfs(fast.noInfs() || flags & flag::ninf);
    fast.setNoSignedZeros(fast.noSignedZeros() || flags & flag::nsz);
    fast.setAllowReciprocal(fast.allowReciprocal() || flags & flag::arcp);
    fast.setAllowContract(fast.allowContract() || flags & flag::contract);
    fast.setAllowReassoc(fast.allowReassoc() || flags & flag::reassoc);
    instruction->setFastMathFlags(fast);
  }
}

// The instruction that an id of the current block stands for; what is not there yet or no instruction has no flags.
llvm::Instruction* instruction_of(FunctionReader& f, uint32_t id) {
  Def* def = f.module.find(id);
  if (!def || def->kind != Kind::value || !def->function || def->placeholder)
    return nullptr;
  auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(def->value);
  return instruction && instruction->getFunction() == f.function ? instruction : nullptr;
}

Result<void> flags(FunctionReader& f, const Inst& inst) {
  if (inst.count() < 7)
    return {};
  KILN_ASSIGN(uint32_t bits, f.module.u32(inst, inst[5]));
  for (uint32_t id : inst.from(6))
    if (llvm::Instruction* instruction = instruction_of(f, id))
      set_flags(instruction, bits);
  return {};
}

// OpVariable of [N x T] that was an alloca of T with a count.
Result<void> counted_alloca(FunctionReader& f, const Inst& inst) {
  if (inst.count() < 7)
    return {};
  KILN_ASSIGN(llvm::Constant * count, f.module.constant(inst, inst[5]));
  auto* variable = llvm::dyn_cast_or_null<llvm::AllocaInst>(instruction_of(f, inst[6]));
  auto* array = variable ? llvm::dyn_cast<llvm::ArrayType>(variable->getAllocatedType()) : nullptr;
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(count);
  if (!array || !number || number->getValue() != array->getNumElements())
    return f.malformed(inst, "Alloca of what is no such array");
  // In place, because ids of casts between pointee types stand for the same instruction.
  variable->setAllocatedType(array->getElementType());
  variable->setOperand(0, number);
  return {};
}

} // namespace

Result<void> read_block_row(FunctionReader& f, const Inst& inst, uint32_t number) {
  switch (spirv::Kiln(number)) {
  case spirv::Kiln::Flags:
    return flags(f, inst);
  case spirv::Kiln::Alloca:
    return counted_alloca(f, inst);
  case spirv::Kiln::CallAttributes:
    f.pending.call_attributes = inst.offset;
    break;
  case spirv::Kiln::SyncScope:
    if (inst.count() > 5)
      f.pending.sync_scope = inst.offset;
    break;
  case spirv::Kiln::Attach:
    if (inst.count() > 6)
      f.pending.attachments.push_back(inst.offset);
    break;
  case spirv::Kiln::MetadataOperand:
    if (inst.count() > 6)
      f.pending.metadata_operands.push_back(inst.offset);
    break;
  default:
    break;
  }
  return {};
}

} // namespace kiln::translate::reading
