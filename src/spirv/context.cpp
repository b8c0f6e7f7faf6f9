// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/context.h"

namespace kiln::spirv {

ModuleContext::ModuleContext(const Module& module)
    : module_(module), definitions_(module.header().bound, module.words().size()) {
  uint32_t bound = module.header().bound;
  for (Instruction instruction : module) {
    uint32_t id = instruction.result();
    if (id == 0 || id >= bound || definitions_.get(id) != 0)
      continue;
    definitions_.set(id, instruction.offset);
    if (instruction.opcode == spv::Op::OpExtInstImport)
      if (auto name = instruction.string(2))
        for (uint32_t position = 0; const ExtInstSet* set = ext_inst_set(position); ++position)
          if (set->name == *name)
            import_sets_.set(id, position + 1);
  }
}

std::optional<Instruction> ModuleContext::find(uint32_t id) const {
  uint32_t offset = definition(id);
  return offset ? std::optional(module_.at(offset)) : std::nullopt;
}

uint32_t ModuleContext::type_of(uint32_t id) const {
  auto value = find(id);
  return value && result_word(value->opcode) == 2 ? value->word(1) : 0;
}

uint32_t ModuleContext::type_literal_words(uint32_t type) const {
  auto instruction = find(type);
  bool number =
      instruction && (instruction->opcode == spv::Op::OpTypeInt || instruction->opcode == spv::Op::OpTypeFloat);
  return number ? uint32_t((uint64_t(instruction->word(2)) + 31) / 32) : 0;
}

const ExtInstSet* ModuleContext::import_set(uint32_t id) const {
  uint32_t position = import_sets_.get(id);
  return position ? ext_inst_set(position - 1) : nullptr;
}

} // namespace kiln::spirv
