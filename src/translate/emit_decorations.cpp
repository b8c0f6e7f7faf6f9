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

// A group's decoration, the group and its members stand together and before all else: the Khronos translator takes
// every decoration that it has met so far for the group's.
void ModuleEmitter::emit_decorations(spirv::Section& section) {
  constexpr size_t limit = spirv::max_instruction_words - 2;
  spirv::Section singles;
  for (const auto& [key, ids] : decorations_) {
    size_t single = ids.size() * (2 + key.size());
    size_t grouped = (2 + key.size()) + 2 + 2 + ids.size();
    if (grouped >= single) {
      for (Id id : ids)
        singles.begin(Op::OpDecorate).word(id).words(key).end();
      continue;
    }
    Id group = new_id();
    section.begin(Op::OpDecorate).word(group).words(key).end();
    section.add(Op::OpDecorationGroup, {group});
    for (size_t at = 0; at < ids.size(); at += limit) {
      auto members = std::span(ids).subspan(at, std::min(limit, ids.size() - at));
      section.begin(Op::OpGroupDecorate).word(group).words(members).end();
    }
  }
  section.append(linkage_);
  section.append(singles);
}

} // namespace kiln::translate
