// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, bits and comparisons (specification 3.49.13 to 3.49.15) and the flags that go with them.
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spv::Op;

namespace {

bool is_bool(const Type* type) {
  return type->getScalarType()->isIntegerTy(1);
}

} // namespace

void FunctionEmitter::binary(const Instruction& instruction) {
  if (is_bool(instruction.getType()))
    return bool_binary(instruction);
  op(to_spirv(binary_ops, instruction.getOpcode()), instruction, operands(instruction));
  wrap_flags(instruction);
  fast_math(instruction);
}

void FunctionEmitter::negate(const Instruction& instruction) {
  op(Op::OpFNegate, instruction, operands(instruction));
  fast_math(instruction);
}

void FunctionEmitter::compare(const Instruction& instruction) {
  auto& compare = cast<CmpInst>(instruction);
  auto predicate = compare.getPredicate();
  if (auto* integers = dyn_cast<ICmpInst>(&compare)) {
    Type* type = compare.getOperand(0)->getType();
    if (is_bool(type))
      return bool_compare(*integers);
    if (is_pointer(type)) {
      Op opcode = to_spirv(pointer_compare_ops, predicate);
      if (opcode != Op::OpNop && !type->isVectorTy())
        return op(opcode, compare, operands(compare));
      Type* integer = m_.data_layout().getIntPtrType(type);
      Id left = op(Op::OpConvertPtrToU, integer, {operand(compare, 0)});
      Id right = op(Op::OpConvertPtrToU, integer, {operand(compare, 1)});
      return op(to_spirv(compare_ops, predicate), compare, {left, right});
    }
    if (integers->hasSameSign())
      flags(id(&compare), flag::samesign);
  }
  op(to_spirv(compare_ops, predicate), compare, operands(compare));
  fast_math(instruction);
}

void FunctionEmitter::wrap_flags(const Instruction& instruction) {
  if (auto* wrap = dyn_cast<OverflowingBinaryOperator>(&instruction)) {
    if (wrap->hasNoSignedWrap())
      m_.decorate(id(&instruction), spv::Decoration::NoSignedWrap);
    if (wrap->hasNoUnsignedWrap())
      m_.decorate(id(&instruction), spv::Decoration::NoUnsignedWrap);
  }
  uint32_t bits = 0;
  if (auto* exact = dyn_cast<PossiblyExactOperator>(&instruction); exact && exact->isExact())
    bits |= flag::exact;
  if (auto* disjoint = dyn_cast<PossiblyDisjointInst>(&instruction); disjoint && disjoint->isDisjoint())
    bits |= flag::disjoint;
  flags(id(&instruction), bits);
}

namespace {

struct FastMathRow {
  bool (FastMathFlags::*has)() const;
  uint32_t mode; // FPFastMathMode bit
  uint32_t flag; // Kiln Flags bit
};
constexpr FastMathRow fast_math_rows[] = {
    {&FastMathFlags::noNaNs, 1, flag::nnan},
    {&FastMathFlags::noInfs, 2, flag::ninf},
    {&FastMathFlags::noSignedZeros, 4, flag::nsz},
    {&FastMathFlags::allowReciprocal, 8, flag::arcp},
    {&FastMathFlags::allowContract, 0x10000, flag::contract},
    {&FastMathFlags::allowReassoc, 0x20000, flag::reassoc},
};

} // namespace

void FunctionEmitter::fast_math(const Instruction& instruction, bool as_decoration) {
  if (!isa<FPMathOperator>(instruction))
    return;
  FastMathFlags has = instruction.getFastMathFlags();
  uint32_t mode = 0, bits = has.approxFunc() ? uint32_t(flag::afn) : 0;
  for (const auto& row : fast_math_rows)
    if ((has.*row.has)()) {
      if (as_decoration)
        mode |= row.mode;
      else
        bits |= row.flag;
    }
  if (mode >= 0x10000)
    m_.capability(spv::Capability::FPFastMathModeINTEL, "SPV_INTEL_fp_fast_math_mode");
  if (mode)
    m_.decorate(id(&instruction), spv::Decoration::FPFastMathMode, {mode});
  flags(id(&instruction), bits);
}

} // namespace kiln::translate
