// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/math_library.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

namespace kiln::passes {
using namespace llvm;

namespace {

enum class Shape {
  plain,     // function(arguments...)
  power,     // the second argument is an integer
  turns,     // the argument counts turns: function(2 x), for functions of pi x
  clamped,   // infinities of the result become the largest number
  sin_cos,   // two results
  sin_cospi, // two results, of pi x
  parts,     // modf: fraction and integer
  to_int,    // lround and its like
  quieted,   // canonicalize: a signalling NaN becomes a quiet one (x86 cannot select it for vectors)
};

struct Row {
  Intrinsic::ID id;
  Shape shape;
  const char* function;
  const char* widths[3]; // in MathTarget's order
};
constexpr Row rows[] = {
#define ROW(intrinsic, shape, function, amdgpu, host, nvptx)                                                           \
  {Intrinsic::intrinsic, Shape::shape, function, {amdgpu, host, nvptx}},
#include "passes/math_library.inc"
#undef ROW
};

// NVIDIA's instructions for calls that allow approximations; exp2 is one anyway.
struct Approximation {
  Intrinsic::ID id, instruction;
};
constexpr Approximation nvptx_approximations[] = {
    {Intrinsic::log2, Intrinsic::nvvm_lg2_approx_f},
    {Intrinsic::amdgcn_log, Intrinsic::nvvm_lg2_approx_f},
    {Intrinsic::sin, Intrinsic::nvvm_sin_approx_f},
    {Intrinsic::cos, Intrinsic::nvvm_cos_approx_f},
};

char width_of(const Type* type) {
  return type->isHalfTy() ? 'h' : type->isFloatTy() || type->isBFloatTy() ? 's' : type->isDoubleTy() ? 'd' : '?';
}

// What the call computes on: the first operand's type.
Type* operand_type(const IntrinsicInst& call) {
  return call.arg_size() ? call.getArgOperand(0)->getType() : nullptr;
}

const Row* find_row(const IntrinsicInst& call, MathTarget target) {
  const Type* type = operand_type(call);
  if (!type || !type->isFPOrFPVectorTy() || isa<ScalableVectorType>(type))
    return nullptr;
  char width = width_of(type->getScalarType());
  for (const Row& row : rows)
    if (row.id == call.getIntrinsicID() && StringRef(row.widths[size_t(target)]).contains(width))
      return &row;
  return nullptr;
}

class Expansion {
public:
  Expansion(IntrinsicInst& call, const Row& row, MathTarget target)
      : call_(call), row_(row), target_(target), module_(*call.getModule()), b_(&call) {
    if (isa<FPMathOperator>(call))
      b_.setFastMathFlags(call.getFastMathFlags());
  }

  Value* run() {
    auto* vector = dyn_cast<FixedVectorType>(operand_type(call_));
    if (!vector)
      return scalar(SmallVector<Value*, 3>(call_.args()), call_.getType());
    Value* result = PoisonValue::get(call_.getType());
    for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
      result = insert(result, element(lane), lane);
    return result;
  }

private:
  Value* element(unsigned lane) {
    SmallVector<Value*, 3> arguments;
    for (Value* argument : call_.args())
      arguments.push_back(argument->getType()->isVectorTy() ? b_.CreateExtractElement(argument, lane) : argument);
    Type* type = call_.getType();
    if (auto* pair = dyn_cast<StructType>(type))
      return scalar(arguments, StructType::get(pair->getElementType(0)->getScalarType(),
                                               pair->getElementType(1)->getScalarType()));
    return scalar(arguments, type->getScalarType());
  }

  Value* insert(Value* vector, Value* value, unsigned lane) {
    if (!vector->getType()->isStructTy())
      return b_.CreateInsertElement(vector, value, lane);
    for (unsigned part : {0u, 1u})
      vector = b_.CreateInsertValue(
          vector, b_.CreateInsertElement(b_.CreateExtractValue(vector, part), b_.CreateExtractValue(value, part), lane),
          part);
    return vector;
  }

