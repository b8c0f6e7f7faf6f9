// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic and barrier instructions (SPIR-V specification 3.42.18, 3.42.20). Scope and semantics are ids of constants.
#include "translate/read_body.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

#include <bit>

namespace kiln::translate::reading {

// The synchronisation scope: Kiln's SyncScope row, else the SPIR-V scope.
static Result<llvm::SyncScope::ID> scope_of(FunctionReader& f, const Inst& inst, uint32_t id) {
  if (f.pending.sync_scope) {
    Inst row = f.module.at(f.pending.sync_scope);
    KILN_ASSIGN(llvm::StringRef name, f.module.string(row, row[5]));
    return f.context.getOrInsertSyncScopeID(name);
  }
  KILN_ASSIGN(uint32_t scope, f.module.u32(inst, id));
  if (scope > uint32_t(spv::Scope::QueueFamily))
    return f.unsupported(inst, "scope " + std::to_string(scope));
  return f.module.scope(scope);
}

struct Semantics {
  llvm::AtomicOrdering ordering;
  bool is_volatile;
};

static Result<Semantics> semantics_of(FunctionReader& f, const Inst& inst, uint32_t id) {
  using Mask = spv::MemorySemanticsMask;
  KILN_ASSIGN(uint32_t bits, f.module.u32(inst, id));
  constexpr uint32_t orderings = uint32_t(Mask::Acquire) | uint32_t(Mask::Release) | uint32_t(Mask::AcquireRelease) |
                                 uint32_t(Mask::SequentiallyConsistent);
  const bool is_volatile = bits & uint32_t(Mask::Volatile);
  switch (bits & orderings) {
  case 0:
    return Semantics{llvm::AtomicOrdering::Monotonic, is_volatile};
  case uint32_t(Mask::Acquire):
    return Semantics{llvm::AtomicOrdering::Acquire, is_volatile};
  case uint32_t(Mask::Release):
    return Semantics{llvm::AtomicOrdering::Release, is_volatile};
  case uint32_t(Mask::AcquireRelease):
    return Semantics{llvm::AtomicOrdering::AcquireRelease, is_volatile};
  case uint32_t(Mask::SequentiallyConsistent):
    return Semantics{llvm::AtomicOrdering::SequentiallyConsistent, is_volatile};
  default:
    return f.malformed(inst, "more than one memory order");
  }
}

// Atomics are aligned to their size, unless a decoration of the result says otherwise.
static Result<llvm::Align> alignment_of(FunctionReader& f, const Inst& inst, llvm::Type* type) {
  if (inst.result()) {
    KILN_ASSIGN(llvm::MaybeAlign said, f.module.alignment(inst, *f.module.find(inst.result())));
    if (said)
      return *said;
  }
  const llvm::DataLayout& layout = f.module.module->getDataLayout();
  uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  if (!type->isIntOrPtrTy() && !type->isFloatingPointTy() && !type->isVectorTy())
    return f.malformed(inst, "an atomic access of a structure or array");
  return std::max(llvm::Align(std::bit_ceil(std::min<uint64_t>(std::max<uint64_t>(size, 1), 4096))), llvm::Align(1));
}

static Result<void> build_rmw(FunctionReader& f, const Inst& inst, llvm::AtomicRMWInst::BinOp op, llvm::Value* pointer,
                              llvm::Value* value, llvm::SyncScope::ID scope, Semantics semantics, llvm::Align align) {
  llvm::Type* type = value->getType();
  const bool floating = llvm::AtomicRMWInst::isFPOperation(op);
  const bool fits = op == llvm::AtomicRMWInst::Xchg ? type->isIntOrPtrTy() || type->isFloatingPointTy()
                    : floating                      ? type->isFPOrFPVectorTy()
                                                    : type->isIntegerTy();
  if (!fits)
    return f.malformed(inst, "the value is of a type that it does not take");
  auto* result = f.insert(new llvm::AtomicRMWInst(op, pointer, value, align, semantics.ordering, scope));
  result->setVolatile(semantics.is_volatile);
  return f.define(inst, result);
}

namespace {

Result<void> atomic_rmw(FunctionReader& f, const Inst& inst, uint32_t op) {
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[3]));
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[4]));
  KILN_ASSIGN(Semantics semantics, semantics_of(f, inst, inst[5]));
  KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[6]));
  KILN_ASSIGN(llvm::Align align, alignment_of(f, inst, value->getType()));
  return build_rmw(f, inst, llvm::AtomicRMWInst::BinOp(op), pointer, value, scope, semantics, align);
}

