// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identity, synchronisation, clocks and the odd memory operation.
#include "passes/amdgcn_intrinsics_lowering.h"

namespace kiln::passes {
using namespace llvm;

Value* work_item_id(Lowering& l) {
  return l.on.local_id(l.b, l.variant);
}
Value* work_group_id(Lowering& l) {
  return l.on.group_id(l.b, l.variant);
}
Value* pointer(Lowering& l) {
  Value* result = l.variant == 0   ? l.on.dispatch_ptr(l.b)
                  : l.variant == 1 ? l.on.implicitarg_ptr(l.b)
                                   : l.on.kernarg_ptr(l.b);
  return l.b.CreateAddrSpaceCast(result, l.type());
}
Value* dispatch_id(Lowering& l) {
  return l.on.dispatch_id(l.b);
}
Value* static_local_size(Lowering& l) {
  return l.on.static_local_size(l.b);
}
Value* wave_size(Lowering& l) {
  return l.i32(l.wave_size);
}
Value* wave_id(Lowering& l) {
  return l.b.CreateUDiv(l.on.linear_id(l.b), l.i32(l.wave_size));
}
Value* address_class(Lowering& l) {
  return l.variant == 0 ? l.on.is_shared(l.b, l.arg(0)) : l.on.is_private(l.b, l.arg(0));
}

Value* group_barrier(Lowering& l) {
  if (l.call.arg_size() == 1 && !(isa<ConstantInt>(l.arg(0)) && int16_t(l.immediate(0)) == -1)) {
    l.problem = "with a barrier other than that of the work-group (-1)";
    return nullptr;
  }
  l.on.barrier(l.b);
  return nullptr;
}
// A split barrier: the signal is a promise, the wait that follows it is where the group meets.
Value* barrier_signal(Lowering& l) {
  if (int16_t(l.immediate(0)) != -1)
    l.problem = "with a barrier other than that of the work-group (-1)";
  return nullptr;
}
Value* wave_barrier(Lowering& l) {
  l.on.wave_barrier(l.b);
  return nullptr;
}
Value* nothing(Lowering&) {
  return nullptr;
} // it schedules, waits for or prefetches what is already ordered here
Value* sleep(Lowering& l) {
  l.on.yield(l.b);
  return nullptr;
}
Value* counter(Lowering& l) {
  return l.variant ? l.on.steady_counter(l.b) : l.on.cycle_counter(l.b);
}
Value* end_program(Lowering& l) {
  l.on.end_program(l.b);
  return nullptr;
}
Value* trap(Lowering& l) {
  l.on.trap(l.b);
  return nullptr;
}

// The counter in LDS moves once for the wave, by the number of its active lanes, and all get the old value.
Value* append(Lowering& l) {
  Value* active = l.on.ballot(l.b, l.b.getTrue());
  Value* count = l.b.CreateTrunc(l.unary(Intrinsic::ctpop, active), l.b.getInt32Ty());
  Value* first = l.binary(Intrinsic::cttz, active, l.b.getFalse());
  Value* leads = l.b.CreateICmpEQ(l.b.CreateTrunc(first, l.b.getInt32Ty()), l.lane());
  Value* step = l.b.CreateSelect(leads, count, l.i32(0));
  Value* old = l.b.CreateAtomicRMW(l.variant ? AtomicRMWInst::Sub : AtomicRMWInst::Add, l.arg(0), step, MaybeAlign(4),
                                   AtomicOrdering::Monotonic);
  return l.on.first(l.b, old);
}

// (global, lds, size, offset, aux): each lane moves its element to lds + lane * max(4, size).
Value* load_to_lds(Lowering& l) {
  unsigned size = l.immediate(2);
  uint64_t offset = int32_t(l.immediate(3));
  auto* i8 = l.b.getInt8Ty();
  Value* from = l.b.CreateGEP(i8, l.arg(0), l.b.getInt64(offset));
  Value* place = l.b.CreateZExt(l.b.CreateMul(l.lane(), l.i32(std::max(4u, size))), l.b.getInt64Ty());
  Value* base = l.arg(1);
  Value* to = l.b.CreateGEP(i8, l.b.CreateGEP(i8, base, l.b.getInt64(offset)), place);
  l.b.CreateMemCpy(to, MaybeAlign(1), from, MaybeAlign(1), size);
  return nullptr;
}

Value* float_atomic(Lowering& l) {
  return l.b.CreateAtomicRMW(AtomicRMWInst::BinOp(l.variant), l.arg(0), l.arg(1), MaybeAlign(),
                             AtomicOrdering::Monotonic);
}

} // namespace kiln::passes
