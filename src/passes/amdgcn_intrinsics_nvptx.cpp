// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primitives on NVIDIA GPUs: special registers and warp shuffles over the active lanes. A warp has 32 lanes.
#include "passes/amdgcn_intrinsics_lowering.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cstddef>

namespace kiln::passes {
using namespace llvm;

namespace {

class NvptxPrimitives final : public Primitives {
public:
  explicit NvptxPrimitives(Module& module) : context_(module.getContext()) {
    i32_ = Type::getInt32Ty(context_);
    i64_ = Type::getInt64Ty(context_);
  }

  Value* local_id(Builder& b, unsigned dimension) override { return read(b, tid[dimension]); }
  Value* group_id(Builder& b, unsigned dimension) override { return read(b, ctaid[dimension]); }
  Value* linear_id(Builder& b) override {
    Value* row = b.CreateAdd(read(b, tid[1]), b.CreateMul(read(b, tid[2]), read(b, ntid[1])));
    return b.CreateAdd(read(b, tid[0]), b.CreateMul(row, read(b, ntid[0])));
  }

  // The two blocks that AMD's packet processor fills live in local memory here, written from the special registers at
  // the entry of each function that reads them; SROA leaves only the registers.
  Value* dispatch_ptr(Builder& b) override {
    Value*& block = blocks_[{b.GetInsertBlock()->getParent(), 0}];
    if (block)
      return block;
    Builder entry(&*b.GetInsertBlock()->getParent()->getEntryBlock().begin());
    block = entry.CreateAlloca(ArrayType::get(i64_, sizeof(host_abi::DispatchPacket) / 8));
    clear(entry, block, sizeof(host_abi::DispatchPacket));
    for (unsigned d = 0; d < 3; ++d) {
      Value* size = read(entry, ntid[d]);
      store(entry, block, offsetof(host_abi::DispatchPacket, workgroup_size) + 2 * d,
            entry.CreateTrunc(size, entry.getInt16Ty()));
      store(entry, block, offsetof(host_abi::DispatchPacket, grid_size) + 4 * d,
            entry.CreateMul(size, read(entry, nctaid[d])));
    }
    return block;
  }
  Value* implicitarg_ptr(Builder& b) override {
    Value*& block = blocks_[{b.GetInsertBlock()->getParent(), 1}];
    if (block)
      return block;
    Builder entry(&*b.GetInsertBlock()->getParent()->getEntryBlock().begin());
    block = entry.CreateAlloca(ArrayType::get(i64_, sizeof(host_abi::ImplicitArguments) / 8));
    clear(entry, block, sizeof(host_abi::ImplicitArguments));
    for (unsigned d = 0; d < 3; ++d) {
      store(entry, block, offsetof(host_abi::ImplicitArguments, block_count) + 4 * d, read(entry, nctaid[d]));
      store(entry, block, offsetof(host_abi::ImplicitArguments, group_size) + 2 * d,
            entry.CreateTrunc(read(entry, ntid[d]), entry.getInt16Ty()));
    }
    Value* deep = entry.CreateICmpUGT(read(entry, nctaid[2]), entry.getInt32(1));
    Value* flat = entry.CreateICmpUGT(read(entry, nctaid[1]), entry.getInt32(1));
    Value* dimensions =
        entry.CreateSelect(deep, entry.getInt16(3), entry.CreateSelect(flat, entry.getInt16(2), entry.getInt16(1)));
    store(entry, block, offsetof(host_abi::ImplicitArguments, grid_dims), dimensions);
    store(entry, block, offsetof(host_abi::ImplicitArguments, dynamic_lds_size),
          read(entry, Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size));
    return block;
  }
  // Without a row for NVPTX in the table.
  Value* kernarg_ptr(Builder& b) override { return PoisonValue::get(b.getPtrTy()); }
  Value* dispatch_id(Builder&) override { return PoisonValue::get(i64_); }
  Value* static_local_size(Builder&) override { return PoisonValue::get(i32_); }
  Value* scatter(Builder&, Value* value, Value*) override { return PoisonValue::get(value->getType()); }

  Value* is_shared(Builder& b, Value* pointer) override {
    return b.CreateIntrinsic(Intrinsic::nvvm_isspacep_shared, {}, {pointer});
  }
  Value* is_private(Builder& b, Value* pointer) override {
    return b.CreateIntrinsic(Intrinsic::nvvm_isspacep_local, {}, {pointer});
  }

