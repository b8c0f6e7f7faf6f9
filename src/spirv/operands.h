// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits an instruction's words into operands as the grammar says: enumerants with their parameters, strings, pairs,
// the operands of extended instructions and of OpSpecConstantOp, the literals of OpSwitch.
#pragma once

#include "spirv/grammar.h"
#include "spirv/module.h"

#include <vector>

namespace kiln::spirv {

struct Operand {
  OperandKind kind;
  uint32_t first; // word of the instruction
  uint32_t count; // words
  [[nodiscard]] bool is_id() const { return category(kind) == Category::id; }
  // An id that the instruction uses (all but its own result).
  [[nodiscard]] bool is_use() const { return is_id() && kind != OperandKind::IdResult; }
};

// What cannot be known from one instruction alone.
class OperandContext {
public:
  virtual ~OperandContext() = default;
  // The instruction set that an OpExtInstImport with this id names; nullptr if there is no table for it.
  [[nodiscard]] virtual const ExtInstSet* import_set(uint32_t id) const = 0;
  // How many words a literal of the type of the value `id` takes (the selector of an OpSwitch); 0 if that is not known.
  [[nodiscard]] virtual uint32_t literal_words(uint32_t id) const = 0;
};

// Replaces the content of `operands`. Errors: an unknown opcode (unsupported), missing or left-over words, an operand
// that the grammar does not know.
[[nodiscard]] Result<void> split_operands(const Instruction& instruction, const OperandContext& context,
                                          std::vector<Operand>& operands);

} // namespace kiln::spirv
