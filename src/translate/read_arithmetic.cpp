// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and bit instructions (SPIR-V specification 3.42.13, 3.42.14), mostly straight from op_table.inc.
#include "translate/read_body.h"

#include <llvm/IR/Operator.h>

namespace kiln::translate::reading {

bool is_floating(unsigned opcode) {
  return opcode == llvm::Instruction::FAdd || opcode == llvm::Instruction::FSub || opcode == llvm::Instruction::FMul ||
         opcode == llvm::Instruction::FDiv || opcode == llvm::Instruction::FRem;
}

namespace {

Result<void> build_binary(FunctionReader& f, const Inst& inst, unsigned opcode, llvm::Value* left, llvm::Value* right) {
  llvm::Type* type = left->getType();
  if (is_floating(opcode) ? !type->isFPOrFPVectorTy() : !type->isIntOrIntVectorTy())
    return f.malformed(inst, "operands of a type that it does not take");
  auto* result = f.insert(llvm::BinaryOperator::Create(llvm::Instruction::BinaryOps(opcode), left, right));
  f.decorate(inst, result);
  return f.define(inst, result);
}

Result<void> binary(FunctionReader& f, const Inst& inst, uint32_t opcode) {
  KILN_ASSIGN(auto pair, f.operands(inst, inst[3], inst[4]));
  return build_binary(f, inst, opcode, pair.left, pair.right);
}

// SPIR-V lets the shift amount have another width than what is shifted.
Result<void> shift(FunctionReader& f, const Inst& inst, uint32_t opcode) {
  KILN_ASSIGN(llvm::Value * base, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Value * amount, f.value(inst, inst[4]));
  if (amount->getType() != base->getType()) {
    unsigned from = amount->getType()->getScalarSizeInBits(), to = base->getType()->getScalarSizeInBits();
    auto cast = from > to ? llvm::Instruction::Trunc : llvm::Instruction::ZExt;
    if (!llvm::CastInst::castIsValid(cast, amount->getType(), base->getType()))
      return f.malformed(inst, "operands that do not go together");
    amount = f.insert(llvm::CastInst::Create(cast, amount, base->getType()));
  }
  return build_binary(f, inst, opcode, base, amount);
}

Result<void> negate(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  if (!operand->getType()->isFPOrFPVectorTy())
    return f.malformed(inst, "the operand is not a floating-point number");
  auto* result = f.insert(llvm::UnaryOperator::Create(llvm::Instruction::FNeg, operand));
  f.decorate(inst, result);
  return f.define(inst, result);
}

Result<void> integer_negate(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  return build_binary(f, inst, llvm::Instruction::Sub, llvm::Constant::getNullValue(operand->getType()), operand);
}

Result<void> invert(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  if (!operand->getType()->isIntOrIntVectorTy())
    return f.malformed(inst, "the operand is not an integer");
  return build_binary(f, inst, llvm::Instruction::Xor, operand, llvm::Constant::getAllOnesValue(operand->getType()));
}

Result<void> bit_intrinsic(FunctionReader& f, const Inst& inst, uint32_t id) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  if (!operand->getType()->isIntOrIntVectorTy())
    return f.malformed(inst, "the operand is not an integer");
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, id, {operand->getType()}));
  return f.define(inst, f.call_intrinsic(callee, {operand}));
}

std::vector<Row> make_rows() {
  std::vector<Row> rows = {
#define KILN_BINARY(llvm_op, spirv_op)                                                                                 \
  {spv::Op::spirv_op, #spirv_op, 5, Layout::typed, Phase::block, nullptr, binary, llvm::Instruction::llvm_op},
#define KILN_BOOL_BINARY(llvm_op, spirv_op) KILN_BINARY(llvm_op, spirv_op)
#include "translate/op_table.inc"
      {spv::Op::OpFNegate, "OpFNegate", 4, Layout::typed, Phase::block, nullptr, negate},
      {spv::Op::OpSNegate, "OpSNegate", 4, Layout::typed, Phase::block, nullptr, integer_negate},
      {spv::Op::OpNot, "OpNot", 4, Layout::typed, Phase::block, nullptr, invert},
      {spv::Op::OpLogicalNot, "OpLogicalNot", 4, Layout::typed, Phase::block, nullptr, invert},
      {spv::Op::OpBitReverse, "OpBitReverse", 4, Layout::typed, Phase::block, nullptr, bit_intrinsic,
       llvm::Intrinsic::bitreverse},
      {spv::Op::OpBitCount, "OpBitCount", 4, Layout::typed, Phase::block, nullptr, bit_intrinsic,
       llvm::Intrinsic::ctpop},
  };
  for (Row& row : rows)
    if (row.op == spv::Op::OpShiftLeftLogical || row.op == spv::Op::OpShiftRightLogical ||
        row.op == spv::Op::OpShiftRightArithmetic)
      row.block = shift;
  return rows;
}

} // namespace

Rows arithmetic_rows() {
  static const std::vector<Row> rows = make_rows();
  return rows;
}

void FunctionReader::decorate(const Inst& inst, llvm::Instruction* instruction) {
  const Def& def = *module.find(inst[2]);
  if (!def.decorations)
    return;
  if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) {
    instruction->setHasNoSignedWrap(module.decoration(def, spv::Decoration::NoSignedWrap).has_value());
    instruction->setHasNoUnsignedWrap(module.decoration(def, spv::Decoration::NoUnsignedWrap).has_value());
  }
  auto mode = module.decoration(def, spv::Decoration::FPFastMathMode);
  if (!mode || mode->empty() || !llvm::isa<llvm::FPMathOperator>(instruction))
    return;
  constexpr uint32_t not_nan = 1, not_inf = 2, no_signed_zero = 4, reciprocal = 8, fast = 16, contract = 0x10000,
                     reassociate = 0x20000, transform = 0x40000;
  const uint32_t bits = (*mode)[0];
  llvm::FastMathFlags flags;
  flags.setNoNaNs(bits & not_nan);
  flags.setNoInfs(bits & not_inf);
  flags.setNoSignedZeros(bits & no_signed_zero);
  flags.setAllowReciprocal(bits & reciprocal);
  flags.setAllowContract(bits & contract);
  flags.setAllowReassoc(bits & reassociate);
  flags.setApproxFunc(bits & transform);
  if (bits & fast)
    flags.setFast();
  instruction->setFastMathFlags(flags);
}

} // namespace kiln::translate::reading