  Value* pair(Value* first, Value* second) {
    auto* type = StructType::get(first->getType(), second->getType());
    return b_.CreateInsertValue(b_.CreateInsertValue(PoisonValue::get(type), first, 0), second, 1);
  }

  // All of these work on half, float and double; bfloat goes through float.
  Value* scalar(SmallVector<Value*, 3> arguments, Type* result) {
    Type* type = arguments[0]->getType();
    if (!type->isBFloatTy())
      return compute(arguments, result);
    for (Value*& argument : arguments)
      if (argument->getType()->isBFloatTy())
        argument = b_.CreateFPExt(argument, b_.getFloatTy());
    if (result->isIntegerTy())
      return compute(arguments, result);
    Value* wide = compute(arguments, b_.getFloatTy());
    if (!wide->getType()->isStructTy())
      return b_.CreateFPTrunc(wide, type);
    return pair(b_.CreateFPTrunc(b_.CreateExtractValue(wide, 0), type),
                b_.CreateFPTrunc(b_.CreateExtractValue(wide, 1), type));
  }

  Value* compute(ArrayRef<Value*> arguments, Type* result) {
    Value* x = arguments[0];
    Type* type = x->getType();
    switch (row_.shape) {
    case Shape::plain:
      if (Value* fast = approximate(x))
        return fast;
      return call(row_.function, arguments);
    case Shape::power:
      return call(row_.function, {x, b_.CreateSExtOrTrunc(arguments[1], b_.getInt32Ty())});
    case Shape::turns:
      return call(row_.function, {b_.CreateFMul(x, ConstantFP::get(type, 2.0))});
    case Shape::clamped: {
      Value* value = call(row_.function, arguments);
      auto limit = [&](bool negative) {
        return ConstantFP::get(type, APFloat::getLargest(type->getFltSemantics(), negative));
      };
      return b_.CreateMaxNum(b_.CreateMinNum(value, limit(false)), limit(true));
    }
    case Shape::sin_cos:
      return pair(call("__ocml_sin", {x}), call("__ocml_cos", {x}));
    case Shape::sin_cospi:
      return pair(call("__ocml_sinpi", {x}), call("__ocml_cospi", {x}));
    case Shape::parts: {
      Value* whole = b_.CreateUnaryIntrinsic(Intrinsic::trunc, x);
      Value* infinite = b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, x), ConstantFP::getInfinity(type));
      Value* rest = b_.CreateSelect(infinite, ConstantFP::getZero(type), b_.CreateFSub(x, whole));
      return pair(b_.CreateBinaryIntrinsic(Intrinsic::copysign, rest, x), whole);
    }
    case Shape::quieted: {
      unsigned quiet = type->getFPMantissaWidth() - 2; // the highest bit of those that are stored
      Type* word = b_.getIntNTy(type->getPrimitiveSizeInBits());
      Value* bits = b_.CreateOr(b_.CreateBitCast(x, word), ConstantInt::get(word, uint64_t(1) << quiet));
      return b_.CreateSelect(b_.CreateFCmpUNO(x, x), b_.CreateBitCast(bits, type), x);
    }
    case Shape::to_int: {
      bool away = row_.id == Intrinsic::lround || row_.id == Intrinsic::llround;
      return b_.CreateFPToSI(b_.CreateUnaryIntrinsic(away ? Intrinsic::round : Intrinsic::rint, x), result);
    }
    }
    return nullptr;
  }

  Value* approximate(Value* x) {
    if (target_ != MathTarget::nvptx || !x->getType()->isFloatTy() || !b_.getFastMathFlags().approxFunc())
      return nullptr;
    for (const Approximation& one : nvptx_approximations)
      if (one.id == row_.id)
        return b_.CreateIntrinsic(one.instruction, ArrayRef<Type*>{}, {x});
    return nullptr;
  }

