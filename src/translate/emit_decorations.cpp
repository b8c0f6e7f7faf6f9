// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decorations (specification 3.49.3). Most are the same few on many ids (Alignment 4, NoSignedWrap, contract), so they
// are collected, and where that takes fewer words written once and given to a list of ids.
#include "translate/emit_module.h"

namespace kiln::translate {

using spv::Op;

void ModuleEmitter::decorate(Id id, spv::Decoration decoration, std::initializer_list<uint32_t> operands) {
  std::vector<uint32_t> key{uint32_t(decoration)};
  key.insert(key.end(), operands);
  auto [at, is_new] = decoration_index_.try_emplace(key, decorations_.size());
  if (is_new)
    decorations_.emplace_back(key, std::vector<Id>{});
  decorations_[at->second].second.push_back(id);
}

void ModuleEmitter::emit_decorations(spirv::Section& section) {
  section.append(linkage_);
  spirv::Section groups;
  for (const auto& [key, ids] : decorations_) {
    size_t single = ids.size() * (2 + key.size());
    size_t grouped = (2 + key.size()) + 2 + 2 + ids.size();
    // SpecId must not stand in a group; it never is shared anyway.
    if (grouped >= single) {
      for (Id id : ids)
        section.begin(Op::OpDecorate).word(id).words(key).end();
      continue;
    }
    Id group = new_id();
    section.begin(Op::OpDecorate).word(group).words(key).end();
    groups.add(Op::OpDecorationGroup, {group});
    constexpr size_t limit = spirv::max_instruction_words - 2;
    for (size_t at = 0; at < ids.size(); at += limit)
      groups.begin(Op::OpGroupDecorate)
          .word(group)
          .words(std::span(ids).subspan(at, std::min(limit, ids.size() - at)))
          .end();
  }
  section.append(groups);
}

} // namespace kiln::translate
