// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relational and logical instructions (SPIR-V specification 3.42.15).
#include "translate/read_body.h"

#include <llvm/ADT/FloatingPointMode.h>

namespace kiln::translate::reading {
namespace {

// x & 1 != 0, as the emitter writes a truncation to i1.
llvm::Value* truncated(llvm::CmpInst::Predicate predicate, llvm::Value* left, llvm::Value* right) {
  auto* mask = llvm::dyn_cast<llvm::BinaryOperator>(left);
  auto is = [](llvm::Value* value, bool one) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant && (one ? constant->isOneValue() : constant->isNullValue());
  };
  if (predicate != llvm::CmpInst::ICMP_NE || !mask || mask->getOpcode() != llvm::Instruction::And ||
      !is(mask->getOperand(1), true) || !is(right, false))
    return nullptr;
  return mask->getOperand(0);
}

Result<void> compare(FunctionReader& f, const Inst& inst, uint32_t number) {
  auto predicate = llvm::CmpInst::Predicate(number);
  KILN_ASSIGN(auto pair, f.operands(inst, inst[3], inst[4]));
  llvm::Type* type = pair.left->getType();
  const bool floating = llvm::CmpInst::isFPPredicate(predicate);
  if (floating ? !type->isFPOrFPVectorTy() : !type->isIntOrIntVectorTy() && !type->isPtrOrPtrVectorTy())
    return f.malformed(inst, "operands of a type that it does not compare");
  if (llvm::Value* whole = truncated(predicate, pair.left, pair.right); whole && &f.block->back() == pair.left) {
    f.maybe_dead.emplace_back(pair.left);
    return f.define(inst, f.insert(new llvm::TruncInst(whole, llvm::CmpInst::makeCmpResultType(type))));
  }
  llvm::CmpInst* result = floating ? static_cast<llvm::CmpInst*>(new llvm::FCmpInst(predicate, pair.left, pair.right))
                                   : new llvm::ICmpInst(predicate, pair.left, pair.right);
  f.insert(result);
  f.decorate(inst, result);
  return f.define(inst, result);
}

bool is_integer(llvm::Value* value, bool ones) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && (ones ? constant->isAllOnesValue() : constant->isOneValue());
}

Result<void> select(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * condition, f.value(inst, inst[3]));
  KILN_ASSIGN(auto pair, f.operands(inst, inst[4], inst[5]));
  if (const char* why = llvm::SelectInst::areInvalidOperands(condition, pair.left, pair.right))
    return f.malformed(inst, why);
  llvm::Type* type = pair.left->getType();
  auto* no = llvm::dyn_cast<llvm::Constant>(pair.right);
  // An extension of i1 is written as a choice between 1 or -1 and 0.
  if (type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 1 && no && no->isNullValue() &&
      type->isVectorTy() == condition->getType()->isVectorTy()) {
    const bool one = is_integer(pair.left, false);
    if (one || is_integer(pair.left, true)) {
      f.pending.attachments.clear(); // metadata of a select (branch weights) says nothing of an extension
      auto extension = one ? llvm::Instruction::ZExt : llvm::Instruction::SExt;
      return f.define(inst, f.insert(llvm::CastInst::Create(extension, condition, type)));
    }
  }
  auto* result = f.insert(llvm::SelectInst::Create(condition, pair.left, pair.right));
  f.decorate(inst, result);
  return f.define(inst, result);
}

Result<void> floating_class(FunctionReader& f, const Inst& inst, uint32_t mask) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  if (!operand->getType()->isFPOrFPVectorTy())
    return f.malformed(inst, "the operand is not a floating-point number");
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, llvm::Intrinsic::is_fpclass, {operand->getType()}));
  auto* bits = llvm::ConstantInt::get(llvm::Type::getInt32Ty(f.context), mask);
  return f.define(inst, f.call_intrinsic(callee, {operand, bits}));
}

Result<void> reduce(FunctionReader& f, const Inst& inst, uint32_t id) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  if (!operand->getType()->isVectorTy() || !operand->getType()->isIntOrIntVectorTy(1))
    return f.malformed(inst, "the operand is not a vector of bool");
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, id, {operand->getType()}));
  return f.define(inst, f.call_intrinsic(callee, {operand}));
}

#define ROW(op, words, handler, extra) {spv::Op::op, #op, words, Layout::typed, Phase::block, nullptr, handler, extra}
constexpr Row rows[] = {
#define KILN_COMPARE(predicate, spirv_op) ROW(spirv_op, 5, compare, llvm::CmpInst::predicate),
#define KILN_POINTER_COMPARE(predicate, spirv_op) KILN_COMPARE(predicate, spirv_op)
#include "translate/op_table.inc"
    // OpLogicalNotEqual is the xor of op_table.inc's bool operations.
    ROW(OpLogicalEqual, 5, compare, llvm::CmpInst::ICMP_EQ),
    ROW(OpLessOrGreater, 5, compare, llvm::CmpInst::FCMP_ONE),
    ROW(OpSelect, 6, select, 0),
    ROW(OpIsNan, 4, floating_class, llvm::fcNan),
    ROW(OpIsInf, 4, floating_class, llvm::fcInf),
    ROW(OpIsFinite, 4, floating_class, llvm::fcFinite),
    ROW(OpIsNormal, 4, floating_class, llvm::fcNormal),
    ROW(OpSignBitSet, 4, floating_class, llvm::fcNegative),
    ROW(OpAny, 4, reduce, llvm::Intrinsic::vector_reduce_or),
    ROW(OpAll, 4, reduce, llvm::Intrinsic::vector_reduce_and),
};

} // namespace

Rows relational_rows() {
  return rows;
}

} // namespace kiln::translate::reading
