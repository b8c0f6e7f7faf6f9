// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function's blocks, instruction by instruction.
#include "translate/read_body.h"

#include <llvm/IR/CFG.h>

namespace kiln::translate::reading {

FunctionReader::~FunctionReader() {
  // Only after an error are there placeholders left.
  for (uint32_t id : placeholders_)
    if (Def* def = module.find(id); def->placeholder) {
      def->value->replaceAllUsesWith(llvm::PoisonValue::get(def->value->getType()));
      def->value->deleteValue();
      def->value = nullptr;
      def->placeholder = false;
    }
}

Result<llvm::Value*> FunctionReader::value(const Inst& inst, uint32_t id) {
  Def* def = module.find(id);
  if (!def || def->kind != Kind::value)
    return malformed(inst, "operand %" + std::to_string(id) + " is not a value");
  if (def->function && def->function != index_)
    return malformed(inst, "operand " + module.describe(id) + " belongs to another function");
  if (def->value)
    return def->value;
  if (def->predicate) {
    llvm::FunctionCallee callee = module.predicate_function(def->extra);
    auto* call = llvm::CallInst::Create(callee);
    call->setCallingConv(llvm::cast<llvm::Function>(callee.getCallee())->getCallingConv());
    return insert(call);
  }
  if (!def->function)
    return malformed(inst, "operand " + module.describe(id) + " has no value here");
  Inst later = module.at(def->offset);
  if (later.row->layout != Layout::typed)
    return malformed(inst, "operand %" + std::to_string(id) + " is not a value");
  KILN_ASSIGN(llvm::Type * type, module.value_type(later, later[1]));
  def->value = new llvm::Argument(type);
  def->placeholder = true;
  placeholders_.push_back(id);
  return def->value;
}

Result<llvm::Value*> FunctionReader::pointer(const Inst& inst, uint32_t id) {
  KILN_ASSIGN(llvm::Value * result, value(inst, id));
  if (!result->getType()->isPointerTy())
    return malformed(inst, "operand " + module.describe(id) + " is not a pointer");
  return result;
}

Result<llvm::BasicBlock*> FunctionReader::label(const Inst& inst, uint32_t id) {
  Def* def = module.find(id);
  if (!def || def->kind != Kind::label || def->function != index_)
    return malformed(inst, "operand %" + std::to_string(id) + " is not a label of this function");
  return llvm::cast<llvm::BasicBlock>(def->value);
}

Result<FunctionReader::Pair> FunctionReader::operands(const Inst& inst, uint32_t first, uint32_t second) {
  KILN_ASSIGN(llvm::Value * left, value(inst, first));
  KILN_ASSIGN(llvm::Value * right, value(inst, second));
  if (left->getType() != right->getType())
    return malformed(inst, "the operands are not of one type");
  return Pair{left, right};
}

Result<void> FunctionReader::define(const Inst& inst, llvm::Value* result) {
  KILN_ASSIGN(llvm::Type * type, module.type(inst, inst[1]));
  if (result->getType() != type)
    return malformed(inst, "what it computes is not of the result type");
  Def* def = module.find(inst[2]);
  if (def->placeholder) {
    def->value->replaceAllUsesWith(result);
    def->value->deleteValue();
    def->placeholder = false;
  }
  def->value = result;
  return {};
}

Result<void> FunctionReader::define_same(const Inst& inst, llvm::Value* result) {
  // A placeholder goes away when its instruction is met; this id would then hold a dead value. So a cast stands in for
  // it.
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(result); argument && !argument->getParent()) {
    if (result->getType()->isVoidTy())
      return malformed(inst, "the operand has no value");
    auto* cast = new llvm::BitCastInst(result, result->getType());
    cast->insertInto(block, block->end());
    transparent_.push_back(cast);
    result = cast;
  }
  return define(inst, result);
}

llvm::Value* FunctionReader::cast_address_space(llvm::Value* pointer, llvm::Type* type) {
  if (pointer->getType() == type)
    return pointer;
  return insert(new llvm::AddrSpaceCastInst(pointer, type));
}

llvm::CallInst* FunctionReader::call_intrinsic(llvm::Function* callee, llvm::ArrayRef<llvm::Value*> arguments) {
  return insert(llvm::CallInst::Create(callee->getFunctionType(), callee, arguments));
}

Result<void> FunctionReader::start_block(const Inst& inst) {
  if (block && !block->getTerminator())
    return malformed(inst, "the block before it has no terminator");
  block = llvm::cast<llvm::BasicBlock>(module.find(inst[1])->value);
  exchanges.clear();
  pending.clear();
  return {};
}

