// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions (SPIR-V specification 3.42.11). Several SPIR-V conversions are one of two LLVM casts by the widths at
// hand; a change between pointee types only is no instruction at all.
#include "translate/read_body.h"

namespace kiln::translate::reading {
namespace {

using Cast = llvm::Instruction::CastOps;

Result<void> build_cast(FunctionReader& f, const Inst& inst, llvm::Value* operand, unsigned opcode, llvm::Type* type) {
  if (!llvm::CastInst::castIsValid(Cast(opcode), operand->getType(), type))
    return f.malformed(inst, "the operand's type cannot be converted to the result type");
  auto* cast = f.insert(llvm::CastInst::Create(Cast(opcode), operand, type));
  f.decorate(inst, cast);
  return f.define(inst, cast);
}

// Conversions with a rounding mode or saturation other than LLVM's own would give other numbers.
Result<void> check_rounding(FunctionReader& f, const Inst& inst, uint32_t own) {
  const Def& def = *f.module.find(inst[2]);
  if (!def.decorations)
    return {};
  auto mode = f.module.decoration(def, spv::Decoration::FPRoundingMode);
  if (mode && !mode->empty() && (*mode)[0] != own)
    return f.unsupported(inst, "rounding mode " + std::to_string((*mode)[0]));
  if (f.module.decoration(def, spv::Decoration::SaturatedConversion))
    return f.unsupported(inst, "a saturated conversion");
  return {};
}

Result<void> convert(FunctionReader& f, const Inst& inst, uint32_t opcode) {
  constexpr uint32_t to_nearest = 0, to_zero = 1;
  KILN_TRY(check_rounding(
      f, inst, inst.op() == spv::Op::OpConvertFToU || inst.op() == spv::Op::OpConvertFToS ? to_zero : to_nearest));
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  return build_cast(f, inst, operand, opcode, type);
}

// OpUConvert, OpSConvert, OpFConvert: narrower or wider.
Result<void> resize(FunctionReader& f, const Inst& inst, uint32_t wider) {
  KILN_TRY(check_rounding(f, inst, 0));
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  if (operand->getType() == type)
    return f.define_same(inst, operand);
  const bool widens = operand->getType()->getScalarSizeInBits() < type->getScalarSizeInBits();
  unsigned narrower = wider == llvm::Instruction::FPExt ? llvm::Instruction::FPTrunc : llvm::Instruction::Trunc;
  return build_cast(f, inst, operand, widens ? wider : narrower, type);
}

// OpConvertPtrToU, OpConvertUToPtr, OpBitcast and the casts to and from generic.
Result<void> bitcast(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  llvm::Type* from = operand->getType();
  if (from == type && (from->isPtrOrPtrVectorTy() || !f.module.kiln_module))
    return f.define_same(inst, operand);
  unsigned opcode = llvm::Instruction::BitCast;
  if (from->isPtrOrPtrVectorTy() && type->isPtrOrPtrVectorTy())
    opcode = llvm::Instruction::AddrSpaceCast;
  else if (from->isPointerTy() && type->isIntegerTy())
    opcode = llvm::Instruction::PtrToInt;
  else if (from->isIntegerTy() && type->isPointerTy())
    opcode = llvm::Instruction::IntToPtr;
  return build_cast(f, inst, operand, opcode, type);
}

Result<void> pointer_cast(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  if (!operand->getType()->isPtrOrPtrVectorTy())
    return f.malformed(inst, "the operand is not a pointer");
  return bitcast(f, inst, 0);
}

#define ROW(op, handler, extra) {spv::Op::op, #op, 4, Layout::typed, Phase::block, nullptr, handler, extra}
constexpr Row rows[] = {
    ROW(OpConvertFToU, convert, llvm::Instruction::FPToUI),
    ROW(OpConvertFToS, convert, llvm::Instruction::FPToSI),
    ROW(OpConvertUToF, convert, llvm::Instruction::UIToFP),
    ROW(OpConvertSToF, convert, llvm::Instruction::SIToFP),
    ROW(OpUConvert, resize, llvm::Instruction::ZExt),
    ROW(OpSConvert, resize, llvm::Instruction::SExt),
    ROW(OpFConvert, resize, llvm::Instruction::FPExt),
    ROW(OpConvertPtrToU, convert, llvm::Instruction::PtrToInt),
    ROW(OpConvertUToPtr, convert, llvm::Instruction::IntToPtr),
    ROW(OpBitcast, bitcast, 0),
    ROW(OpPtrCastToGeneric, pointer_cast, 0),
    ROW(OpGenericCastToPtr, pointer_cast, 0),
};

} // namespace

Rows conversion_rows() {
  return rows;
}

} // namespace kiln::translate::reading
