// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpSpecConstantOp: a constant expression where LLVM has one (add, sub, xor, trunc, pointer casts, getelementptr), else
// the operation is folded, else it is refused. The operands are checked as if it was an instruction.
#include "translate/read_module.h"

#include <llvm/IR/ConstantFold.h>

namespace kiln::translate::reading {
namespace {

Result<llvm::Constant*> must_fold(ModuleReader& reader, const Inst& inst, llvm::Constant* value) {
  if (value)
    return value;
  return reader.unsupported(inst, "LLVM has no constant expression for opcode " + std::to_string(inst[3]));
}

// A cast by the types at hand.
Result<llvm::Constant*> fold_cast(ModuleReader& reader, const Inst& inst, unsigned opcode) {
  KILN_ASSIGN(llvm::Constant * operand, reader.constant(inst, inst[4]));
  KILN_ASSIGN(llvm::Type * type, reader.value_type(inst, inst[1]));
  llvm::Type* from = operand->getType();
  if (from == type)
    return operand;
  const bool wider = from->getScalarSizeInBits() < type->getScalarSizeInBits();
  if (opcode == llvm::Instruction::Trunc || opcode == llvm::Instruction::ZExt)
    opcode = wider ? llvm::Instruction::ZExt : llvm::Instruction::Trunc;
  else if (opcode == llvm::Instruction::SExt)
    opcode = wider ? llvm::Instruction::SExt : llvm::Instruction::Trunc;
  else if (opcode == llvm::Instruction::FPTrunc || opcode == llvm::Instruction::FPExt)
    opcode = wider ? llvm::Instruction::FPExt : llvm::Instruction::FPTrunc;
  else if (opcode == llvm::Instruction::BitCast && from->isPtrOrPtrVectorTy() && type->isPtrOrPtrVectorTy())
    opcode = llvm::Instruction::AddrSpaceCast;
  else if (opcode == llvm::Instruction::BitCast && from->isPointerTy() && type->isIntegerTy())
    opcode = llvm::Instruction::PtrToInt;
  else if (opcode == llvm::Instruction::BitCast && from->isIntegerTy() && type->isPointerTy())
    opcode = llvm::Instruction::IntToPtr;
  auto cast = llvm::Instruction::CastOps(opcode);
  if (!llvm::CastInst::castIsValid(cast, from, type))
    return reader.malformed(inst, "a cast between types that do not go together");
  if (llvm::ConstantExpr::isSupportedCastOp(cast))
    return llvm::ConstantExpr::getCast(cast, operand, type);
  return must_fold(reader, inst, llvm::ConstantFoldCastInstruction(cast, operand, type));
}

Result<llvm::Constant*> fold_binary(ModuleReader& reader, const Inst& inst, unsigned opcode) {
  if (inst.count() < 6)
    return reader.malformed(inst, "too few operands");
  KILN_ASSIGN(llvm::Constant * left, reader.constant(inst, inst[4]));
  KILN_ASSIGN(llvm::Constant * right, reader.constant(inst, inst[5]));
  const bool fits = is_floating(opcode) ? left->getType()->isFPOrFPVectorTy() : left->getType()->isIntOrIntVectorTy();
  if (left->getType() != right->getType() || !fits)
    return reader.malformed(inst, "operands that do not go together");
  const Def& def = *reader.find(inst[2]);
  const bool nsw = reader.decoration(def, spv::Decoration::NoSignedWrap).has_value();
  const bool nuw = reader.decoration(def, spv::Decoration::NoUnsignedWrap).has_value();
  switch (opcode) {
  case llvm::Instruction::Add:
    return llvm::ConstantExpr::getAdd(left, right, nuw, nsw);
  case llvm::Instruction::Sub:
    return llvm::ConstantExpr::getSub(left, right, nuw, nsw);
  case llvm::Instruction::Xor:
    return llvm::ConstantExpr::getXor(left, right);
  default:
    return must_fold(reader, inst, llvm::ConstantFoldBinaryInstruction(opcode, left, right));
  }
}

Result<llvm::Constant*> fold_compare(ModuleReader& reader, const Inst& inst, llvm::CmpInst::Predicate predicate) {
  if (inst.count() < 6)
    return reader.malformed(inst, "too few operands");
  KILN_ASSIGN(llvm::Constant * left, reader.constant(inst, inst[4]));
  KILN_ASSIGN(llvm::Constant * right, reader.constant(inst, inst[5]));
  llvm::Type* type = left->getType();
  bool fits = llvm::CmpInst::isFPPredicate(predicate) ? type->isFPOrFPVectorTy()
                                                      : type->isIntOrIntVectorTy() || type->isPtrOrPtrVectorTy();
  if (type != right->getType() || !fits)
    return reader.malformed(inst, "operands that do not go together");
  return must_fold(reader, inst, llvm::ConstantFoldCompareInstruction(predicate, left, right));
}

Result<llvm::Constant*> fold_access_chain(ModuleReader& reader, const Inst& inst, bool has_element, bool inbounds) {
  KILN_ASSIGN(llvm::Constant * base, reader.constant(inst, inst[4]));
  KILN_ASSIGN(uint32_t pointee, reader.pointee(inst, inst[4]));
  KILN_ASSIGN(llvm::Type * type, reader.sized_type(inst, pointee));
  llvm::SmallVector<llvm::Constant*, 8> indices;
  if (!has_element)
    indices.push_back(llvm::ConstantInt::get(llvm::Type::getInt32Ty(reader.context), 0));
  for (uint32_t id : inst.from(5)) {
    KILN_ASSIGN(llvm::Constant * index, reader.constant(inst, id));
    if (!index->getType()->isIntegerTy())
      return reader.malformed(inst, "index " + reader.describe(id) + " is not an integer");
    indices.push_back(index);
  }
  if (!base->getType()->isPointerTy() || indices.empty() ||
      !llvm::GetElementPtrInst::getIndexedType(type, llvm::ArrayRef(indices)))
    return reader.malformed(inst, "the indices do not fit the type that the base points to");
  auto flags = inbounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none();
  return llvm::ConstantExpr::getGetElementPtr(type, base, indices, flags);
}

Result<llvm::Constant*> fold_select(ModuleReader& reader, const Inst& inst) {
  if (inst.count() < 7)
    return reader.malformed(inst, "too few operands");
  KILN_ASSIGN(llvm::Constant * condition, reader.constant(inst, inst[4]));
  KILN_ASSIGN(llvm::Constant * yes, reader.constant(inst, inst[5]));
  KILN_ASSIGN(llvm::Constant * no, reader.constant(inst, inst[6]));
  if (llvm::SelectInst::areInvalidOperands(condition, yes, no))
    return reader.malformed(inst, "operands that do not go together");
  return must_fold(reader, inst, llvm::ConstantFoldSelectInstruction(condition, yes, no));
}

Result<llvm::Constant*> fold_extract(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Constant * value, reader.constant(inst, inst[4]));
  for (uint32_t index : inst.from(5)) {
    value = value->getAggregateElement(index);
    if (!value)
      return reader.malformed(inst, "an index beyond the composite");
  }
  return value;
}

Result<llvm::Constant*> fold_negation(ModuleReader& reader, const Inst& inst, bool logical_or_bits) {
  KILN_ASSIGN(llvm::Constant * value, reader.constant(inst, inst[4]));
  if (!value->getType()->isIntOrIntVectorTy())
    return reader.malformed(inst, "the operand is not an integer");
  return logical_or_bits ? llvm::ConstantExpr::getNot(value) : llvm::ConstantExpr::getNeg(value);
}

} // namespace

