// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions (specification 3.49.9): header, order of blocks, and one instruction after the other.
#include "translate/emit_function.h"

#include <llvm/IR/Dominators.h>

#include <queue>

namespace kiln::translate {

using namespace llvm;
using spirv::Kiln;
using spv::Op;

namespace {

struct InstructionRow {
  unsigned opcode;
  FunctionEmitter::Handler handler;
};
using F = FunctionEmitter;
// clang-format off
constexpr InstructionRow instructions[] = {
    {Instruction::FNeg,           &F::negate},
    {Instruction::Add,            &F::binary},          {Instruction::FAdd,          &F::binary},
    {Instruction::Sub,            &F::binary},          {Instruction::FSub,          &F::binary},
    {Instruction::Mul,            &F::binary},          {Instruction::FMul,          &F::binary},
    {Instruction::UDiv,           &F::binary},          {Instruction::SDiv,          &F::binary},
    {Instruction::URem,           &F::binary},          {Instruction::SRem,          &F::binary},
    {Instruction::FDiv,           &F::binary},          {Instruction::FRem,          &F::binary},
    {Instruction::Shl,            &F::binary},          {Instruction::LShr,          &F::binary},
    {Instruction::AShr,           &F::binary},          {Instruction::And,           &F::binary},
    {Instruction::Or,             &F::binary},          {Instruction::Xor,           &F::binary},
    {Instruction::ICmp,           &F::compare},         {Instruction::FCmp,          &F::compare},
    {Instruction::Trunc,          &F::conversion},            {Instruction::ZExt,          &F::conversion},
    {Instruction::SExt,           &F::conversion},            {Instruction::FPTrunc,       &F::conversion},
    {Instruction::FPExt,          &F::conversion},            {Instruction::FPToUI,        &F::conversion},
    {Instruction::FPToSI,         &F::conversion},            {Instruction::UIToFP,        &F::conversion},
    {Instruction::SIToFP,         &F::conversion},            {Instruction::PtrToInt,      &F::conversion},
    {Instruction::PtrToAddr,      &F::conversion},            {Instruction::IntToPtr,      &F::conversion},
    {Instruction::BitCast,        &F::conversion},            {Instruction::AddrSpaceCast, &F::address_space_cast},
    {Instruction::Select,         &F::select},          {Instruction::Freeze,        &F::freeze},
    {Instruction::ExtractValue,   &F::extract_value},   {Instruction::InsertValue,   &F::insert_value},
    {Instruction::ExtractElement, &F::extract_element}, {Instruction::InsertElement, &F::insert_element},
    {Instruction::ShuffleVector,  &F::shuffle_vector},
    {Instruction::Alloca,         &F::alloca_},         {Instruction::GetElementPtr, &F::get_element_ptr},
    {Instruction::Load,           &F::load},            {Instruction::Store,         &F::store},
    {Instruction::AtomicRMW,      &F::atomic_rmw},      {Instruction::AtomicCmpXchg, &F::compare_exchange},
    {Instruction::Fence,          &F::fence},
    {Instruction::PHI,            &F::phi},             {Instruction::Call,          &F::call},
    {Instruction::Br,             &F::branch},          {Instruction::Switch,        &F::switch_},
    {Instruction::Ret,            &F::return_},         {Instruction::Unreachable,   &F::unreachable},
};
// clang-format on

FunctionEmitter::Handler handler_of(unsigned opcode) {
  static const auto table = [] {
    std::array<FunctionEmitter::Handler, 128> handlers{};
    for (const auto& row : instructions)
      handlers[row.opcode] = row.handler;
    return handlers;
  }();
  return opcode < table.size() ? table[opcode] : nullptr;
}

// fcmp true and false: no instruction, its users take the constant.
bool is_constant_compare(const Instruction& instruction) {
  auto* compare = dyn_cast<FCmpInst>(&instruction);
  return compare && (compare->getPredicate() == CmpInst::FCMP_FALSE || compare->getPredicate() == CmpInst::FCMP_TRUE);
}

uint32_t function_control(const Function& function) {
  uint32_t control = 0;
  if (function.hasFnAttribute(Attribute::AlwaysInline))
    control |= uint32_t(spv::FunctionControlMask::Inline);
  if (function.hasFnAttribute(Attribute::NoInline))
    control |= uint32_t(spv::FunctionControlMask::DontInline);
  if (function.doesNotAccessMemory())
    control |= uint32_t(spv::FunctionControlMask::Const);
  else if (function.onlyReadsMemory())
    control |= uint32_t(spv::FunctionControlMask::Pure);
  return control;
}

} // namespace

void emit_function(ModuleEmitter& module, const Function& function) {
  FunctionEmitter(module, function).run();
}

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, const Function& function)
    : m_(module), function_(function), pointers_(module.pointers(function)), out_(module.definitions),
      byte_(Type::getInt8Ty(function.getContext())) {}