Result<void> atomic_step(FunctionReader& f, const Inst& inst, uint32_t op) {
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  if (!type->isIntegerTy())
    return f.malformed(inst, "the result type is not an integer");
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[3]));
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[4]));
  KILN_ASSIGN(Semantics semantics, semantics_of(f, inst, inst[5]));
  KILN_ASSIGN(llvm::Align align, alignment_of(f, inst, type));
  return build_rmw(f, inst, llvm::AtomicRMWInst::BinOp(op), pointer, llvm::ConstantInt::get(type, 1), scope, semantics,
                   align);
}

Result<void> atomic_load(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, inst[1]));
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[3]));
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[4]));
  KILN_ASSIGN(Semantics semantics, semantics_of(f, inst, inst[5]));
  KILN_ASSIGN(llvm::Align align, alignment_of(f, inst, type));
  return f.define(
      inst, f.insert(new llvm::LoadInst(type, pointer, "", semantics.is_volatile, align, semantics.ordering, scope)));
}

Result<void> atomic_store(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[1]));
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[2]));
  KILN_ASSIGN(Semantics semantics, semantics_of(f, inst, inst[3]));
  KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[4]));
  if (!value->getType()->isSized())
    return f.malformed(inst, "the value has no size");
  KILN_ASSIGN(llvm::Align align, alignment_of(f, inst, value->getType()));
  f.insert(new llvm::StoreInst(value, pointer, semantics.is_volatile, align, semantics.ordering, scope));
  return {};
}

Result<void> compare_exchange(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[3]));
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[4]));
  KILN_ASSIGN(Semantics equal, semantics_of(f, inst, inst[5]));
  KILN_ASSIGN(Semantics unequal, semantics_of(f, inst, inst[6]));
  KILN_ASSIGN(auto pair, f.operands(inst, inst[7], inst[8]));
  if (!pair.left->getType()->isIntOrPtrTy())
    return f.malformed(inst, "the value is not an integer or a pointer");
  if (unequal.ordering == llvm::AtomicOrdering::Release || unequal.ordering == llvm::AtomicOrdering::AcquireRelease)
    return f.malformed(inst, "a release when the values are unequal");
  KILN_ASSIGN(llvm::Align align, alignment_of(f, inst, pair.left->getType()));
  auto* exchange =
      new llvm::AtomicCmpXchgInst(pointer, pair.right, pair.left, align, equal.ordering, unequal.ordering, scope);
  f.insert(exchange)->setVolatile(equal.is_volatile);
  auto* old = f.insert(llvm::ExtractValueInst::Create(exchange, 0u));
  f.made = exchange;
  f.exchanges.push_back({inst[2], inst[8], exchange, old});
  return f.define(inst, old);
}

Result<void> memory_barrier(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[1]));
  KILN_ASSIGN(Semantics semantics, semantics_of(f, inst, inst[2]));
  if (semantics.ordering != llvm::AtomicOrdering::Monotonic)
    f.insert(new llvm::FenceInst(f.context, semantics.ordering, scope));
  return {};
}

// What a work-group barrier is in HIP: a fence on each side of the hardware's barrier.
Result<void> control_barrier(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(uint32_t execution, f.module.u32(inst, inst[1]));
  if (spv::Scope(execution) != spv::Scope::Workgroup)
    return f.unsupported(inst, "an execution scope other than Workgroup");
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[2]));
  KILN_ASSIGN(Semantics semantics, semantics_of(f, inst, inst[3]));
  KILN_ASSIGN(llvm::Function * barrier, f.module.intrinsic(inst, llvm::Intrinsic::amdgcn_s_barrier, {}));
  const bool orders = semantics.ordering != llvm::AtomicOrdering::Monotonic;
  if (orders)
    f.insert(new llvm::FenceInst(f.context, llvm::AtomicOrdering::Release, scope));
  f.call_intrinsic(barrier, {});
  if (orders)
    f.insert(new llvm::FenceInst(f.context, llvm::AtomicOrdering::Acquire, scope));
  return {};
}

#define TYPED(op, words, handler, extra) {spv::Op::op, #op, words, Layout::typed, Phase::block, nullptr, handler, extra}
#define PLAIN(op, words, handler) {spv::Op::op, #op, words, Layout::plain, Phase::block, nullptr, handler}
constexpr Row rows[] = {
#define KILN_ATOMIC(rmw_op, spirv_op) TYPED(spirv_op, 7, atomic_rmw, llvm::AtomicRMWInst::rmw_op),
#include "translate/op_table.inc"
    TYPED(OpAtomicIIncrement, 6, atomic_step, llvm::AtomicRMWInst::Add),
    TYPED(OpAtomicIDecrement, 6, atomic_step, llvm::AtomicRMWInst::Sub),
    TYPED(OpAtomicLoad, 6, atomic_load, 0),
    PLAIN(OpAtomicStore, 5, atomic_store),
    TYPED(OpAtomicCompareExchange, 9, compare_exchange, 0),
    TYPED(OpAtomicCompareExchangeWeak, 9, compare_exchange, 0),
    PLAIN(OpMemoryBarrier, 3, memory_barrier),
    PLAIN(OpControlBarrier, 4, control_barrier),
};

} // namespace

