// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations. Where AMD's instruction is an approximation (rcp, rsq) the result here is the correctly
// rounded one: inside AMD's own bound, so the device library keeps its error bounds.
#include "passes/amdgcn_intrinsics_lowering.h"

#include <llvm/IR/Intrinsics.h>

namespace kiln::passes {
using namespace llvm;

// The class mask of V_CMP_CLASS has the bits of llvm.is.fpclass in the same order.
Value* classify(Lowering& l) {
  auto test = [&](unsigned mask) {
    return l.b.CreateIntrinsic(Intrinsic::is_fpclass, {l.arg(0)->getType()}, {l.arg(0), l.i32(mask)});
  };
  if (auto* mask = dyn_cast<ConstantInt>(l.arg(1)))
    return test(mask->getZExtValue() & 0x3ff);
  Value* result = l.b.getFalse();
  for (unsigned bit = 0; bit < 10; ++bit) {
    Value* wanted = l.b.CreateTrunc(l.b.CreateLShr(l.arg(1), bit), l.b.getInt1Ty());
    result = l.b.CreateOr(result, l.b.CreateAnd(wanted, test(1u << bit)));
  }
  return result;
}

Value* reciprocal(Lowering& l) {
  return l.b.CreateFDiv(ConstantFP::get(l.type(), 1.0), l.arg(0));
}

Value* rsqrt(Lowering& l) {
  Value* result = l.b.CreateFDiv(ConstantFP::get(l.type(), 1.0), l.unary(Intrinsic::sqrt, l.arg(0)));
  if (l.variant == 0)
    return result;
  const fltSemantics& semantics = l.type()->getFltSemantics(); // clamp: infinities become the largest finite number
  Value* high = ConstantFP::get(l.type(), APFloat::getLargest(semantics));
  Value* low = ConstantFP::get(l.type(), APFloat::getLargest(semantics, true));
  return l.binary(Intrinsic::maxnum, l.binary(Intrinsic::minnum, result, high), low);
}

Value* unary_float(Lowering& l) {
  return l.unary(Intrinsic::ID(l.variant), l.arg(0));
}

// These went to the device library before it was linked (math_library.inc).
Value* in_math_library(Lowering& l) {
  l.problem = "on a type that the device library does not serve";
  return nullptr;
}

// x - floor(x), always below 1; NaN for NaN and infinities.
Value* fraction(Lowering& l) {
  Value* part = l.b.CreateFSub(l.arg(0), l.unary(Intrinsic::floor, l.arg(0)));
  APFloat below_one(l.type()->getFltSemantics(), 1);
  below_one.next(true);
  Value* limit = ConstantFP::get(l.type(), below_one);
  return l.b.CreateSelect(l.b.CreateFCmpOGT(part, limit), limit, part);
}

// Variant 0: the mantissa in [0.5, 1), infinities and NaN as they are. 1: the exponent, 0 for infinities and NaN.
Value* frexp_part(Lowering& l) {
  Value* x = l.arg(0);
  Type* exponent_type = l.variant ? l.type() : l.b.getInt32Ty();
  Type* wide = exponent_type->isIntegerTy(32) ? exponent_type : l.b.getInt32Ty();
  Value* parts = l.b.CreateIntrinsic(Intrinsic::frexp, {x->getType(), wide}, {x});
  Value* finite = l.b.CreateFCmpONE(l.unary(Intrinsic::fabs, x), ConstantFP::getInfinity(x->getType()));
  if (l.variant == 0)
    return l.b.CreateSelect(finite, l.b.CreateExtractValue(parts, 0), x);
  Value* exponent = l.b.CreateSelect(finite, l.b.CreateExtractValue(parts, 1), ConstantInt::get(wide, 0));
  return l.b.CreateZExtOrTrunc(exponent, l.type());
}

Value* load_exponent(Lowering& l) {
  return l.b.CreateIntrinsic(Intrinsic::ldexp, {l.type(), l.arg(1)->getType()}, {l.arg(0), l.arg(1)});
}

// V_TRIG_PREOP_F64: 53 bits of 2/pi, from bit 53 * segment on, further right for large exponents of x; scaled to their
// weight. The hardware holds 1201 bits; what lies beyond reads as 0.
Value* trig_preop(Lowering& l) {
  static constexpr uint64_t two_over_pi[] = {
      0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
      0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
      0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000};
  Module& module = *l.call.getModule();
  auto* i64 = l.b.getInt64Ty();
  GlobalVariable* table = module.getGlobalVariable("kiln.two_over_pi", true);
  if (!table) {
    SmallVector<uint64_t, 48> words(std::begin(two_over_pi), std::end(two_over_pi));
    words.resize((53 * 31 + 970) / 64 + 2);
    Constant* value = ConstantDataArray::get(module.getContext(), words);
    table = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value, "kiln.two_over_pi");
    table->setAlignment(Align(8));
  }
  Value* exponent = l.b.CreateAnd(l.b.CreateLShr(l.b.CreateBitCast(l.arg(0), i64), 52), 0x7ff);
  Value* segment = l.b.CreateZExt(l.b.CreateAnd(l.arg(1), 31), i64);
  Value* beyond = l.binary(Intrinsic::usub_sat, exponent, l.b.getInt64(1077));
  Value* shift = l.b.CreateAdd(l.b.CreateMul(segment, l.b.getInt64(53)), beyond);
  Value* word = l.b.CreateLShr(shift, 6);
  auto load = [&](Value* index) { return l.b.CreateLoad(i64, l.b.CreateInBoundsGEP(i64, table, index)); };
  Value* bits = l.b.CreateIntrinsic(Intrinsic::fshl, {i64},
                                    {load(word), load(l.b.CreateAdd(word, l.b.getInt64(1))), l.b.CreateAnd(shift, 63)});
  Value* number = l.b.CreateUIToFP(l.b.CreateLShr(bits, 11), l.type());
  Value* large = l.b.CreateICmpUGE(exponent, l.b.getInt64(1968));
  Value* scale = l.b.CreateSub(l.b.CreateSelect(large, l.b.getInt64(128 - 53), l.b.getInt64(-53)), shift);
  return l.b.CreateIntrinsic(Intrinsic::ldexp, {l.type(), l.b.getInt32Ty()},
                             {number, l.b.CreateTrunc(scale, l.b.getInt32Ty())});
}