Result<void> FunctionReader::read_instruction(const Inst& inst) {
  const Row& row = *inst.row;
  if (row.phase == Phase::skip)
    return {};
  if (row.phase == Phase::label)
    return start_block(inst);
  if (!row.block)
    return {}; // scan phases that may stand in functions
  if (block->getTerminator())
    return malformed(inst, "after the terminator of its block");
  const bool speaks_of_next = row.phase == Phase::row;
  made = nullptr;
  KILN_TRY(row.block(*this, inst, row.extra));
  if (!speaks_of_next || made) {
    attach();
    pending.clear();
  }
  return {};
}

void FunctionReader::attach() {
  if (!made)
    return;
  for (uint32_t offset : pending.attachments) {
    Inst inst = module.at(offset);
    Result<llvm::StringRef> kind = module.string(inst, inst[5]);
    Def* node = module.find(inst[6]);
    if (!kind || !node || !node->metadata)
      continue;
    auto* tuple = llvm::dyn_cast<llvm::MDNode>(node->metadata);
    if (!tuple)
      continue;
    if (std::optional<unsigned> number = attachable(module, *kind, tuple))
      made->setMetadata(*number, tuple);
  }
}

Result<void> FunctionReader::fill_phi(const Phi& phi) {
  Inst inst = module.at(phi.offset);
  llvm::SmallDenseMap<llvm::BasicBlock*, llvm::Value*, 8> incoming;
  for (uint32_t i = 3; i + 1 < inst.count(); i += 2) {
    KILN_ASSIGN(llvm::BasicBlock * from, label(inst, inst[i + 1]));
    Def* def = module.find(inst[i]);
    llvm::Value* taken = nullptr;
    if (def && def->predicate) {
      // The call of an undecided predicate goes to the end of the block it comes from.
      llvm::FunctionCallee callee = module.predicate_function(def->extra);
      auto* call = llvm::CallInst::Create(callee);
      call->setCallingConv(llvm::cast<llvm::Function>(callee.getCallee())->getCallingConv());
      call->insertInto(from, from->getTerminator()->getIterator());
      taken = call;
    } else {
      KILN_ASSIGN(taken, value(inst, inst[i]));
    }
    if (taken->getType() != phi.node->getType())
      return malformed(inst, "operand " + module.describe(inst[i]) + " is not of the result type");
    if (auto [known, added] = incoming.try_emplace(from, taken); !added) {
      if (known->second != taken)
        return malformed(inst, "two values from one block");
      continue;
    }
    phi.node->addIncoming(taken, from);
  }
  // LLVM wants one value for each edge; a switch can have several to the same block.
  llvm::SmallDenseMap<llvm::BasicBlock*, unsigned, 8> edges;
  for (llvm::BasicBlock* from : llvm::predecessors(phi.node->getParent()))
    if (++edges[from] > 1)
      if (auto found = incoming.find(from); found != incoming.end())
        phi.node->addIncoming(found->second, from);
  return {};
}

Result<void> FunctionReader::fill_phis() {
  for (const Phi& phi : phis)
    KILN_TRY(fill_phi(phi));
  return {};
}

void FunctionReader::remove_helpers() {
  for (llvm::Instruction* cast : transparent_) {
    llvm::Value* same = cast->getOperand(0);
    cast->replaceAllUsesWith(same == cast ? llvm::PoisonValue::get(cast->getType()) : same);
    cast->eraseFromParent();
  }
  transparent_.clear();
  for (llvm::WeakTrackingVH& handle : maybe_dead)
    if (auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(static_cast<llvm::Value*>(handle)))
      if (instruction->use_empty())
        instruction->eraseFromParent();
}

Result<void> FunctionReader::run() {
  for (unsigned i = 0; i < info.parameters.size(); ++i)
    module.find(info.parameters[i])->value = function->getArg(i);
  for (uint32_t offset = info.begin; offset < info.end; offset += module.words[offset] >> 16)
    if (spv::Op(module.words[offset] & 0xffff) == spv::Op::OpLabel)
      module.find(module.words[offset + 1])->value = llvm::BasicBlock::Create(context, "", function);
  for (uint32_t offset = info.begin; offset < info.end;) {
    Inst inst = module.at(offset);
    KILN_TRY(read_instruction(inst));
    offset += inst.count();
  }
  if (!block->getTerminator())
    return malformed(module.at(info.end), "the last block has no terminator");
  KILN_TRY(fill_phis());
  for (uint32_t id : placeholders_)
    if (module.find(id)->placeholder)
      return malformed(module.at(module.find(id)->offset), "it gives no value");
  remove_helpers();
  return {};
}

Result<void> read_body(ModuleReader& reader, uint32_t function_index) {
  return FunctionReader(reader, function_index).run();
}

} // namespace kiln::translate::reading