  Value* call(const std::string& function, ArrayRef<Value*> arguments) {
    Type* type = arguments[0]->getType();
    SmallVector<Type*, 3> types;
    for (Value* argument : arguments)
      types.push_back(argument->getType());
    std::string name = function + (type->isHalfTy() ? "_f16" : type->isFloatTy() ? "_f32" : "_f64");
    FunctionCallee callee = module_.getOrInsertFunction(name, FunctionType::get(type, types, false));
    CallInst* result = b_.CreateCall(callee, arguments);
    if (auto* known = dyn_cast<Function>(callee.getCallee()))
      result->setCallingConv(known->getCallingConv());
    result->setDoesNotThrow();
    return result;
  }

  IntrinsicInst& call_;
  const Row& row_;
  MathTarget target_;
  Module& module_;
  IRBuilder<> b_;
};

// x * 2^n with one rounding. Far from 0 the power does not fit one factor; the first two are then exact: upwards
// always, and downwards because what they would round is nothing after the last.
Value* expand_ldexp(IRBuilder<>& b, Value* x, Value* n) {
  Type* type = x->getType();
  if (type->getScalarType()->isHalfTy() || type->getScalarType()->isBFloatTy()) {
    // Exact in float, so rounded once, when it becomes narrow again. bfloat has float's range.
    Type* wide = type->getWithNewType(b.getFloatTy());
    return b.CreateFPTrunc(expand_ldexp(b, b.CreateFPExt(x, wide), n), type);
  }
  bool is_double = type->getScalarType()->isDoubleTy();
  int64_t most = is_double ? 1023 : 127, least = 1 - most, mantissa = is_double ? 53 : 24;
  Type* word = n->getType();
  if (word->getScalarSizeInBits() < 32) {
    word = word->getWithNewBitWidth(32);
    n = b.CreateSExt(n, word);
  }
  auto number = [&](int64_t value) { return ConstantInt::getSigned(word, value); };
  auto clamp = [&](Value* value, int64_t low, int64_t high) {
    value = b.CreateBinaryIntrinsic(Intrinsic::smax, value, number(low));
    return b.CreateBinaryIntrinsic(Intrinsic::smin, value, number(high));
  };
  n = clamp(n, 3 * least, 3 * most);
  auto scale = [&](Value* power) {
    Type* bits = type->getWithNewType(b.getIntNTy(is_double ? 64 : 32));
    Value* biased = b.CreateSExtOrTrunc(b.CreateAdd(power, number(most)), bits);
    x = b.CreateFMul(x, b.CreateBitCast(b.CreateShl(biased, uint64_t(mantissa - 1)), type));
  };
  for (int step = 0; step < 2; ++step) {
    Value* high = b.CreateSelect(b.CreateICmpSGT(n, number(most)), number(most), number(0));
    Value* power = b.CreateSelect(b.CreateICmpSLT(n, number(least)), number(least + mantissa), high);
    scale(power);
    n = b.CreateSub(n, power);
  }
  scale(clamp(n, least, most));
  return x;
}

// Mantissa in [1/2, 1) and exponent; 0, infinities and NaN stay as they are, with exponent 0.
Value* expand_frexp(IRBuilder<>& b, Value* x, Type* result) {
  Type* type = x->getType();
  Type* exponent_type = cast<StructType>(result)->getElementType(1);
  auto pair = [&](Value* mantissa, Value* exponent) {
    return b.CreateInsertValue(b.CreateInsertValue(PoisonValue::get(result), mantissa, 0),
                               b.CreateSExtOrTrunc(exponent, exponent_type), 1);
  };
  if (type->getScalarType()->isHalfTy() || type->getScalarType()->isBFloatTy()) {
    Type* wide = type->getWithNewType(b.getFloatTy());
    Value* parts = expand_frexp(b, b.CreateFPExt(x, wide), StructType::get(wide, exponent_type));
    return pair(b.CreateFPTrunc(b.CreateExtractValue(parts, 0), type), b.CreateExtractValue(parts, 1));
  }
  bool is_double = type->getScalarType()->isDoubleTy();
  unsigned mantissa = is_double ? 52 : 23;
  uint64_t bias = is_double ? 1022 : 126, all = is_double ? 0x7ff : 0xff;
  Type* word = type->getWithNewType(b.getIntNTy(is_double ? 64 : 32));
  auto number = [&](uint64_t value) { return ConstantInt::get(word, value); };
  Value* magnitude = b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  Value* denormal = b.CreateFCmpOLT(
      magnitude, ConstantFP::get(type, APFloat::getSmallestNormalized(type->getScalarType()->getFltSemantics())));
  Value* scaled = b.CreateSelect(denormal, b.CreateFMul(x, ConstantFP::get(type, is_double ? 0x1p54 : 0x1p24)), x);
  Value* bits = b.CreateBitCast(scaled, word);
  Value* exponent = b.CreateAnd(b.CreateLShr(bits, mantissa), number(all));
  exponent = b.CreateSub(exponent, number(bias));
  exponent = b.CreateSub(exponent, b.CreateSelect(denormal, number(mantissa + (is_double ? 2 : 1)), number(0)));
  Value* fraction = b.CreateOr(b.CreateAnd(bits, b.CreateNot(number(all << mantissa))), number(bias << mantissa));
  Value* ordinary = b.CreateAnd(b.CreateFCmpONE(magnitude, ConstantFP::getInfinity(type)),
                                b.CreateFCmpONE(magnitude, ConstantFP::getZero(type)));
  return pair(b.CreateSelect(ordinary, b.CreateBitCast(fraction, type), x),
              b.CreateSelect(ordinary, exponent, number(0)));
}