Result<llvm::Constant*> fold_constant(ModuleReader& reader, const Inst& inst) {
  if (inst.count() < 5)
    return reader.malformed(inst, "too few operands");
  const auto op = spv::Op(inst[3]);
  switch (op) {
  case spv::Op::OpAccessChain:
    return fold_access_chain(reader, inst, false, false);
  case spv::Op::OpInBoundsAccessChain:
    return fold_access_chain(reader, inst, false, true);
  case spv::Op::OpPtrAccessChain:
    return fold_access_chain(reader, inst, true, false);
  case spv::Op::OpInBoundsPtrAccessChain:
    return fold_access_chain(reader, inst, true, true);
  case spv::Op::OpPtrCastToGeneric:
  case spv::Op::OpGenericCastToPtr:
    return fold_cast(reader, inst, llvm::Instruction::BitCast);
  case spv::Op::OpSelect:
    return fold_select(reader, inst);
  case spv::Op::OpCompositeExtract:
    return fold_extract(reader, inst);
  case spv::Op::OpNot:
  case spv::Op::OpLogicalNot:
    return fold_negation(reader, inst, true);
  case spv::Op::OpSNegate:
    return fold_negation(reader, inst, false);
  default:
    break;
  }
  if (auto* row = from_spirv(cast_ops, op))
    return fold_cast(reader, inst, row->llvm);
  if (auto* row = from_spirv(binary_ops, op))
    return fold_binary(reader, inst, row->llvm);
  if (auto* row = from_spirv(bool_binary_ops, op))
    return fold_binary(reader, inst, row->llvm);
  if (auto* row = from_spirv(compare_ops, op))
    return fold_compare(reader, inst, row->llvm);
  if (auto* row = from_spirv(bool_compare_ops, op))
    return fold_compare(reader, inst, row->llvm);
  if (auto* row = from_spirv(pointer_compare_ops, op))
    return fold_compare(reader, inst, row->llvm);
  return reader.unsupported(inst, "opcode " + std::to_string(inst[3]) + " on constants");
}

} // namespace kiln::translate::reading