Rows atomic_rows() {
  return rows;
}

namespace {

// The operands of a call that stands for an atomic access, from the scope on: scope, semantics, [semantics if unequal,]
// alignment, volatile.
struct Access {
  llvm::SyncScope::ID scope;
  Semantics semantics;
  llvm::AtomicOrdering unequal;
  llvm::Align align;
};

Result<Access> access(FunctionReader& f, const Inst& inst, uint32_t at, bool has_unequal) {
  KILN_ASSIGN(auto scope, scope_of(f, inst, inst[at]));
  KILN_ASSIGN(Semantics semantics, semantics_of(f, inst, inst[at + 1]));
  Access result{scope, semantics, semantics.ordering, llvm::Align(1)};
  if (has_unequal) {
    ++at;
    KILN_ASSIGN(Semantics unequal, semantics_of(f, inst, inst[at + 1]));
    result.unequal = unequal.ordering;
  }
  KILN_ASSIGN(uint32_t bytes, f.module.u32(inst, inst[at + 2]));
  KILN_ASSIGN(llvm::MaybeAlign align, f.module.to_alignment(inst, bytes));
  KILN_ASSIGN(llvm::Constant * is_volatile, f.module.constant(inst, inst[at + 3]));
  if (!align)
    return f.malformed(inst, "an alignment of 0");
  result.align = *align;
  result.semantics.is_volatile = !is_volatile->isNullValue();
  return result;
}

Result<void> call_rmw(FunctionReader& f, const Inst& inst, llvm::AtomicRMWInst::BinOp op) {
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[4]));
  KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[5]));
  KILN_ASSIGN(Access how, access(f, inst, 6, false));
  return build_rmw(f, inst, op, pointer, value, how.scope, how.semantics, how.align);
}

Result<void> call_load(FunctionReader& f, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, inst[1]));
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[4]));
  KILN_ASSIGN(Access how, access(f, inst, 5, false));
  return f.define(inst, f.insert(new llvm::LoadInst(type, pointer, "", how.semantics.is_volatile, how.align,
                                                    how.semantics.ordering, how.scope)));
}

Result<void> call_store(FunctionReader& f, const Inst& inst) {
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[4]));
  KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[5]));
  KILN_ASSIGN(Access how, access(f, inst, 6, false));
  if (!value->getType()->isSized())
    return f.malformed(inst, "the value has no size");
  f.insert(
      new llvm::StoreInst(value, pointer, how.semantics.is_volatile, how.align, how.semantics.ordering, how.scope));
  return {};
}

Result<void> call_exchange(FunctionReader& f, const Inst& inst) {
  KILN_ASSIGN(llvm::Value * pointer, f.pointer(inst, inst[4]));
  KILN_ASSIGN(auto pair, f.operands(inst, inst[5], inst[6]));
  KILN_ASSIGN(Access how, access(f, inst, 7, true));
  KILN_ASSIGN(llvm::Constant * weak, f.module.constant(inst, inst[12]));
  if (!pair.left->getType()->isIntOrPtrTy())
    return f.malformed(inst, "the value is not an integer or a pointer");
  if (how.unequal == llvm::AtomicOrdering::Release || how.unequal == llvm::AtomicOrdering::AcquireRelease)
    return f.malformed(inst, "a release when the values are unequal");
  auto* exchange = f.insert(new llvm::AtomicCmpXchgInst(pointer, pair.left, pair.right, how.align,
                                                        how.semantics.ordering, how.unequal, how.scope));
  exchange->setVolatile(how.semantics.is_volatile);
  exchange->setWeak(!weak->isNullValue());
  return f.define(inst, exchange);
}

} // namespace

// A call of one of the functions that read_functions.cpp names: an atomic access without an opcode.
Result<void> call_atomic(FunctionReader& f, const Inst& inst, const FunctionInfo& callee) {
  if (inst.count() - 4 != callee.type->getNumParams())
    return f.malformed(inst, "not as many arguments as the function has parameters");
  switch (callee.callee) {
  case Callee::atomic_rmw:
    return call_rmw(f, inst, callee.atomic);
  case Callee::atomic_load:
    return call_load(f, inst);
  case Callee::atomic_store:
    return call_store(f, inst);
  default:
    return call_exchange(f, inst);
  }
}

} // namespace kiln::translate::reading