void FunctionEmitter::run() {
  blocks_ = order_blocks();
  plan_casts();
  emit_header();
  for (const BasicBlock* block : blocks_) {
    emit_block(*block);
    if (m_.failed())
      return;
  }
  out_.add(Op::OpFunctionEnd, {});
}

// SPIR-V wants a block after the block that dominates it. LLVM's order is kept wherever that allows it.
std::vector<const BasicBlock*> FunctionEmitter::order_blocks() {
  DominatorTree tree(const_cast<Function&>(function_)); // only reads
  DenseMap<const BasicBlock*, unsigned> position;
  std::vector<const BasicBlock*> by_position;
  for (const BasicBlock& block : function_) {
    position[&block] = unsigned(by_position.size());
    by_position.push_back(&block);
  }
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  ready.push(0);
  std::vector<const BasicBlock*> order;
  while (!ready.empty()) {
    const BasicBlock* block = by_position[ready.top()];
    ready.pop();
    order.push_back(block);
    reachable_.insert(block);
    for (auto* child : tree.getNode(block)->children())
      ready.push(position[child->getBlock()]);
  }
  return order;
}

void FunctionEmitter::plan_casts() {
  for (const BasicBlock* block : blocks_)
    for (const Instruction& instruction : *block) {
      m_.current_instruction(&instruction);
      if (is_dropped_call(instruction) || strip(&instruction) != &instruction)
        continue;
      // A type without a SPIR-V form is found here, while it is known whose it is.
      if (!is_pointer(instruction.getType()))
        m_.type(instruction.getType());
      auto* phi = dyn_cast<PHINode>(&instruction);
      for (const Use& use : instruction.operands()) {
        const Value* pointer = strip(use.get());
        if (!is_pointer(pointer->getType()) || isa<Constant, InlineAsm>(pointer))
          continue;
        if (phi && !reachable(phi->getIncomingBlock(use)))
          continue;
        Type* pointee = required_pointee(use);
        if (pointee && pointee != pointers_.natural(pointer) && !is_contained(planned_[pointer], pointee))
          planned_[pointer].push_back(pointee);
      }
    }
  m_.current_instruction(nullptr);
}

void FunctionEmitter::emit_header() {
  Id result = m_.type(function_.getReturnType());
  Id signature = m_.function_type(function_);
  out_.add(Op::OpFunction, {result, m_.function(function_), function_control(function_), signature});
  for (const Argument& argument : function_.args())
    ids_[&argument] = m_.parameter(out_, argument);
}

