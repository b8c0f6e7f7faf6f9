// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the workers of amdgcn_intrinsics.inc share: the call at hand, a builder in front of it, and the device's
// primitives.
#pragma once

#include "passes/amdgcn_intrinsics.h"
#include "support/host_abi.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <memory>

namespace kiln::passes {

using host_abi::Reduction;

// The operations on a wave and a work-item that a device family must bring itself. Values of gather, scatter and first
// are i32 or i64; lane numbers are i32 and count from 0 within the wave.
class Primitives {
public:
  virtual ~Primitives() = default;
  using Builder = llvm::IRBuilder<>;
  virtual llvm::Value* local_id(Builder&, unsigned dimension) = 0;
  virtual llvm::Value* group_id(Builder&, unsigned dimension) = 0;
  virtual llvm::Value* linear_id(Builder&) = 0; // of the work-item in its group
  virtual llvm::Value* dispatch_ptr(Builder&) = 0;
  virtual llvm::Value* implicitarg_ptr(Builder&) = 0;
  virtual llvm::Value* kernarg_ptr(Builder&) = 0;
  virtual llvm::Value* dispatch_id(Builder&) = 0;
  virtual llvm::Value* static_local_size(Builder&) = 0;
  virtual llvm::Value* is_shared(Builder&, llvm::Value* pointer) = 0;
  virtual llvm::Value* is_private(Builder&, llvm::Value* pointer) = 0;
  virtual llvm::Value* ballot(Builder&, llvm::Value* condition) = 0; // i64
  virtual llvm::Value* first(Builder&, llvm::Value* value) = 0;
  // The value of lane `index` if that lane exists and is active, else `fallback`.
  virtual llvm::Value* gather(Builder&, llvm::Value* value, llvm::Value* index, llvm::Value* fallback) = 0;
  // What the highest active lane with `index` equal to this lane brings as `value`, else 0.
  virtual llvm::Value* scatter(Builder&, llvm::Value* value, llvm::Value* index) = 0;
  virtual llvm::Value* reduce(Builder&, llvm::Value* value, Reduction operation) = 0;
  virtual void barrier(Builder&) = 0;
  virtual void wave_barrier(Builder&) = 0;
  virtual void yield(Builder&) = 0;
  virtual void trap(Builder&) = 0;
  virtual void end_program(Builder&) = 0;
  virtual llvm::Value* cycle_counter(Builder&) = 0;
  virtual llvm::Value* steady_counter(Builder&) = 0; // 100 MHz
};

std::unique_ptr<Primitives> make_host_primitives(llvm::Module& module);
std::unique_ptr<Primitives> make_nvptx_primitives(llvm::Module& module);

struct Lowering {
  llvm::CallBase& call;
  llvm::IRBuilder<> b;
  Primitives& on;
  unsigned wave_size;
  unsigned variant;    // of the worker, from the row
  std::string problem; // set by a worker that cannot do this form of the intrinsic

  llvm::Value* arg(unsigned i) const { return call.getArgOperand(i); }
  uint64_t immediate(unsigned i) const { return llvm::cast<llvm::ConstantInt>(arg(i))->getZExtValue(); }
  llvm::Type* type() const { return call.getType(); }
  llvm::Value* i32(uint32_t value) { return b.getInt32(value); }
  llvm::Value* lane() { return b.CreateAnd(on.linear_id(b), i32(wave_size - 1)); }
  llvm::Value* unary(llvm::Intrinsic::ID id, llvm::Value* x) { return b.CreateUnaryIntrinsic(id, x); }
  llvm::Value* binary(llvm::Intrinsic::ID id, llvm::Value* x, llvm::Value* y) {
    return b.CreateBinaryIntrinsic(id, x, y);
  }
  llvm::Value* clamp(llvm::Value* x, double low, double high) {
    auto bound = [&](double v) { return llvm::ConstantFP::get(x->getType(), v); };
    return binary(llvm::Intrinsic::minnum, binary(llvm::Intrinsic::maxnum, x, bound(low)), bound(high));
  }
};

// Returns what replaces the call (ignored for void calls), or null with `problem` set.
using Worker = llvm::Value* (*)(Lowering&);

#define KILN_WORKER(name) llvm::Value* name(Lowering& l);
// clang-format off
#define KILN_WORKERS(X)                                                                                                \
  /* amdgcn_intrinsics_system.cpp */                                                                                   \
  X(work_item_id) X(work_group_id) X(pointer) X(dispatch_id) X(static_local_size) X(wave_size) X(wave_id)              \
  X(address_class) X(group_barrier) X(barrier_signal) X(wave_barrier) X(nothing) X(sleep) X(counter) X(end_program)    \
  X(trap) X(append) X(load_to_lds) X(float_atomic)                                                                     \
  /* amdgcn_intrinsics_wave.cpp */                                                                                     \
  X(mbcnt) X(ballot) X(inverse_ballot) X(compare_ballot) X(first_lane) X(read_lane) X(write_lane) X(bpermute)          \
  X(permute) X(swizzle) X(dpp) X(dpp8) X(permlane16) X(permlane64) X(permlane_swap) X(shuffle) X(wave_reduce)          \
  /* amdgcn_intrinsics_float.cpp */                                                                                    \
  X(classify) X(reciprocal) X(rsqrt) X(unary_float) X(in_math_library) X(fraction) X(frexp_part) X(load_exponent)   \
  X(trig_preop) X(div_scale) X(div_fmas) X(div_fixup) X(fdiv_fast) X(legacy_product) X(median) X(float_dot)            \
  /* amdgcn_intrinsics_convert.cpp */                                                                                  \
  X(pack_rtz) X(pack_norm) X(pack_int) X(pack_u8) X(off_i4)                                                            \
  /* amdgcn_intrinsics_integer.cpp */                                                                                  \
  X(bit_field) X(first_sign) X(permute_bytes) X(align) X(lerp) X(sad) X(sad_u16) X(quad_sad) X(dot2) X(dot)            \
  X(mixed_dot) X(mul24) X(bit_op3) X(bit_replicate) X(add_min_max)
// clang-format on
KILN_WORKERS(KILN_WORKER)
#undef KILN_WORKER

} // namespace kiln::passes
