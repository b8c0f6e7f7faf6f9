// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading one function's blocks. The block handlers of all chapters work on this class: take operands with value() and
// its checked relatives, insert() what they build, define() the result id.
#pragma once

#include "translate/read_module.h"

namespace kiln::translate::reading {

class FunctionReader {
public:
  FunctionReader(ModuleReader& module, uint32_t index)
      : module(module), info(module.functions[index]), function(info.function), context(module.context),
        index_(index + 1) {}
  ~FunctionReader();
  Result<void> run();

  // The value of an id, or of one that is defined further down in this function (a placeholder).
  Result<llvm::Value*> value(const Inst& inst, uint32_t id);
  Result<llvm::Value*> pointer(const Inst& inst, uint32_t id); // a scalar pointer
  Result<llvm::BasicBlock*> label(const Inst& inst, uint32_t id);
  Result<llvm::Type*> result_type(const Inst& inst) { return module.value_type(inst, inst[1]); }

  // Two operands of one type, which `accepts` accepts.
  struct Pair {
    llvm::Value* left;
    llvm::Value* right;
  };
  Result<Pair> operands(const Inst& inst, uint32_t first, uint32_t second);

  // Appends to the block. `made` is the instruction that Kiln's Attach rows speak of: the last one inserted, unless a
  // handler sets another.
  template <class I> I* insert(I* instruction) {
    instruction->insertInto(block, block->end());
    made = instruction;
    return instruction;
  }
  // Gives the result id its value; the type must be the one that the instruction names.
  Result<void> define(const Inst& inst, llvm::Value* value);
  // Gives it a value that is the operand itself (a cast between pointee types).
  Result<void> define_same(const Inst& inst, llvm::Value* value);
  llvm::Value* cast_address_space(llvm::Value* pointer, llvm::Type* type); // nothing if it is the same one
  llvm::CallInst* call_intrinsic(llvm::Function* callee, llvm::ArrayRef<llvm::Value*> arguments);
  void decorate(const Inst& inst, llvm::Instruction* instruction); // wrap flags and fast-math flags

  Error malformed(const Inst& inst, std::string_view what) const { return module.malformed(inst, what); }
  Error unsupported(const Inst& inst, std::string_view what) const { return module.unsupported(inst, what); }

  ModuleReader& module;
  FunctionInfo& info;
  llvm::Function* function;
  llvm::LLVMContext& context;
  llvm::BasicBlock* block = nullptr;
  llvm::Instruction* made = nullptr;

  // Kiln rows that speak of the next instruction.
  struct Pending {
    llvm::SmallVector<uint32_t, 4> attachments; // offsets
    llvm::SmallVector<uint32_t, 4> metadata_operands;
    uint32_t call_attributes = 0;
    uint32_t sync_scope = 0;
    void clear() {
      attachments.clear();
      metadata_operands.clear();
      call_attributes = sync_scope = 0;
    }
  } pending;

  struct Phi {
    llvm::PHINode* node;
    uint32_t offset;
  };
  std::vector<Phi> phis;
  // OpAtomicCompareExchange gives the old value only; the pair that LLVM has is recognised later.
  struct Exchange {
    uint32_t id;
    uint32_t comparator;
    llvm::AtomicCmpXchgInst* instruction;
    llvm::Instruction* old;
  };
  std::vector<Exchange> exchanges;              // of the current block
  std::vector<llvm::WeakTrackingVH> maybe_dead; // helpers that go if nothing uses them

private:
  Result<void> read_instruction(const Inst& inst);
  Result<void> start_block(const Inst& inst);
  Result<void> fill_phis();
  Result<void> fill_phi(const Phi& phi);
  void attach();
  void remove_helpers();

  uint32_t index_;
  std::vector<uint32_t> placeholders_;          // ids
  std::vector<llvm::Instruction*> transparent_; // casts to the same type that stand in for a placeholder's user
};

Result<void> read_block_row(FunctionReader& reader, const Inst& inst, uint32_t number);

} // namespace kiln::translate::reading