void FunctionEmitter::emit_variables() {
  std::vector<const AllocaInst*> variables;
  for (const BasicBlock* block : blocks_)
    for (const Instruction& instruction : *block)
      if (auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && is_static(*alloca))
        variables.push_back(alloca);
  for (const AllocaInst* alloca : variables) {
    m_.current_instruction(alloca);
    if (alloca->getAddressSpace() != 0 || alloca->isUsedWithInAlloca() || alloca->isSwiftError()) {
      m_.fail("an alloca of this kind has no SPIR-V form");
      return;
    }
    op(Op::OpVariable, *alloca, {uint32_t(spv::StorageClass::Function)});
    m_.decorate(id(alloca), spv::Decoration::Alignment, {uint32_t(alloca->getAlign().value())});
    if (auto* count = cast<ConstantInt>(alloca->getArraySize()); !count->isOne())
      allocas_.emplace_back(count, id(alloca));
  }
  m_.current_instruction(nullptr);
  for (const Argument& argument : function_.args())
    emit_casts(&argument);
  for (const AllocaInst* alloca : variables)
    emit_casts(alloca);
}

void FunctionEmitter::emit_block(const BasicBlock& block) {
  out_.add(Op::OpLabel, {id(&block)});
  if (&block == blocks_.front())
    emit_variables();
  for (const PHINode& node : block.phis()) {
    m_.current_instruction(&node);
    phi(node);
  }
  for (const PHINode& node : block.phis())
    emit_casts(&node);
  for (const Instruction& instruction : block) {
    if (isa<PHINode>(instruction))
      continue;
    m_.current_instruction(&instruction);
    if (instruction.isTerminator())
      emit_block_facts();
    emit_instruction(instruction);
    if (m_.failed())
      return;
  }
  m_.current_instruction(nullptr);
}

void FunctionEmitter::emit_instruction(const Instruction& instruction) {
  if (is_dropped_call(instruction) || strip(&instruction) != &instruction || !predicate_name(&instruction).empty() ||
      is_constant_compare(instruction))
    return;
  if (auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && is_static(*alloca))
    return;
  Handler handler = handler_of(instruction.getOpcode());
  if (!handler) {
    m_.fail("instruction '" + Twine(instruction.getOpcodeName()) + "' has no SPIR-V form");
    return;
  }
  // Kiln's instructions speak of the next one, so the cast of an indirect callee comes before them.
  if (auto* call = dyn_cast<CallInst>(&instruction); call && !call->isInlineAsm() && !direct_callee(*call))
    prepare_indirect(*call);
  emit_attachments(instruction);
  (this->*handler)(instruction);
  if (is_pointer(instruction.getType()))
    emit_casts(&instruction);
}

void FunctionEmitter::emit_casts(const Value* value) {
  auto found = planned_.find(value);
  if (found == planned_.end())
    return;
  for (Type* pointee : found->second) {
    Id& cast = casts_[{value, pointee}];
    if (!cast)
      cast = m_.new_id();
    Id type_id = m_.type(value->getType(), pointee);
    out_.add(Op::OpBitcast, {type_id, cast, id(value)});
  }
}

void FunctionEmitter::emit_attachments(const Instruction& instruction) {
  if (!instruction.hasMetadataOtherThanDebugLoc() || !m_.aux_data())
    return;
  SmallVector<std::pair<unsigned, MDNode*>> attachments;
  instruction.getAllMetadataOtherThanDebugLoc(attachments);
  SmallVector<StringRef> kinds;
  m_.context().getMDKindNames(kinds);
  for (auto [kind, node] : attachments) {
    if (kind == LLVMContext::MD_nontemporal && isa<LoadInst, StoreInst>(instruction) && !instruction.isAtomic())
      continue; // a memory operand says it
    Id name = m_.string(kinds[kind]);
    kiln(Kiln::Attach, {name, m_.metadata(node)});
  }
}

void FunctionEmitter::emit_block_facts() {
  for (const auto& [bits, ids] : flags_)
    m_.kiln_list(out_, Kiln::Flags, {m_.u32(bits)}, ids);
  m_.kiln_list(out_, Kiln::Freeze, {}, freezes_);
  for (auto [count, id] : allocas_)
    kiln(Kiln::Alloca, {m_.constant(count), id});
  flags_.clear();
  freezes_.clear();
  allocas_.clear();
}

