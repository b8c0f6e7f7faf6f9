// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V's pointers have a type, LLVM's have none. For every pointer value of a function this plan picks one pointee,
// the "natural" one: what the instruction itself dictates (a variable's type, the element a getelementptr yields), else
// the type of its first use in program order, else i8. A use that wants another pointee goes through an OpBitcast, one
// per value and pointee, which the emitter puts right after the value's definition. Pointers in memory, in aggregates,
// and those that come from or go to functions of other modules, point to i8.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace kiln::translate {

class PointerPlan {
public:
  explicit PointerPlan(const llvm::Function& function);

  // Of an argument or instruction that is a pointer or a vector of pointers.
  [[nodiscard]] llvm::Type* natural(const llvm::Value* value) const;

private:
  void want(const llvm::Value* pointer, llvm::Type* pointee);
  llvm::Type* byte_;
  llvm::DenseMap<const llvm::Value*, llvm::Type*> wanted_;
};

[[nodiscard]] inline bool is_pointer(const llvm::Type* type) {
  return type->isPtrOrPtrVectorTy();
}

// A static alloca, of constant size and in the entry block, is a variable: of its type, or an array of it. One in
// another block is new memory each time that control comes by.
[[nodiscard]] bool is_static(const llvm::AllocaInst& alloca);
[[nodiscard]] llvm::Type* alloca_type(const llvm::AllocaInst& alloca);

// Does the operation have a SPIR-V opcode of its own? Others are calls of an imported function.
[[nodiscard]] bool has_atomic_opcode(const llvm::Instruction& instruction, const llvm::DataLayout& layout);

} // namespace kiln::translate