// The division sequence scale, iterate, fmas, fixup exists because AMD has no divide instruction. Here nothing is
// scaled and fixup, which is given numerator and denominator, divides: the correctly rounded result that the sequence
// aims at.
Value* div_scale(Lowering& l) {
  Value* operand = l.immediate(2) ? l.arg(0) : l.arg(1);
  Value* result = l.b.CreateInsertValue(PoisonValue::get(l.type()), operand, 0);
  return l.b.CreateInsertValue(result, l.b.getFalse(), 1);
}
Value* div_fmas(Lowering& l) {
  return l.b.CreateIntrinsic(Intrinsic::fma, {l.type()}, {l.arg(0), l.arg(1), l.arg(2)});
}
Value* div_fixup(Lowering& l) {
  return l.b.CreateFDiv(l.arg(2), l.arg(1));
}
Value* fdiv_fast(Lowering& l) {
  return l.b.CreateFDiv(l.arg(0), l.arg(1));
}

// 0 times anything is 0, even infinity and NaN. Variant 1 adds a third operand.
Value* legacy_product(Lowering& l) {
  Value* zero = ConstantFP::get(l.type(), 0.0);
  Value* is_zero = l.b.CreateOr(l.b.CreateFCmpOEQ(l.arg(0), zero), l.b.CreateFCmpOEQ(l.arg(1), zero));
  if (l.variant == 0)
    return l.b.CreateSelect(is_zero, zero, l.b.CreateFMul(l.arg(0), l.arg(1)));
  Value* fused = l.b.CreateIntrinsic(Intrinsic::fma, {l.type()}, {l.arg(0), l.arg(1), l.arg(2)});
  return l.b.CreateSelect(is_zero, l.b.CreateFAdd(zero, l.arg(2)), fused);
}

// The middle of three; the smallest of the others if one is NaN.
Value* median(Lowering& l) {
  Value *x = l.arg(0), *y = l.arg(1), *z = l.arg(2);
  auto low = [&](Value* a, Value* b) { return l.binary(Intrinsic::minnum, a, b); };
  auto high = [&](Value* a, Value* b) { return l.binary(Intrinsic::maxnum, a, b); };
  Value* nan = l.b.CreateOr(l.b.CreateFCmpUNO(x, y), l.b.CreateFCmpUNO(z, z));
  return l.b.CreateSelect(nan, low(low(x, y), z), high(low(x, y), low(high(x, y), z)));
}

// a.x * b.x + a.y * b.y + c in 32 bits, fused, optionally clamped to [0, 1].
Value* float_dot(Lowering& l) {
  Value* sum = l.arg(2);
  for (int i : {1, 0}) {
    auto element = [&](Value* v) { return l.b.CreateFPExt(l.b.CreateExtractElement(v, uint64_t(i)), l.type()); };
    sum = l.b.CreateIntrinsic(Intrinsic::fma, {l.type()}, {element(l.arg(0)), element(l.arg(1)), sum});
  }
  bool clamped = l.call.arg_size() > 3 && l.immediate(3);
  return clamped ? l.clamp(sum, 0, 1) : sum;
}

} // namespace kiln::passes
