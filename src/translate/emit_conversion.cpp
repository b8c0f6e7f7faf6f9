// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions (specification 3.49.11).
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spv::Op;

void FunctionEmitter::conversion(const Instruction& instruction) {
  auto& cast = llvm::cast<CastInst>(instruction);
  bool from_bool = cast.getSrcTy()->getScalarType()->isIntegerTy(1);
  bool to_bool = cast.getDestTy()->getScalarType()->isIntegerTy(1);
  switch (cast.getOpcode()) {
  case Instruction::BitCast:
    if (from_bool && to_bool) // between i1 and <1 x i1>
      return cast.getDestTy()->isVectorTy() ? op(Op::OpCompositeConstruct, cast, operands(cast))
                                            : op(Op::OpCompositeExtract, cast, {operand(cast, 0), 0});
    if (from_bool && !to_bool)
      return bool_vector_to_integer(cast);
    if (to_bool && !from_bool)
      return integer_to_bool_vector(cast);
    break;
  case Instruction::PtrToAddr:
    return op(Op::OpConvertPtrToU, cast, operands(cast));
  case Instruction::Trunc:
  case Instruction::FPToUI:
  case Instruction::FPToSI:
    if (to_bool)
      return number_to_bool(cast);
    break;
  default:
    if (from_bool)
      return bool_to_number(cast);
    break;
  }
  // An integer becomes a pointer to whatever its first use wants; a pointer that was bitcast to itself is stripped.
  op(to_spirv(cast_ops, unsigned(cast.getOpcode())), cast, operands(cast));
  uint32_t bits = 0;
  if (auto* trunc = dyn_cast<TruncInst>(&cast))
    bits |=
        (trunc->hasNoUnsignedWrap() ? uint32_t(flag::nuw) : 0) | (trunc->hasNoSignedWrap() ? uint32_t(flag::nsw) : 0);
  if (auto* positive = dyn_cast<PossiblyNonNegInst>(&cast); positive && positive->hasNonNeg())
    bits |= flag::nneg;
  flags(id(&cast), bits);
  fast_math(cast);
}

// SPIR-V converts between Generic and the spaces it covers. Constant memory and code are outside of it: a bitcast.
void FunctionEmitter::address_space_cast(const Instruction& instruction) {
  unsigned from = instruction.getOperand(0)->getType()->getPointerAddressSpace();
  unsigned to = instruction.getType()->getPointerAddressSpace();
  Op opcode = from == 2 || to == 2 ? Op::OpBitcast
              : to == 4            ? Op::OpPtrCastToGeneric
              : from == 4          ? Op::OpGenericCastToPtr
                                   : Op::OpBitcast;
  op(opcode, instruction, operands(instruction));
}

} // namespace kiln::translate
