// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations across the lanes of a wave. Each is a computation of "which lane do I read", then one gather. A lane that
// is not active (EXEC is 0) or does not exist gives the fallback: 0 for ds_bpermute and ds_swizzle, `old` or 0 for DPP.
#include "passes/amdgcn_intrinsics_lowering.h"

namespace kiln::passes {
using namespace llvm;

namespace {
constexpr uint32_t no_lane = 0xffffffff;

// Applies `operation` to a value of any type as one or more integers of 32 or 64 bits.
template <class Operation> Value* by_words(Lowering& l, ArrayRef<Value*> values, Operation operation) {
  Type* type = values[0]->getType();
  const DataLayout& layout = l.call.getModule()->getDataLayout();
  unsigned bits = layout.getTypeSizeInBits(type);
  IntegerType* integer = l.b.getIntNTy(bits);
  SmallVector<Value*, 2> whole;
  for (Value* value : values)
    whole.push_back(type->isPointerTy() ? l.b.CreatePtrToInt(value, integer) : l.b.CreateBitCast(value, integer));
  Value* result = nullptr;
  unsigned step = bits <= 32 ? 32 : 64;
  for (unsigned at = 0; at < bits; at += step) {
    SmallVector<Value*, 2> parts;
    for (Value* value : whole)
      parts.push_back(l.b.CreateZExtOrTrunc(at ? l.b.CreateLShr(value, at) : value, l.b.getIntNTy(step)));
    Value* part = l.b.CreateZExtOrTrunc(operation(parts), integer);
    result = result ? l.b.CreateOr(result, l.b.CreateShl(part, at)) : part;
  }
  return type->isPointerTy() ? l.b.CreateIntToPtr(result, type) : l.b.CreateBitCast(result, type);
}

Value* gather(Lowering& l, Value* value, Value* index, Value* fallback) {
  return by_words(l, {value, fallback}, [&](ArrayRef<Value*> v) { return l.on.gather(l.b, v[0], index, v[1]); });
}
Value* zero(Value* like) {
  return Constant::getNullValue(like->getType());
}
Value* resize_mask(Lowering& l, Value* mask) {
  return l.b.CreateZExtOrTrunc(mask, l.type());
}

// Lane that DPP control word `control` makes lane `lane` read, no_lane if outside.
Value* dpp_source(Lowering& l, unsigned control, Value* lane) {
  Value *in_row = l.b.CreateAnd(lane, 15), *row = l.b.CreateAnd(lane, ~15u);
  auto valid = [&](Value* condition, Value* source) { return l.b.CreateSelect(condition, source, l.i32(no_lane)); };
  unsigned n = control & 15;
  if (control <= 0xff) { // quad_perm
    Value* shift = l.b.CreateShl(l.b.CreateAnd(lane, 3), 1);
    Value* pick = l.b.CreateAnd(l.b.CreateLShr(l.i32(control), shift), 3);
    return l.b.CreateOr(l.b.CreateAnd(lane, ~3u), pick);
  }
  switch (control & 0xff0) {
  case 0x100: // row_shl
    return valid(l.b.CreateICmpULT(in_row, l.i32(16 - n)), l.b.CreateAdd(lane, l.i32(n)));
  case 0x110: // row_shr
    return valid(l.b.CreateICmpUGE(in_row, l.i32(n)), l.b.CreateSub(lane, l.i32(n)));
  case 0x120: // row_ror
    return l.b.CreateOr(row, l.b.CreateAnd(l.b.CreateSub(in_row, l.i32(n)), 15));
  case 0x150: // row_share
    return l.b.CreateOr(row, l.i32(n));
  case 0x160: // row_xmask
    return l.b.CreateXor(lane, l.i32(n));
  }
  unsigned last = l.wave_size - 1;
  switch (control) {
  case 0x130: // wave_shl:1
    return valid(l.b.CreateICmpULT(lane, l.i32(last)), l.b.CreateAdd(lane, l.i32(1)));
  case 0x134: // wave_rol:1
    return l.b.CreateAnd(l.b.CreateAdd(lane, l.i32(1)), last);
  case 0x138: // wave_shr:1
    return valid(l.b.CreateICmpUGE(lane, l.i32(1)), l.b.CreateSub(lane, l.i32(1)));
  case 0x13c: // wave_ror:1
    return l.b.CreateAnd(l.b.CreateSub(lane, l.i32(1)), last);
  case 0x140: // row_mirror
    return l.b.CreateXor(lane, l.i32(15));
  case 0x141: // row_half_mirror
    return l.b.CreateXor(lane, l.i32(7));
  case 0x142: // row_bcast:15, the last lane of the row before
    return valid(l.b.CreateICmpUGE(lane, l.i32(16)), l.b.CreateSub(row, l.i32(1)));
  case 0x143: // row_bcast:31
    return valid(l.b.CreateICmpUGE(lane, l.i32(32)), l.i32(31));
  }
  l.problem = "with dpp control " + std::to_string(control) + ", which no AMD GPU defines";
  return nullptr;
}
} // namespace

// Bits of the mask below this lane, counted on top of arg 1; variant: the lane that bit 0 stands for.
Value* mbcnt(Lowering& l) {
  Value* lane = l.lane();
  auto* i64 = l.b.getInt64Ty();
  Value* below = l.b.CreateSub(l.b.CreateShl(l.b.getInt64(1), l.b.CreateZExt(lane, i64)), l.b.getInt64(1));
  below = l.b.CreateTrunc(l.b.CreateLShr(below, l.variant), l.b.getInt32Ty());
  return l.b.CreateAdd(l.unary(Intrinsic::ctpop, l.b.CreateAnd(below, l.arg(0))), l.arg(1));
}

Value* ballot(Lowering& l) {
  return resize_mask(l, l.on.ballot(l.b, l.arg(0)));
}
Value* inverse_ballot(Lowering& l) {
  Value* bit = l.b.CreateLShr(l.arg(0), l.b.CreateZExtOrTrunc(l.lane(), l.arg(0)->getType()));
  return l.b.CreateTrunc(bit, l.b.getInt1Ty());
}
Value* compare_ballot(Lowering& l) {
  return resize_mask(l, l.on.ballot(l.b, l.b.CreateCmp(CmpInst::Predicate(l.immediate(2)), l.arg(0), l.arg(1))));
}
Value* first_lane(Lowering& l) {
  return by_words(l, {l.arg(0)}, [&](ArrayRef<Value*> v) { return l.on.first(l.b, v[0]); });
}
// A lane that is not active still has its register on hardware; here it reads as the reader's own value.
Value* read_lane(Lowering& l) {
  return gather(l, l.arg(0), l.b.CreateAnd(l.arg(1), l.wave_size - 1), l.arg(0));
}
Value* write_lane(Lowering& l) {
  Value* chosen = l.b.CreateICmpEQ(l.lane(), l.b.CreateAnd(l.arg(1), l.wave_size - 1));
  return l.b.CreateSelect(chosen, l.arg(0), l.arg(2));
}
Value* shuffle(Lowering& l) {
  return gather(l, l.arg(0), l.b.CreateAnd(l.arg(1), l.wave_size - 1), zero(l.arg(0)));
}

Value* byte_address_lane(Lowering& l) {
  return l.b.CreateAnd(l.b.CreateLShr(l.arg(0), 2), l.wave_size - 1);
}
Value* bpermute(Lowering& l) {
  return gather(l, l.arg(1), byte_address_lane(l), zero(l.arg(1)));
}
Value* permute(Lowering& l) {
  Value* index = byte_address_lane(l);
  return by_words(l, {l.arg(1)}, [&](ArrayRef<Value*> v) { return l.on.scatter(l.b, v[0], index); });
}

// DS_SWIZZLE_B32: quad permutation, rotation, or (lane & and | or) ^ xor within 32 lanes.
Value* swizzle(Lowering& l) {
  unsigned offset = l.immediate(1);
  Value *lane = l.lane(), *source = nullptr, *in_half = l.b.CreateAnd(lane, 31), *half = l.b.CreateAnd(lane, ~31u);
  if (offset >= 0xe000) {
    l.problem = "in its FFT mode";
    return nullptr;
  }
  if (offset >= 0xc000) {
    unsigned mask = offset & 31, count = offset >> 5 & 31;
    Value* moved = offset & 0x400 ? l.b.CreateSub(in_half, l.i32(count)) : l.b.CreateAdd(in_half, l.i32(count));
    source = l.b.CreateOr(l.b.CreateAnd(in_half, mask), l.b.CreateAnd(moved, ~mask & 31));
  } else if (offset & 0x8000) {
    Value* shift = l.b.CreateShl(l.b.CreateAnd(lane, 3), 1);
    source = l.b.CreateOr(l.b.CreateAnd(in_half, ~3u), l.b.CreateAnd(l.b.CreateLShr(l.i32(offset & 0xff), shift), 3));
  } else {
    source = l.b.CreateOr(l.b.CreateAnd(in_half, offset & 31), l.i32(offset >> 5 & 31));
    source = l.b.CreateXor(source, l.i32(offset >> 10 & 31));
  }
  return gather(l, l.arg(0), l.b.CreateOr(half, source), zero(l.arg(0)));
}

// (old,) source, control, row mask, bank mask, bound control. Lanes whose row or bank is masked keep old.
Value* dpp(Lowering& l) {
  unsigned first = l.variant;
  Value* source = l.arg(first);
  Value* old = l.variant ? l.arg(0) : zero(source);
  unsigned rows = l.immediate(first + 2) & 15, banks = l.immediate(first + 3) & 15;
  Value* lane = l.lane();
  Value* from = dpp_source(l, l.immediate(first + 1), lane);
  if (!from)
    return nullptr;
  Value* result = gather(l, source, from, l.immediate(first + 4) ? zero(source) : old);
  if (rows == 15 && banks == 15)
    return result;
  auto enabled = [&](unsigned mask, unsigned shift) {
    Value* which = l.b.CreateAnd(l.b.CreateLShr(lane, shift), 3);
    return l.b.CreateTrunc(l.b.CreateLShr(l.i32(mask), which), l.b.getInt1Ty());
  };
  return l.b.CreateSelect(l.b.CreateAnd(enabled(rows, 4), enabled(banks, 2)), result, old);
}

Value* dpp8(Lowering& l) {
  Value *lane = l.lane(), *in_group = l.b.CreateAnd(lane, 7);
  Value* pick = l.b.CreateLShr(l.i32(l.immediate(1)), l.b.CreateMul(in_group, l.i32(3)));
  return gather(l, l.arg(0), l.b.CreateOr(l.b.CreateAnd(lane, ~7u), l.b.CreateAnd(pick, 7)), zero(l.arg(0)));
}

// Within the row, or (variant 16) in the other row of the pair. Variant bit 0: the selector is per lane, not two words.
Value* permlane16(Lowering& l) {
  bool per_lane = l.variant & 1;
  Value *lane = l.lane(), *pick = nullptr;
  if (per_lane) {
    pick = l.arg(2);
  } else {
    Value* selector = l.b.CreateSelect(l.b.CreateICmpULT(l.b.CreateAnd(lane, 15), l.i32(8)), l.arg(2), l.arg(3));
    pick = l.b.CreateLShr(selector, l.b.CreateShl(l.b.CreateAnd(lane, 7), 2));
  }
  Value* row = l.b.CreateXor(l.b.CreateAnd(lane, ~15u), l.i32(l.variant & 16));
  bool bound_control = l.immediate(per_lane ? 4 : 5);
  return gather(l, l.arg(1), l.b.CreateOr(row, l.b.CreateAnd(pick, 15)), bound_control ? zero(l.arg(1)) : l.arg(0));
}

Value* permlane64(Lowering& l) {
  return l.wave_size == 64 ? gather(l, l.arg(0), l.b.CreateXor(l.lane(), l.i32(32)), l.arg(0)) : l.arg(0);
}

// Odd halves (rows of 16, or of 32) of the first operand change place with even ones of the second.
Value* permlane_swap(Lowering& l) {
  Value *x = l.arg(0), *y = l.arg(1), *lane = l.lane();
  Value* other = l.b.CreateXor(lane, l.i32(l.variant));
  Value* odd = l.b.CreateICmpNE(l.b.CreateAnd(lane, l.variant), l.i32(0));
  Value *x_there = gather(l, x, other, x), *y_there = gather(l, y, other, y);
  Value* result = l.b.CreateInsertValue(PoisonValue::get(l.type()), l.b.CreateSelect(odd, y_there, x), 0);
  return l.b.CreateInsertValue(result, l.b.CreateSelect(odd, y, x_there), 1);
}

Value* wave_reduce(Lowering& l) {
  Type* type = l.type();
  unsigned bits = type->getPrimitiveSizeInBits();
  if ((bits != 32 && bits != 64) || type->isVectorTy()) {
    l.problem = "on this type";
    return nullptr;
  }
  unsigned to_64 = type->isFloatingPointTy() ? 4 : 9; // distance between the 32 and 64 bit enumerators
  auto operation = Reduction(l.variant + (bits == 64 ? to_64 : 0));
  Value* result = l.on.reduce(l.b, l.b.CreateBitCast(l.arg(0), l.b.getIntNTy(bits)), operation);
  return l.b.CreateBitCast(result, type);
}

} // namespace kiln::passes
