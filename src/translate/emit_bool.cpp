// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// i1. In LLVM a one-bit integer, in SPIR-V a boolean without arithmetic, order or bits: each such operation is written
// with logical operations, comparisons and selects that mean the same. (As a signed number true is -1.)
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spv::Op;

void FunctionEmitter::bool_binary(const Instruction& instruction) {
  Op opcode = to_spirv(bool_binary_ops, instruction.getOpcode());
  if (opcode != Op::OpNop) {
    op(opcode, instruction, operands(instruction));
    return wrap_flags(instruction);
  }
  Id left = operand(instruction, 0);
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return op(Op::OpLogicalNotEqual, instruction, operands(instruction));
  case Instruction::Mul:
    return op(Op::OpLogicalAnd, instruction, operands(instruction));
  case Instruction::URem: // the only divisor that is defined is 1
  case Instruction::SRem:
    return op(Op::OpCopyObject, instruction, {m_.boolean(instruction.getType(), false)});
  default: // division by 1, shifts by 0
    return op(Op::OpCopyObject, instruction, {left});
  }
}

void FunctionEmitter::bool_compare(const ICmpInst& compare) {
  auto predicate = compare.getPredicate();
  if (Op opcode = to_spirv(bool_compare_ops, predicate); opcode != Op::OpNop)
    return op(opcode, compare, operands(compare));
  Type* type = compare.getType();
  Id left = operand(compare, 0), right = operand(compare, 1);
  bool negate_left = predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_SGT ||
                     predicate == CmpInst::ICMP_ULE || predicate == CmpInst::ICMP_SGE;
  bool strict = CmpInst::isStrictPredicate(predicate);
  Id& negated = negate_left ? left : right;
  negated = op(Op::OpLogicalNot, type, {negated});
  op(strict ? Op::OpLogicalAnd : Op::OpLogicalOr, compare, {left, right});
}

void FunctionEmitter::bool_to_number(const CastInst& cast) {
  Type* type = cast.getDestTy();
  bool is_signed = cast.getOpcode() == Instruction::SExt || cast.getOpcode() == Instruction::SIToFP;
  Constant* one = type->isFPOrFPVectorTy() ? ConstantFP::get(type, is_signed ? -1.0 : 1.0)
                  : is_signed              ? Constant::getAllOnesValue(type)
                                           : ConstantInt::get(type, 1);
  Id yes = m_.constant(one), no = m_.constant(Constant::getNullValue(type));
  op(Op::OpSelect, cast, {operand(cast, 0), yes, no});
  fast_math(cast, false);
}

void FunctionEmitter::number_to_bool(const CastInst& cast) {
  Type* type = cast.getSrcTy();
  Id number = operand(cast, 0);
  if (type->isFPOrFPVectorTy()) { // only 0 and 1 (or -1) are defined results
    Type* byte = type->getWithNewType(Type::getInt8Ty(m_.context()));
    number = op(to_spirv(cast_ops, unsigned(cast.getOpcode())), byte, {number});
    type = byte;
  }
  Id low = op(Op::OpBitwiseAnd, type, {number, m_.constant(ConstantInt::get(type, 1))});
  op(Op::OpINotEqual, cast, {low, m_.constant(Constant::getNullValue(type))});
}

// <N x i1> to a number of N bits: lane 0 is the lowest bit.
void FunctionEmitter::bool_vector_to_integer(const CastInst& cast) {
  unsigned lanes = llvm::cast<FixedVectorType>(cast.getSrcTy())->getNumElements();
  Type* integer = Type::getIntNTy(m_.context(), lanes);
  Type* flag = Type::getInt1Ty(m_.context());
  Id vector = operand(cast, 0);
  Id sum = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Id bit = op(Op::OpCompositeExtract, flag, {vector, lane});
    Id set = m_.constant(ConstantInt::get(integer, APInt::getOneBitSet(lanes, lane)));
    Id part = op(Op::OpSelect, integer, {bit, set, m_.constant(Constant::getNullValue(integer))});
    sum = sum ? op(Op::OpBitwiseOr, integer, {sum, part}) : part;
  }
  if (cast.getDestTy() == integer)
    return op(Op::OpCopyObject, cast, {sum});
  op(Op::OpBitcast, cast, {sum});
}

void FunctionEmitter::integer_to_bool_vector(const CastInst& cast) {
  unsigned lanes = llvm::cast<FixedVectorType>(cast.getDestTy())->getNumElements();
  Type* integer = Type::getIntNTy(m_.context(), lanes);
  Type* flag = Type::getInt1Ty(m_.context());
  Id number = operand(cast, 0);
  if (cast.getSrcTy() != integer)
    number = op(Op::OpBitcast, integer, {number});
  std::vector<Id> bits;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Id mask = m_.constant(ConstantInt::get(integer, APInt::getOneBitSet(lanes, lane)));
    Id masked = op(Op::OpBitwiseAnd, integer, {number, mask});
    bits.push_back(op(Op::OpINotEqual, flag, {masked, m_.constant(Constant::getNullValue(integer))}));
  }
  op(Op::OpCompositeConstruct, cast, bits);
}

} // namespace kiln::translate
