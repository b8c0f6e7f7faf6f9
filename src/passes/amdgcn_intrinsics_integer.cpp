// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and bit operations, as the "Vector ALU operations" of AMD's ISA documents define them.
#include "passes/amdgcn_intrinsics_lowering.h"

namespace kiln::passes {
using namespace llvm;

namespace {
Value* byte_of(Lowering& l, Value* word, unsigned i) {
  return l.b.CreateAnd(l.b.CreateLShr(word, l.b.getIntN(word->getType()->getIntegerBitWidth(), 8 * i)), 0xff);
}
Value* absolute_difference(Lowering& l, Value* a, Value* b) { // of small unsigned numbers
  return l.binary(Intrinsic::abs, l.b.CreateSub(a, b), l.b.getFalse());
}
// Sum of |a_i - b_i| over the four bytes; `masked`: bytes of b that are 0 do not count.
Value* sad_bytes(Lowering& l, Value* a, Value* b, bool masked) {
  Value* sum = l.i32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *x = byte_of(l, a, i), *y = byte_of(l, b, i), *difference = absolute_difference(l, x, y);
    if (masked)
      difference = l.b.CreateSelect(l.b.CreateICmpEQ(y, l.i32(0)), l.i32(0), difference);
    sum = l.b.CreateAdd(sum, difference);
  }
  return sum;
}
// The exact sum in 64 bits, saturated to 32 if `clamp`, else wrapped.
Value* narrow_sum(Lowering& l, Value* sum, bool clamp, bool is_signed) {
  if (clamp && is_signed)
    sum = l.binary(Intrinsic::smin, l.binary(Intrinsic::smax, sum, l.b.getInt64(INT32_MIN)), l.b.getInt64(INT32_MAX));
  else if (clamp)
    sum = l.binary(Intrinsic::umin, sum, l.b.getInt64(UINT32_MAX));
  return l.b.CreateTrunc(sum, l.b.getInt32Ty());
}
Value* widen(Lowering& l, Value* x, bool is_signed) {
  return is_signed ? l.b.CreateSExt(x, l.b.getInt64Ty()) : l.b.CreateZExt(x, l.b.getInt64Ty());
}
Value* dot_elements(Lowering& l, Value* a, Value* b, Value* c, bool clamp, unsigned bits, bool a_signed,
                    bool b_signed) {
  bool is_signed = a_signed || b_signed;
  Value* sum = widen(l, c, is_signed);
  for (unsigned i = 0; i < 32; i += bits) {
    auto element = [&](Value* word, bool sign) {
      return widen(l, l.b.CreateTrunc(l.b.CreateLShr(word, i), l.b.getIntNTy(bits)), sign);
    };
    sum = l.b.CreateAdd(sum, l.b.CreateMul(element(a, a_signed), element(b, b_signed)));
  }
  return narrow_sum(l, sum, clamp, is_signed);
}
} // namespace

// (x, offset, width): offset modulo 32 (64), width modulo 32 (128); nothing left of the top bit.
Value* bit_field(Lowering& l) {
  Type* type = l.type();
  unsigned bits = type->getIntegerBitWidth();
  auto constant = [&](uint64_t v) { return ConstantInt::get(type, v); };
  Value* offset = l.b.CreateAnd(l.b.CreateZExtOrTrunc(l.arg(1), type), constant(bits - 1));
  Value* width = l.b.CreateAnd(l.b.CreateZExtOrTrunc(l.arg(2), type), constant(bits == 64 ? 127 : 31));
  Value* room = l.b.CreateSub(constant(bits), offset);
  width = l.binary(Intrinsic::umin, width, room);
  Value* empty = l.b.CreateICmpEQ(width, constant(0));
  Value* left = l.b.CreateAnd(l.b.CreateSub(room, width), constant(bits - 1)); // to the top, then back down
  Value* right = l.b.CreateAnd(l.b.CreateSub(constant(bits), width), constant(bits - 1));
  Value* top = l.b.CreateShl(l.arg(0), left);
  Value* field = l.variant ? l.b.CreateAShr(top, right) : l.b.CreateLShr(top, right);
  return l.b.CreateSelect(empty, constant(0), field);
}

