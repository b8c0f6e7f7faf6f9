// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metadata from Kiln's rows, in the order they stand: a node's operands come before it, and a distinct node may name
// itself.
#include "translate/read_module.h"

#include <llvm/IR/Metadata.h>

namespace kiln::translate::reading {
namespace {

void make_node(ModuleReader& reader, const Inst& inst, Def& def) {
  const bool distinct = spirv::Kiln(inst[4]) == spirv::Kiln::MDDistinct;
  llvm::SmallVector<llvm::Metadata*, 8> operands;
  llvm::SmallVector<unsigned, 2> selves;
  unsigned depth = 0;
  for (uint32_t id : inst.from(5)) {
    Def* operand = reader.find(id);
    if (operand && operand->metadata_self)
      selves.push_back(unsigned(operands.size()));
    if (operand)
      depth = std::max<unsigned>(depth, operand->depth);
    operands.push_back(operand ? operand->metadata : nullptr);
  }
  if (!reader.set_depth(inst, def, depth + 1, max_metadata_depth))
    return;
  if (!distinct) {
    def.metadata = llvm::MDNode::get(reader.context, operands);
    return;
  }
  llvm::MDNode* node = llvm::MDNode::getDistinct(reader.context, operands);
  for (unsigned at : selves)
    node->replaceOperandWith(at, node);
  def.metadata = node;
}

} // namespace

void read_metadata_row(ModuleReader& reader, const Inst& inst, Def& def) {
  switch (spirv::Kiln(inst[4])) {
  case spirv::Kiln::MDString:
    if (inst.count() > 5)
      if (Result<llvm::StringRef> text = reader.string(inst, inst[5]))
        def.metadata = llvm::MDString::get(reader.context, *text);
    break;
  case spirv::Kiln::MDConstant:
    if (inst.count() > 5)
      if (Result<llvm::Constant*> value = reader.constant(inst, inst[5]))
        def.metadata = llvm::ConstantAsMetadata::get(*value);
    break;
  case spirv::Kiln::MDSelf:
    def.metadata_self = true;
    break;
  case spirv::Kiln::MDNode:
  case spirv::Kiln::MDDistinct:
    make_node(reader, inst, def);
    break;
  default:
    break; // MDNull stays null
  }
}

// For modules of other producers: what Kiln's own say as metadata.
void apply_execution_modes(ModuleReader& reader) {
  auto* word = llvm::Type::getInt32Ty(reader.context);
  for (uint32_t offset : reader.execution_modes) {
    Inst inst = reader.at(offset);
    const auto mode = spv::ExecutionMode(inst[2]);
    const char* kind = mode == spv::ExecutionMode::LocalSize               ? "reqd_work_group_size"
                       : mode == spv::ExecutionMode::LocalSizeHint         ? "work_group_size_hint"
                       : mode == spv::ExecutionMode::MaxWorkgroupSizeINTEL ? "max_work_group_size"
                                                                           : nullptr;
    Def* def = reader.find(inst[1]);
    if (!kind || inst.count() < 6 || !def || def->kind != Kind::function)
      continue;
    llvm::Function* function = reader.functions[def->extra].function;
    if (!function || function->isIntrinsic() || function->getMetadata(kind))
      continue;
    llvm::Metadata* sizes[3];
    for (unsigned i = 0; i < 3; ++i)
      sizes[i] = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, inst[3 + i]));
    function->setMetadata(kind, llvm::MDNode::get(reader.context, sizes));
  }
}

} // namespace kiln::translate::reading
