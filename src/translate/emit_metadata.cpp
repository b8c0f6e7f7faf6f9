// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's metadata as NonSemantic.Kiln.1 values. Debug information is not carried.
#include "translate/emit_module.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/raw_ostream.h>

namespace kiln::translate {

using namespace llvm;
using spirv::Kiln;
using spv::Op;

void ModuleEmitter::kiln(spirv::Section& section, Kiln instruction, ArrayRef<Id> operands) {
  if (!aux_data())
    return;
  if (!kiln_set_) {
    kiln_set_ = new_id();
    if (options_.version < spirv::version_1_6) // core since then
      extensions_.insert("SPV_KHR_non_semantic_info");
  }
  Id result = void_type();
  section.begin(Op::OpExtInst)
      .word(result)
      .word(new_id())
      .word(kiln_set_)
      .word(uint32_t(instruction))
      .words(operands)
      .end();
}

void ModuleEmitter::kiln_list(spirv::Section& section, Kiln instruction, ArrayRef<Id> head, ArrayRef<Id> list) {
  const size_t limit = spirv::max_instruction_words - 5 - head.size();
  for (; !list.empty(); list = list.drop_front(std::min(list.size(), limit))) {
    std::vector<Id> operands = head.vec();
    append_range(operands, list.take_front(limit));
    kiln(section, instruction, operands);
  }
}

// Equal values are written once; distinct nodes do not come here.
Id ModuleEmitter::kiln_value(Kiln instruction, ArrayRef<Id> operands) {
  std::vector<Id> key{uint32_t(instruction)};
  key.insert(key.end(), operands.begin(), operands.end());
  Id& id = kiln_values_[key];
  if (!id) {
    kiln(globals, instruction, operands);
    id = next_id_ - 1;
  }
  return id;
}

Id ModuleEmitter::metadata(const Metadata* node) {
  if (!node)
    return kiln_value(Kiln::MDNull, {});
  if (auto found = metadata_.find(node); found != metadata_.end())
    return found->second;
  Id id = 0;
  if (auto* text = dyn_cast<MDString>(node))
    id = kiln_value(Kiln::MDString, {string(text->getString())});
  else if (auto* value = dyn_cast<ConstantAsMetadata>(node))
    id = kiln_value(Kiln::MDConstant, {constant(value->getValue())});
  else if (auto* tree = dyn_cast<MDNode>(node); tree && !isa<DINode, DILocation>(node))
    id = metadata_node(tree);
  else {
    std::string text;
    raw_string_ostream stream(text);
    node->print(stream);
    return fail("metadata '" + Twine(text) + "' has no form in Kiln's SPIR-V");
  }
  metadata_[node] = id;
  return id;
}

Id ModuleEmitter::metadata_node(const MDNode* node) {
  if (!metadata_in_progress_.insert(node).second)
    return fail("metadata nodes refer to each other in a circle, which has no form in Kiln's SPIR-V");
  std::vector<Id> operands;
  for (const MDOperand& operand : node->operands()) {
    if (isa_and_nonnull<DINode, DILocation>(operand.get()))
      continue; // source ranges of loops
    operands.push_back(operand.get() == node ? kiln_value(Kiln::MDSelf, {}) : metadata(operand.get()));
  }
  metadata_in_progress_.erase(node);
  if (!node->isDistinct())
    return kiln_value(Kiln::MDNode, operands);
  kiln(globals, Kiln::MDDistinct, operands);
  return next_id_ - 1;
}

void ModuleEmitter::emit_global_attachments(const GlobalObject& value, Id id) {
  SmallVector<std::pair<unsigned, MDNode*>> attachments;
  value.getAllMetadata(attachments);
  SmallVector<StringRef> kinds;
  context().getMDKindNames(kinds);
  for (auto [kind, node] : attachments)
    if (kind != LLVMContext::MD_dbg && aux_data())
      kiln(module_facts_, Kiln::GlobalAttach, {id, string(kinds[kind]), metadata(node)});
}

void ModuleEmitter::emit_named_metadata() {
  if (!aux_data())
    return;
  for (const NamedMDNode& named : module_.named_metadata()) {
    StringRef name = named.getName();
    if (name == "llvm.dbg.cu" || name == "llvm.ident" || name == "llvm.commandline" || name.starts_with("opencl."))
      continue;
    std::vector<Id> operands{string(name)};
    for (const MDNode* node : named.operands()) {
      // "Debug Info Version" would promise what is not there.
      auto* key = node->getNumOperands() == 3 ? dyn_cast_or_null<MDString>(node->getOperand(1).get()) : nullptr;
      if (key && key->getString() == "Debug Info Version")
        continue;
      operands.push_back(metadata(node));
    }
    if (operands.size() > 1)
      kiln(module_facts_, Kiln::NamedMetadata, operands);
  }
}

} // namespace kiln::translate