// Position from the top of the first bit unlike the sign; -1 if there is none.
Value* first_sign(Lowering& l) {
  Value* x = l.arg(0);
  unsigned bits = x->getType()->getIntegerBitWidth();
  Value* changed = l.b.CreateXor(x, l.b.CreateAShr(x, bits - 1));
  Value* position = l.binary(Intrinsic::ctlz, changed, l.b.getFalse());
  Value* none = l.b.CreateICmpEQ(changed, ConstantInt::get(x->getType(), 0));
  return l.b.CreateSelect(none, ConstantInt::getAllOnesValue(x->getType()), position);
}

// V_PERM_B32: selector bytes 0-3 take a byte of src1, 4-7 of src0, 8-11 a repeated sign, 12 is 0x00, above 0xff.
Value* permute_bytes(Lowering& l) {
  auto* i64 = l.b.getInt64Ty();
  Value* both = l.b.CreateOr(l.b.CreateShl(l.b.CreateZExt(l.arg(0), i64), 32), l.b.CreateZExt(l.arg(1), i64));
  Value* result = l.i32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value* selector = byte_of(l, l.arg(2), i);
    Value* shift = l.b.CreateZExt(l.b.CreateShl(l.b.CreateAnd(selector, 7), 3), i64);
    Value* byte = l.b.CreateAnd(l.b.CreateTrunc(l.b.CreateLShr(both, shift), l.b.getInt32Ty()), 0xff);
    // 8..11: the sign of bytes 1, 3, 5, 7
    Value* sign_at = l.b.CreateAdd(l.b.CreateShl(l.b.CreateAnd(selector, 3), 4), l.i32(15));
    Value* sign_bit = l.b.CreateTrunc(l.b.CreateLShr(both, l.b.CreateZExt(sign_at, i64)), l.b.getInt1Ty());
    Value* sign = l.b.CreateSelect(sign_bit, l.i32(0xff), l.i32(0));
    Value* high = l.b.CreateSelect(l.b.CreateICmpEQ(selector, l.i32(12)), l.i32(0), l.i32(0xff));
    high = l.b.CreateSelect(l.b.CreateICmpULT(selector, l.i32(12)), sign, high);
    byte = l.b.CreateSelect(l.b.CreateICmpULT(selector, l.i32(8)), byte, high);
    result = l.b.CreateOr(result, l.b.CreateShl(byte, 8 * i));
  }
  return result;
}

Value* align(Lowering& l) {
  Value* shift = l.variant == 8 ? l.b.CreateShl(l.b.CreateAnd(l.arg(2), 3), 3) : l.b.CreateAnd(l.arg(2), 31);
  return l.b.CreateIntrinsic(Intrinsic::fshr, {l.type()}, {l.arg(0), l.arg(1), shift});
}

// Byte-wise average of a and b, rounded up where the byte of c is odd.
Value* lerp(Lowering& l) {
  Value* result = l.i32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value* sum = l.b.CreateAdd(byte_of(l, l.arg(0), i), byte_of(l, l.arg(1), i));
    sum = l.b.CreateAdd(sum, l.b.CreateAnd(byte_of(l, l.arg(2), i), 1));
    result = l.b.CreateOr(result, l.b.CreateShl(l.b.CreateLShr(sum, 1), 8 * i));
  }
  return result;
}

Value* sad(Lowering& l) {
  Value* sum = sad_bytes(l, l.arg(0), l.arg(1), l.variant == 1);
  if (l.variant == 16)
    sum = l.b.CreateShl(sum, 16);
  return l.b.CreateAdd(sum, l.arg(2));
}

Value* sad_u16(Lowering& l) {
  Value* sum = l.arg(2);
  for (unsigned shift : {0u, 16u}) {
    auto half = [&](Value* x) { return l.b.CreateAnd(l.b.CreateLShr(x, shift), 0xffff); };
    sum = l.b.CreateAdd(sum, absolute_difference(l, half(l.arg(0)), half(l.arg(1))));
  }
  return sum;
}

