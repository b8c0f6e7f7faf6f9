// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where every id of a module is defined, those inside functions too. For whoever looks at a whole module: validation,
// text, the reader. (ModuleIndex leaves function bodies alone.)
#pragma once

#include "spirv/id_map.h"
#include "spirv/operands.h"

namespace kiln::spirv {

class ModuleContext final : public OperandContext {
public:
  // The first definition of an id counts; ids outside of the bound are left out. Validation finds both.
  explicit ModuleContext(const Module& module);

  [[nodiscard]] uint32_t definition(uint32_t id) const { return definitions_.get(id); } // word offset, 0: none
  [[nodiscard]] std::optional<Instruction> find(uint32_t id) const;
  // The result type of the value `id`, 0 if it has none.
  [[nodiscard]] uint32_t type_of(uint32_t id) const;
  [[nodiscard]] uint32_t type_literal_words(uint32_t type) const;

  [[nodiscard]] const ExtInstSet* import_set(uint32_t id) const override;
  [[nodiscard]] uint32_t literal_words(uint32_t id) const override { return type_literal_words(type_of(id)); }

private:
  const Module& module_;
  IdMap definitions_;
  IdMap import_sets_; // id -> position of the table, plus 1
};

} // namespace kiln::spirv