template <class Wanted> SmallVector<IntrinsicInst*, 16> calls_of(Module& module, Wanted wanted) {
  SmallVector<IntrinsicInst*, 16> calls;
  for (Function& function : module)
    if (function.isIntrinsic())
      for (User* user : function.users())
        if (auto* call = dyn_cast<IntrinsicInst>(user); call && call->getCalledFunction() == &function && wanted(*call))
          calls.push_back(call);
  return calls;
}

void replace(IntrinsicInst& call, Value* value) {
  Function* intrinsic = call.getCalledFunction();
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
  if (intrinsic->use_empty())
    intrinsic->eraseFromParent();
}

} // namespace

void call_math_library(Module& module, MathTarget target) {
  auto calls = calls_of(module, [&](const IntrinsicInst& call) { return find_row(call, target) != nullptr; });
  for (IntrinsicInst* call : calls)
    replace(*call, Expansion(*call, *find_row(*call, target), target).run());
  if (target != MathTarget::nvptx)
    return;
  // The remainder instruction: LLVM's expansion for NVIDIA divides, which is wrong for large quotients.
  SmallVector<BinaryOperator*> remainders;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::FRem && width_of(instruction.getType()) != '?')
        remainders.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator* remainder : remainders) {
    IRBuilder<> b(remainder);
    Type* type = remainder->getType();
    Type* wide = type->isBFloatTy() ? b.getFloatTy() : type;
    const char* name = wide->isHalfTy() ? "__ocml_fmod_f16" : wide->isFloatTy() ? "__ocml_fmod_f32" : "__ocml_fmod_f64";
    FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(wide, {wide, wide}, false));
    CallInst* call = b.CreateCall(
        callee, {b.CreateFPCast(remainder->getOperand(0), wide), b.CreateFPCast(remainder->getOperand(1), wide)});
    if (auto* known = dyn_cast<Function>(callee.getCallee()))
      call->setCallingConv(known->getCallingConv());
    remainder->replaceAllUsesWith(b.CreateFPCast(call, type));
    remainder->eraseFromParent();
  }
}

void expand_exponent_intrinsics(Module& module) {
  auto calls = calls_of(module, [](const IntrinsicInst& call) {
    return (call.getIntrinsicID() == Intrinsic::ldexp || call.getIntrinsicID() == Intrinsic::frexp) &&
           width_of(operand_type(call)->getScalarType()) != '?';
  });
  for (IntrinsicInst* call : calls) {
    IRBuilder<> b(call);
    replace(*call, call->getIntrinsicID() == Intrinsic::ldexp
                       ? expand_ldexp(b, call->getArgOperand(0), call->getArgOperand(1))
                       : expand_frexp(b, call->getArgOperand(0), call->getType()));
  }
}

} // namespace kiln::passes