// Four sums, of the 4 bytes at byte offsets 0..3 of a 64-bit value against one word. Variant 0 plain, 1 masked, both
// adding to 16-bit fields; 2 masked, adding to <4 x i32>.
Value* quad_sad(Lowering& l) {
  Value* result = l.variant == 2 ? l.arg(2) : l.b.getInt64(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value* window = l.b.CreateTrunc(l.b.CreateLShr(l.arg(0), 8 * i), l.b.getInt32Ty());
    Value* sum = sad_bytes(l, window, l.arg(1), l.variant != 0);
    if (l.variant == 2) {
      Value* old = l.b.CreateExtractElement(l.arg(2), i);
      result = l.b.CreateInsertElement(result, l.binary(Intrinsic::uadd_sat, old, sum), i);
      continue;
    }
    Value* old = l.b.CreateTrunc(l.b.CreateLShr(l.arg(2), 16 * i), l.b.getInt16Ty());
    Value* field = l.binary(Intrinsic::uadd_sat, old, l.b.CreateTrunc(sum, l.b.getInt16Ty()));
    result = l.b.CreateOr(result, l.b.CreateShl(l.b.CreateZExt(field, l.b.getInt64Ty()), 16 * i));
  }
  return result;
}

Value* dot2(Lowering& l) {
  auto word = [&](unsigned i) { return l.b.CreateBitCast(l.arg(i), l.b.getInt32Ty()); };
  return dot_elements(l, word(0), word(1), l.arg(2), l.immediate(3), 16, l.variant, l.variant);
}

Value* dot(Lowering& l) {
  bool is_signed = l.variant & 0x100;
  return dot_elements(l, l.arg(0), l.arg(1), l.arg(2), l.immediate(3), l.variant & 0xff, is_signed, is_signed);
}

Value* mixed_dot(Lowering& l) {
  return dot_elements(l, l.arg(1), l.arg(3), l.arg(4), l.immediate(5), l.variant, l.immediate(0), l.immediate(2));
}

// Variant bit 0: signed; bit 1: the high 32 bits of the 48-bit product.
Value* mul24(Lowering& l) {
  bool is_signed = l.variant & 1;
  auto operand = [&](unsigned i) {
    return widen(l, l.b.CreateTrunc(l.b.CreateZExtOrTrunc(l.arg(i), l.b.getInt32Ty()), l.b.getIntNTy(24)), is_signed);
  };
  Value* product = l.b.CreateMul(operand(0), operand(1));
  if (l.variant & 2)
    product = l.b.CreateAShr(product, 32);
  return is_signed ? l.b.CreateSExtOrTrunc(product, l.type()) : l.b.CreateZExtOrTrunc(product, l.type());
}

// Any bitwise function of three operands: bit n of the truth table is the result where (a, b, c) spell n.
Value* bit_op3(Lowering& l) {
  uint64_t table = l.immediate(3);
  Value* result = ConstantInt::get(l.type(), 0);
  for (unsigned n = 0; n < 8; ++n) {
    if (!(table >> n & 1))
      continue;
    Value* term = ConstantInt::getAllOnesValue(l.type());
    for (unsigned i = 0; i < 3; ++i)
      term = l.b.CreateAnd(term, n >> (2 - i) & 1 ? l.arg(i) : l.b.CreateNot(l.arg(i)));
    result = l.b.CreateOr(result, term);
  }
  return result;
}

// Every bit of a 32-bit value twice.
Value* bit_replicate(Lowering& l) {
  Value* x = l.b.CreateZExt(l.arg(0), l.b.getInt64Ty());
  constexpr std::pair<unsigned, uint64_t> steps[] = {{16, 0x0000ffff0000ffff},
                                                     {8, 0x00ff00ff00ff00ff},
                                                     {4, 0x0f0f0f0f0f0f0f0f},
                                                     {2, 0x3333333333333333},
                                                     {1, 0x5555555555555555}};
  for (auto [shift, mask] : steps)
    x = l.b.CreateAnd(l.b.CreateOr(x, l.b.CreateShl(x, shift)), l.b.getInt64(mask));
  return l.b.CreateOr(x, l.b.CreateShl(x, 1));
}

// max/min(a + b, c), the sum saturated with `clamp`, else wrapped.
Value* add_min_max(Lowering& l) {
  auto id = Intrinsic::ID(l.variant);
  bool is_signed = id == Intrinsic::smax || id == Intrinsic::smin;
  Value* sum = l.immediate(3) ? l.binary(is_signed ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, l.arg(0), l.arg(1))
                              : l.b.CreateAdd(l.arg(0), l.arg(1));
  return l.binary(id, sum, l.arg(2));
}

} // namespace kiln::passes
