// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions that pack two or more narrow numbers.
#include "passes/amdgcn_intrinsics_lowering.h"

namespace kiln::passes {
using namespace llvm;

namespace {
Value* pair(Lowering& l, Value* low, Value* high) {
  Value* result = l.b.CreateInsertElement(PoisonValue::get(l.type()), low, uint64_t(0));
  return l.b.CreateInsertElement(result, high, uint64_t(1));
}
// To half, rounding toward zero: one step back from the nearest where that is further from zero than x.
Value* to_half_rtz(Lowering& l, Value* x) {
  Value* nearest = l.b.CreateFPTrunc(x, l.b.getHalfTy());
  Value* back = l.b.CreateFPExt(nearest, x->getType());
  Value* beyond = l.b.CreateFCmpOGT(l.unary(Intrinsic::fabs, back), l.unary(Intrinsic::fabs, x));
  Value* bits = l.b.CreateBitCast(nearest, l.b.getInt16Ty());
  bits = l.b.CreateSub(bits, l.b.CreateZExt(beyond, l.b.getInt16Ty()));
  return l.b.CreateBitCast(bits, l.b.getHalfTy());
}
} // namespace

Value* pack_rtz(Lowering& l) {
  return pair(l, to_half_rtz(l, l.arg(0)), to_half_rtz(l, l.arg(1)));
}

// [-1, 1] to 16-bit signed, or (variant 1) [0, 1] to unsigned; NaN is 0.
Value* pack_norm(Lowering& l) {
  auto convert = [&](Value* x) -> Value* {
    Value* clamped = l.clamp(x, l.variant ? 0 : -1, 1);
    clamped = l.b.CreateSelect(l.b.CreateFCmpUNO(x, x), ConstantFP::get(x->getType(), 0), clamped);
    Value* scaled =
        l.unary(Intrinsic::rint, l.b.CreateFMul(clamped, ConstantFP::get(x->getType(), l.variant ? 65535 : 32767)));
    return l.b.CreateTrunc(l.b.CreateFPToSI(scaled, l.b.getInt32Ty()), l.b.getInt16Ty());
  };
  return pair(l, convert(l.arg(0)), convert(l.arg(1)));
}

// Saturating 32 to 16 bits, signed or (variant 1) unsigned.
Value* pack_int(Lowering& l) {
  auto convert = [&](Value* x) -> Value* {
    x = l.variant ? l.binary(Intrinsic::umin, x, l.i32(65535))
                  : l.binary(Intrinsic::smin, l.binary(Intrinsic::smax, x, l.i32(-32768)), l.i32(32767));
    return l.b.CreateTrunc(x, l.b.getInt16Ty());
  };
  return pair(l, convert(l.arg(0)), convert(l.arg(1)));
}

// A float as a byte, rounded to nearest even and saturated, put in place `arg 1` of the word `arg 2`.
Value* pack_u8(Lowering& l) {
  Value* x = l.arg(0);
  Value* clamped = l.clamp(x, 0, 255);
  clamped = l.b.CreateSelect(l.b.CreateFCmpUNO(x, x), ConstantFP::get(x->getType(), 0), clamped);
  Value* byte = l.b.CreateFPToUI(l.unary(Intrinsic::rint, clamped), l.b.getInt32Ty());
  Value* shift = l.b.CreateShl(l.b.CreateAnd(l.arg(1), 3), 3);
  Value* keep = l.b.CreateNot(l.b.CreateShl(l.i32(0xff), shift));
  return l.b.CreateOr(l.b.CreateAnd(l.arg(2), keep), l.b.CreateShl(byte, shift));
}

// A signed 4-bit number as sixteenths.
Value* off_i4(Lowering& l) {
  Value* number = l.b.CreateAShr(l.b.CreateShl(l.arg(0), 28), 28);
  return l.b.CreateFMul(l.b.CreateSIToFP(number, l.type()), ConstantFP::get(l.type(), 0.0625));
}

} // namespace kiln::passes