  Value* ballot(Builder& b, Value* condition) override {
    Value* active = active_mask(b);
    return b.CreateZExt(b.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {}, {active, condition}), i64_);
  }
  Value* first(Builder& b, Value* value) override {
    Value* active = active_mask(b);
    return shuffle(b, active, value, b.CreateBinaryIntrinsic(Intrinsic::cttz, active, b.getFalse()));
  }
  Value* gather(Builder& b, Value* value, Value* index, Value* fallback) override {
    Value* active = active_mask(b);
    Value* moved = shuffle(b, active, value, b.CreateAnd(index, 31));
    Value* there = b.CreateTrunc(b.CreateLShr(active, b.CreateAnd(index, 31)), b.getInt1Ty());
    there = b.CreateAnd(there, b.CreateICmpULT(index, b.getInt32(32)));
    return b.CreateSelect(there, moved, fallback);
  }
  // A lane that is not active contributes the identity.
  Value* reduce(Builder& b, Value* value, Reduction operation) override {
    struct Form {
      Instruction::BinaryOps binary;
      Intrinsic::ID intrinsic;
      uint64_t identity;
    };
    static constexpr Form forms[] = {
        {Instruction::Add, 0, 0},
        {Instruction::BinaryOps(0), Intrinsic::umin, ~0ull},
        {Instruction::BinaryOps(0), Intrinsic::umax, 0},
        {Instruction::BinaryOps(0), Intrinsic::smin, uint64_t(INT64_MAX)},
        {Instruction::BinaryOps(0), Intrinsic::smax, uint64_t(INT64_MIN)},
        {Instruction::And, 0, ~0ull},
        {Instruction::Or, 0, 0},
        {Instruction::Xor, 0, 0},
    };
    const Form& form = forms[unsigned(operation) % 9];
    unsigned bits = value->getType()->getIntegerBitWidth();
    APInt identity(64, form.identity);
    if (bits == 32 && form.intrinsic == Intrinsic::smin)
      identity = APInt(64, INT32_MAX);
    if (bits == 32 && form.intrinsic == Intrinsic::smax)
      identity = APInt(64, uint32_t(INT32_MIN));
    Value* none = b.getInt(identity.trunc(bits));
    // Every lane folds all 32 values in the same order: with gaps a butterfly would count some twice.
    Value* total = none;
    Value* active = active_mask(b);
    for (unsigned i = 0; i < 32; ++i) {
      Value* moved = shuffle(b, active, value, b.getInt32(i));
      Value* there = b.CreateTrunc(b.CreateLShr(active, i), b.getInt1Ty());
      Value* next = b.CreateSelect(there, moved, none);
      total = form.intrinsic ? b.CreateBinaryIntrinsic(form.intrinsic, total, next)
                             : b.CreateBinOp(form.binary, total, next);
    }
    return total;
  }

  void barrier(Builder& b) override {
    b.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {b.getInt32(0)});
  }
  void wave_barrier(Builder& b) override { b.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {active_mask(b)}); }
  void yield(Builder& b) override { b.CreateIntrinsic(Intrinsic::nvvm_nanosleep, {}, {b.getInt32(64)}); }
  void trap(Builder& b) override { b.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type*>{}, ArrayRef<Value*>{}); }
  void end_program(Builder& b) override {
    b.CreateIntrinsic(Intrinsic::nvvm_exit, ArrayRef<Type*>{}, ArrayRef<Value*>{});
  }
  Value* cycle_counter(Builder& b) override {
    return b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_clock64, ArrayRef<Type*>{}, ArrayRef<Value*>{});
  }
  Value* steady_counter(Builder& b) override {
    return b.CreateUDiv(
        b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_globaltimer, ArrayRef<Type*>{}, ArrayRef<Value*>{}),
        b.getInt64(10));
  }

private:
  static constexpr Intrinsic::ID tid[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                          Intrinsic::nvvm_read_ptx_sreg_tid_z};
  static constexpr Intrinsic::ID ctaid[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                            Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                            Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  static constexpr Intrinsic::ID ntid[] = {Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                           Intrinsic::nvvm_read_ptx_sreg_ntid_z};
  static constexpr Intrinsic::ID nctaid[] = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                             Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                             Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

  Value* read(Builder& b, Intrinsic::ID id) { return b.CreateIntrinsic(id, ArrayRef<Type*>{}, ArrayRef<Value*>{}); }
  Value* active_mask(Builder& b) {
    return b.CreateIntrinsic(Intrinsic::nvvm_activemask, ArrayRef<Type*>{}, ArrayRef<Value*>{});
  }
  Value* shuffle(Builder& b, Value* active, Value* value, Value* index) {
    auto word = [&](Value* v) {
      return b.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32, {}, {active, v, index, b.getInt32(31)});
    };
    if (value->getType()->isIntegerTy(32))
      return word(value);
    Value* low = b.CreateZExt(word(b.CreateTrunc(value, i32_)), i64_);
    Value* high = b.CreateZExt(word(b.CreateTrunc(b.CreateLShr(value, 32), i32_)), i64_);
    return b.CreateOr(b.CreateShl(high, 32), low);
  }
  void clear(Builder& b, Value* block, uint64_t size) { b.CreateMemSet(block, b.getInt8(0), size, MaybeAlign(8)); }
  void store(Builder& b, Value* block, uint64_t offset, Value* value) {
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, offset));
  }

  LLVMContext& context_;
  Type *i32_, *i64_;
  std::map<std::pair<Function*, int>, Value*> blocks_;
};

} // namespace

std::unique_ptr<Primitives> make_nvptx_primitives(Module& module) {
  return std::make_unique<NvptxPrimitives>(module);
}

} // namespace kiln::passes