Type* FunctionEmitter::required_pointee(const Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  unsigned index = use.getOperandNo();
  if (!is_pointer(use->getType()))
    return nullptr;
  auto atomic = [&](Type* type) { return has_atomic_opcode(*user, m_.data_layout()) ? type : byte_; };
  if (auto* load = dyn_cast<LoadInst>(user))
    return load->isAtomic() ? atomic(load->getType()) : load->getType();
  if (auto* store = dyn_cast<StoreInst>(user)) {
    Type* type = store->getValueOperand()->getType();
    return index == 0 ? byte_ : store->isAtomic() ? atomic(type) : type;
  }
  if (auto* rmw = dyn_cast<AtomicRMWInst>(user))
    return index == 0 ? atomic(rmw->getValOperand()->getType()) : byte_;
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(user))
    return index == 0 ? atomic(exchange->getNewValOperand()->getType()) : byte_;
  if (auto* chain = dyn_cast<GetElementPtrInst>(user))
    return index == 0 ? chain->getSourceElementType() : byte_;
  if (isa<PHINode, SelectInst, FreezeInst, AddrSpaceCastInst>(user))
    return pointers_.natural(user);
  if (isa<PtrToIntInst, PtrToAddrInst>(user))
    return nullptr;
  if (isa<ICmpInst>(user)) {
    // Both sides alike: as the first one that is not a constant.
    for (const Value* side : user->operands())
      if (const Value* pointer = strip(side); !isa<Constant>(pointer))
        return pointers_.natural(pointer);
    return byte_;
  }
  if (auto* call = dyn_cast<CallBase>(user))
    return required_by_call(*call, use);
  return byte_; // stored in an aggregate, returned
}

const Value* FunctionEmitter::strip(const Value* value) {
  while (auto* cast = dyn_cast<BitCastInst>(value)) {
    if (cast->getType() != cast->getOperand(0)->getType())
      break;
    value = cast->getOperand(0);
  }
  return value;
}

Id FunctionEmitter::id(const Value* value) {
  Id& id = ids_[value];
  if (!id)
    id = m_.new_id();
  return id;
}

Id FunctionEmitter::value(const Value* value, Type* pointee) {
  value = strip(value);
  if (auto* constant = dyn_cast<Constant>(value))
    return m_.constant(constant, pointee);
  if (auto* compare = dyn_cast<FCmpInst>(value); compare && is_constant_compare(*compare))
    return m_.boolean(compare->getType(), compare->getPredicate() == CmpInst::FCMP_TRUE);
  if (auto name = predicate_name(value); !name.empty())
    return m_.predicate(name);
  if (!isa<Instruction, Argument>(value))
    return m_.fail("an operand of this instruction has no SPIR-V form");
  if (pointee && is_pointer(value->getType()) && pointee != pointers_.natural(value)) {
    Id& cast = casts_[{value, pointee}];
    if (!cast)
      cast = m_.new_id();
    return cast;
  }
  return id(value);
}

std::vector<Id> FunctionEmitter::operands(const Instruction& instruction) {
  std::vector<Id> ids;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i)
    ids.push_back(operand(instruction, i));
  return ids;
}

Id FunctionEmitter::type_of(const Value* value) {
  return m_.type(value->getType(), is_pointer(value->getType()) ? pointers_.natural(value) : nullptr);
}

void FunctionEmitter::op(Op opcode, const Instruction& result, ArrayRef<uint32_t> operands) {
  Id type_id = type_of(&result);
  out_.begin(opcode).word(type_id).word(id(&result)).words(operands).end();
}

Id FunctionEmitter::op(Op opcode, Type* type, ArrayRef<uint32_t> operands) {
  Id type_id = m_.type(type);
  Id result = m_.new_id();
  out_.begin(opcode).word(type_id).word(result).words(operands).end();
  return result;
}

void FunctionEmitter::flags(Id id, uint32_t bits) {
  if (!bits || !m_.aux_data())
    return;
  for (auto& [known, ids] : flags_)
    if (known == bits) {
      ids.push_back(id);
      return;
    }
  flags_.push_back({bits, {id}});
}

} // namespace kiln::translate
