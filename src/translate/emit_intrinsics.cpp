// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics with an equal in SPIR-V or OpenCL.std. All others are calls of imported functions that bear their names.
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spv::Op;

StringRef predicate_name(const Value* value) {
  auto* call = dyn_cast<CallInst>(value);
  auto* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration() || !callee->arg_empty() || !callee->getReturnType()->isIntegerTy(1))
    return {};
  StringRef name = callee->getName();
  return name.consume_front(predicate_prefix) ? name : StringRef();
}

bool is_dropped_call(const Instruction& instruction) {
  if (isa<DbgInfoIntrinsic>(instruction))
    return true;
  if (auto* assume = dyn_cast<AssumeInst>(&instruction))
    return assume->hasOperandBundles(); // only a hint, and SPIR-V has no form for bundles
  auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isLifetimeStartOrEnd() && isa<Constant>(intrinsic->getArgOperand(0));
}

namespace {

// OpenCL.std is defined for these; its vectors have 2, 3, 4, 8 or 16 lanes.
bool is_opencl_type(const Type* type) {
  if (auto* vector = dyn_cast<FixedVectorType>(type)) {
    unsigned lanes = vector->getNumElements();
    if (lanes < 2 || (lanes > 4 && lanes != 8 && lanes != 16))
      return false;
    type = vector->getElementType();
  }
  return type->isHalfTy() || type->isFloatTy() || type->isDoubleTy() || type->isIntegerTy(8) || type->isIntegerTy(16) ||
         type->isIntegerTy(32) || type->isIntegerTy(64);
}

} // namespace

bool FunctionEmitter::math(const IntrinsicInst& call) {
  for (const MathRow& row : math_ops) {
    if (row.llvm != call.getIntrinsicID())
      continue;
    std::vector<uint32_t> words{m_.opencl_set(), row.opencl};
    call_attributes(call);
    for (unsigned i = 0; i < row.operands; ++i)
      words.push_back(operand(call, i));
    op(Op::OpExtInst, call, words);
    if (row.poison_flag && cast<ConstantInt>(call.getArgOperand(row.operands))->isOne())
      flags(id(&call), flag::poison_case);
    fast_math(call);
    return true;
  }
  return false;
}

// False: a call of an imported function will do.
bool FunctionEmitter::intrinsic(const IntrinsicInst& call) {
  Intrinsic::ID known = call.getIntrinsicID();
  Type* type = call.getType();
  if (is_opencl_type(type) && math(call))
    return true;
  switch (known) {
  case Intrinsic::fshl:
    if (call.getArgOperand(0) != call.getArgOperand(1) || !is_opencl_type(type))
      return false;
    call_attributes(call);
    op(Op::OpExtInst, call,
       {m_.opencl_set(), uint32_t(OpenCLLIB::Entrypoints::Rotate), operand(call, 0), operand(call, 2)});
    return true;
  case Intrinsic::bitreverse:
    if (!is_opencl_type(type))
      return false;
    m_.capability(spv::Capability::BitInstructions, "SPV_KHR_bit_instructions");
    call_attributes(call);
    op(Op::OpBitReverse, call, {operand(call, 0)});
    return true;
  case Intrinsic::memcpy:
    if (!is_sized_copy(call))
      return false;
    memory_copy(cast<MemCpyInst>(call));
    return true;
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    call_attributes(call);
    out_.add(known == Intrinsic::lifetime_start ? Op::OpLifetimeStart : Op::OpLifetimeStop, {operand(call, 0), 0});
    return true;
  case Intrinsic::assume:
    m_.capability(spv::Capability::ExpectAssumeKHR, "SPV_KHR_expect_assume");
    call_attributes(call);
    out_.add(Op::OpAssumeTrueKHR, {operand(call, 0)});
    return true;
  case Intrinsic::expect:
    m_.capability(spv::Capability::ExpectAssumeKHR, "SPV_KHR_expect_assume");
    call_attributes(call);
    op(Op::OpExpectKHR, call, {operand(call, 0), operand(call, 1)});
    return true;
  default:
    return false;
  }
}

} // namespace kiln::translate
