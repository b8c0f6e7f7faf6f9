// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitter's view of one function body. An instruction is emitted by a member function found in one table
// (emit_functions.cpp); the chapters of the specification are files.
#pragma once

#include "translate/emit_module.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace kiln::translate {

void emit_function(ModuleEmitter& module, const llvm::Function& function);

class FunctionEmitter {
public:
  FunctionEmitter(ModuleEmitter& module, const llvm::Function& function);
  void run();

  using Handler = void (FunctionEmitter::*)(const llvm::Instruction&);

  // emit_arithmetic.cpp, emit_conversion.cpp, emit_bool.cpp
  void binary(const llvm::Instruction& instruction);
  void negate(const llvm::Instruction& instruction);
  void compare(const llvm::Instruction& instruction);
  void conversion(const llvm::Instruction& instruction);
  void address_space_cast(const llvm::Instruction& instruction);
  // emit_composite.cpp
  void select(const llvm::Instruction& instruction);
  void freeze(const llvm::Instruction& instruction);
  void extract_value(const llvm::Instruction& instruction);
  void insert_value(const llvm::Instruction& instruction);
  void extract_element(const llvm::Instruction& instruction);
  void insert_element(const llvm::Instruction& instruction);
  void shuffle_vector(const llvm::Instruction& instruction);
  // emit_memory.cpp
  void alloca_(const llvm::Instruction& instruction);
  void load(const llvm::Instruction& instruction);
  void store(const llvm::Instruction& instruction);
  void get_element_ptr(const llvm::Instruction& instruction);
  // emit_atomics.cpp
  void atomic_rmw(const llvm::Instruction& instruction);
  void compare_exchange(const llvm::Instruction& instruction);
  void fence(const llvm::Instruction& instruction);
  // emit_control.cpp
  void phi(const llvm::Instruction& instruction);
  void branch(const llvm::Instruction& instruction);
  void switch_(const llvm::Instruction& instruction);
  void return_(const llvm::Instruction& instruction);
  void unreachable(const llvm::Instruction& instruction);
  // emit_calls.cpp
  void call(const llvm::Instruction& instruction);

private:
  // Planning and the frame: emit_functions.cpp
  std::vector<const llvm::BasicBlock*> order_blocks();
  void plan_casts();
  void emit_header();
  void emit_variables();
  void emit_block(const llvm::BasicBlock& block);
  void emit_instruction(const llvm::Instruction& instruction);
  void emit_casts(const llvm::Value* value);
  void emit_attachments(const llvm::Instruction& instruction);
  void emit_block_facts();
  [[nodiscard]] bool reachable(const llvm::BasicBlock* block) const { return reachable_.contains(block); }

  // What an operand must point to; null: what it does anyway.
  llvm::Type* required_pointee(const llvm::Use& use);
  llvm::Type* required_by_call(const llvm::CallBase& call, const llvm::Use& use);

  // Values
  static const llvm::Value* strip(const llvm::Value* value); // through bitcasts that do nothing
  Id id(const llvm::Value* value);
  Id value(const llvm::Value* value, llvm::Type* pointee = nullptr);
  Id operand(const llvm::Instruction& instruction, unsigned index) {
    return value(instruction.getOperand(index), required_pointee(instruction.getOperandUse(index)));
  }
  std::vector<Id> operands(const llvm::Instruction& instruction);
  Id type_of(const llvm::Value* value);

  // Writing: the instruction's own result, or an intermediate one.
  void op(spv::Op opcode, const llvm::Instruction& result, llvm::ArrayRef<uint32_t> operands);
  Id op(spv::Op opcode, llvm::Type* type, llvm::ArrayRef<uint32_t> operands);
  void flags(Id id, uint32_t bits);
  void fast_math(const llvm::Instruction& instruction, bool as_decoration = true);
  void wrap_flags(const llvm::Instruction& instruction);
  void kiln(spirv::Kiln instruction, llvm::ArrayRef<Id> operands) { m_.kiln(out_, instruction, operands); }

  // i1: SPIR-V's booleans are no integers.
  void bool_binary(const llvm::Instruction& instruction);
  void bool_compare(const llvm::ICmpInst& compare);
  void bool_to_number(const llvm::CastInst& cast);
  void number_to_bool(const llvm::CastInst& cast);
  void bool_vector_to_integer(const llvm::CastInst& cast);
  void integer_to_bool_vector(const llvm::CastInst& cast);

  void branch_on(const llvm::Value* condition, const llvm::BasicBlock* yes, const llvm::BasicBlock* no);

  // Memory and atomics
  void atomic_load(const llvm::LoadInst& load);
  void atomic_store(const llvm::StoreInst& store);
  Id scope(const llvm::Instruction& instruction, llvm::SyncScope::ID scope);
  Id semantics(llvm::AtomicOrdering ordering);
  void call_atomic(const llvm::Instruction& instruction, llvm::StringRef name,
                   llvm::ArrayRef<const llvm::Value*> values, llvm::ArrayRef<Id> facts);

  // Calls
  bool intrinsic(const llvm::IntrinsicInst& call);
  bool math(const llvm::IntrinsicInst& call);
  void memory_copy(const llvm::MemCpyInst& copy);
  void prepare_indirect(const llvm::CallInst& call);
  void plain_call(const llvm::CallInst& call);
  void asm_call(const llvm::CallInst& call);
  void call_attributes(const llvm::CallBase& call);
  std::vector<Id> arguments(const llvm::CallBase& call);

  ModuleEmitter& m_;
  const llvm::Function& function_;
  const PointerPlan& pointers_;
  spirv::Section& out_;
  llvm::Type* byte_;
  Id code_pointer_ = 0; // of the indirect call at hand
  std::vector<const llvm::BasicBlock*> blocks_;
  llvm::DenseSet<const llvm::BasicBlock*> reachable_;
  llvm::DenseMap<const llvm::Value*, Id> ids_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<llvm::Type*, 2>> planned_;
  llvm::DenseMap<std::pair<const llvm::Value*, llvm::Type*>, Id> casts_;
  // Kiln Flags, Freeze and Alloca of the block at hand.
  std::vector<std::pair<uint32_t, std::vector<Id>>> flags_;
  std::vector<Id> freezes_;
  std::vector<std::pair<const llvm::ConstantInt*, Id>> allocas_;
};

// The function that a call names, if it is called with the type it has.
[[nodiscard]] const llvm::Function* direct_callee(const llvm::CallBase& call);
// NAME of a call of i1 @__kiln_predicate.NAME(), else empty.
[[nodiscard]] llvm::StringRef predicate_name(const llvm::Value* value);
// memcpy of what is not known to be nothing: OpCopyMemorySized.
[[nodiscard]] bool is_sized_copy(const llvm::IntrinsicInst& call);
// A call that leaves no trace in the module.
[[nodiscard]] bool is_dropped_call(const llvm::Instruction& instruction);

} // namespace kiln::translate
