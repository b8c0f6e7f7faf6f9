// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics and barriers (specification 3.49.18). What SPIR-V has no opcode for is a call of an imported function whose
// name says what it is, "llvm:atomicrmw.uinc_wrap.p1.i32": a consumer that does not know it fails to link, it cannot go
// wrong.
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spirv::Kiln;
using spv::Op;

namespace {

struct FloatAtomicRow {
  Op opcode;
  unsigned bits;
  spv::Capability capability;
  const char* extension;
};
// clang-format off
constexpr FloatAtomicRow float_atomics[] = {
    {Op::OpAtomicFAddEXT, 16, spv::Capability::AtomicFloat16AddEXT,    "SPV_EXT_shader_atomic_float16_add"},
    {Op::OpAtomicFAddEXT, 32, spv::Capability::AtomicFloat32AddEXT,    "SPV_EXT_shader_atomic_float_add"},
    {Op::OpAtomicFAddEXT, 64, spv::Capability::AtomicFloat64AddEXT,    "SPV_EXT_shader_atomic_float_add"},
    {Op::OpAtomicFMinEXT, 16, spv::Capability::AtomicFloat16MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {Op::OpAtomicFMinEXT, 32, spv::Capability::AtomicFloat32MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {Op::OpAtomicFMinEXT, 64, spv::Capability::AtomicFloat64MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {Op::OpAtomicFMaxEXT, 16, spv::Capability::AtomicFloat16MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {Op::OpAtomicFMaxEXT, 32, spv::Capability::AtomicFloat32MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {Op::OpAtomicFMaxEXT, 64, spv::Capability::AtomicFloat64MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
};

struct OrderRow {
  AtomicOrdering order;
  uint32_t semantics;
};
// WorkgroupMemory | CrossWorkgroupMemory: LLVM's fences order all memory.
constexpr uint32_t all_memory = 0x300;
constexpr OrderRow orders[] = {
    {AtomicOrdering::Unordered, 0},
    {AtomicOrdering::Monotonic, 0},
    {AtomicOrdering::Acquire, 0x2 | all_memory},
    {AtomicOrdering::Release, 0x4 | all_memory},
    {AtomicOrdering::AcquireRelease, 0x8 | all_memory},
    {AtomicOrdering::SequentiallyConsistent, 0x10 | all_memory},
};
// clang-format on

} // namespace

// The scope's number, and for a name that the number cannot give back a Kiln SyncScope before the instruction.
Id FunctionEmitter::scope(const Instruction& instruction, SyncScope::ID scope) {
  SmallVector<StringRef> names;
  instruction.getContext().getSyncScopeNames(names);
  StringRef exact = names[scope], name = exact;
  if (!name.consume_back("-one-as"))
    name = name == "one-as" ? "" : name;
  for (const auto& row : scopes)
    if (name == row.llvm) {
      if (name != exact)
        kiln(Kiln::SyncScope, {m_.string(exact)});
      return m_.u32(uint32_t(row.spirv));
    }
  kiln(Kiln::SyncScope, {m_.string(exact)});
  return m_.u32(uint32_t(spv::Scope::CrossDevice));
}

Id FunctionEmitter::semantics(AtomicOrdering ordering) {
  for (const auto& row : orders)
    if (row.order == ordering)
      return m_.u32(row.semantics);
  return m_.fail("this memory order has no SPIR-V form");
}

void FunctionEmitter::call_atomic(const Instruction& instruction, StringRef name, ArrayRef<const Value*> values,
                                  ArrayRef<Id> facts) {
  std::string full = ("llvm:" + name).str();
  std::vector<Type*> parameters;
  std::vector<Id> words{0};
  for (const Value* operand : values) {
    full += "." + mangle(operand->getType());
    parameters.push_back(operand->getType());
    words.push_back(value(operand, byte_));
  }
  if (values.size() == 1)
    full += "." + mangle(instruction.getType());
  // The facts are i32 but for the trailing i1s: volatile, weak.
  Type* i32 = Type::getInt32Ty(m_.context());
  Type* i1 = Type::getInt1Ty(m_.context());
  size_t flags = isa<AtomicCmpXchgInst>(instruction) ? 2 : 1;
  for (size_t i = 0; i < facts.size(); ++i)
    parameters.push_back(i + flags < facts.size() ? i32 : i1);
  words.insert(words.end(), facts.begin(), facts.end());
  words[0] = m_.imported(full, FunctionType::get(instruction.getType(), parameters, false));
  op(Op::OpFunctionCall, instruction, words);
}

void FunctionEmitter::atomic_load(const LoadInst& load) {
  Id scope_id = scope(load, load.getSyncScopeID()), order = semantics(load.getOrdering());
  if (has_atomic_opcode(load, m_.data_layout())) {
    if (load.getType()->isIntegerTy(64))
      m_.capability(spv::Capability::Int64Atomics);
    return op(Op::OpAtomicLoad, load, {operand(load, 0), scope_id, order});
  }
  call_atomic(load, "load", {load.getPointerOperand()},
              {scope_id, order, m_.u32(uint32_t(load.getAlign().value())),
               m_.boolean(Type::getInt1Ty(m_.context()), load.isVolatile())});
}

void FunctionEmitter::atomic_store(const StoreInst& store) {
  Id scope_id = scope(store, store.getSyncScopeID()), order = semantics(store.getOrdering());
  if (has_atomic_opcode(store, m_.data_layout())) {
    if (store.getValueOperand()->getType()->isIntegerTy(64))
      m_.capability(spv::Capability::Int64Atomics);
    Id stored = operand(store, 0), pointer = operand(store, 1);
    out_.add(Op::OpAtomicStore, {pointer, scope_id, order, stored});
    return;
  }
  call_atomic(store, "store", {store.getPointerOperand(), store.getValueOperand()},
              {scope_id, order, m_.u32(uint32_t(store.getAlign().value())),
               m_.boolean(Type::getInt1Ty(m_.context()), store.isVolatile())});
}

void FunctionEmitter::atomic_rmw(const Instruction& instruction) {
  auto& rmw = cast<AtomicRMWInst>(instruction);
  Type* type = rmw.getValOperand()->getType();
  Id scope_id = scope(rmw, rmw.getSyncScopeID()), order = semantics(rmw.getOrdering());
  if (!has_atomic_opcode(rmw, m_.data_layout()))
    return call_atomic(rmw, ("atomicrmw." + AtomicRMWInst::getOperationName(rmw.getOperation())).str(),
                       {rmw.getPointerOperand(), rmw.getValOperand()},
                       {scope_id, order, m_.u32(uint32_t(rmw.getAlign().value())),
                        m_.boolean(Type::getInt1Ty(m_.context()), rmw.isVolatile())});
  Op opcode = to_spirv(atomic_ops, rmw.getOperation());
  for (const auto& row : float_atomics)
    if (row.opcode == opcode && row.bits == type->getScalarSizeInBits())
      m_.capability(row.capability, row.extension);
  if (type->isIntegerTy(64))
    m_.capability(spv::Capability::Int64Atomics);
  op(opcode, rmw, {operand(rmw, 0), scope_id, order, operand(rmw, 1)});
}

// SPIR-V gives the old value only; LLVM also says whether it was the expected one.
void FunctionEmitter::compare_exchange(const Instruction& instruction) {
  auto& exchange = cast<AtomicCmpXchgInst>(instruction);
  Type* type = exchange.getNewValOperand()->getType();
  Type* i1 = Type::getInt1Ty(m_.context());
  Id scope_id = scope(exchange, exchange.getSyncScopeID());
  Id success = semantics(exchange.getSuccessOrdering()), failure = semantics(exchange.getFailureOrdering());
  if (!has_atomic_opcode(exchange, m_.data_layout()))
    return call_atomic(exchange, "cmpxchg",
                       {exchange.getPointerOperand(), exchange.getCompareOperand(), exchange.getNewValOperand()},
                       {scope_id, success, failure, m_.u32(uint32_t(exchange.getAlign().value())),
                        m_.boolean(i1, exchange.isVolatile()), m_.boolean(i1, exchange.isWeak())});
  if (type->isIntegerTy(64))
    m_.capability(spv::Capability::Int64Atomics);
  Id pointer = operand(exchange, 0), expected = operand(exchange, 1), replacement = operand(exchange, 2);
  Id old = op(Op::OpAtomicCompareExchange, type, {pointer, scope_id, success, failure, replacement, expected});
  Id equal = op(Op::OpIEqual, i1, {old, expected});
  op(Op::OpCompositeConstruct, exchange, {old, equal});
  if (exchange.isWeak())
    flags(id(&exchange), flag::weak);
}

void FunctionEmitter::fence(const Instruction& instruction) {
  auto& fence = cast<FenceInst>(instruction);
  Id scope_id = scope(fence, fence.getSyncScopeID()), order = semantics(fence.getOrdering());
  out_.add(Op::OpMemoryBarrier, {scope_id, order});
}

} // namespace kiln::translate
