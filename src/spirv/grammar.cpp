// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/grammar.h"

#include <algorithm>
#include <array>
#include <string>

namespace kiln::spirv {
namespace {

// Rows refer to shared arrays by position, so that all of it is constant data without relocations to run at start.
struct EnumerantRow {
  uint32_t value;
  std::string_view name;
  uint16_t first, count;
};
struct KindRow {
  std::string_view name;
  Category category;
  uint16_t first, count;
};
struct OpcodeRow {
  uint16_t opcode;
  std::string_view name;
  uint16_t first, count;
  bool has_type, has_result;
  uint16_t first_capability, capability_count, first_extension, extension_count;
};
struct SetRow {
  std::string_view name;
  uint32_t first, count;
};

#include "spirv/grammar_tables.inc"

std::span<const OperandSpec> specs(unsigned first, unsigned count) {
  return std::span(operand_specs).subspan(first, count);
}

std::span<const EnumerantRow> rows(OperandKind kind) {
  const KindRow& row = kinds[size_t(kind)];
  return std::span(enumerants).subspan(row.first, row.count);
}

const OpcodeRow* row(spv::Op opcode) {
  auto number = uint32_t(opcode);
  if (number >= std::size(opcode_index) || opcode_index[number] == 0)
    return nullptr;
  return &opcodes[opcode_index[number] - 1];
}

const std::array<ExtInstSet, std::size(ext_inst_sets)>& all_sets() {
  static const auto sets = [] {
    std::array<ExtInstSet, std::size(ext_inst_sets)> result;
    for (size_t i = 0; i < result.size(); ++i) {
      result[i].name = ext_inst_sets[i].name;
      result[i].first = ext_inst_sets[i].first;
      result[i].count = ext_inst_sets[i].count;
    }
    return result;
  }();
  return sets;
}

} // namespace

std::optional<OpcodeInfo> find_opcode(spv::Op opcode) {
  const OpcodeRow* r = row(opcode);
  if (!r)
    return std::nullopt;
  return OpcodeInfo{opcode,
                    r->name,
                    specs(r->first, r->count),
                    r->has_type,
                    r->has_result,
                    std::span(capabilities).subspan(r->first_capability, r->capability_count),
                    std::span(extensions).subspan(r->first_extension, r->extension_count)};
}

std::string opcode_name(spv::Op opcode) {
  const OpcodeRow* r = row(opcode);
  return r ? std::string(r->name) : "opcode " + std::to_string(uint32_t(opcode));
}

unsigned result_word(spv::Op opcode) {
  const OpcodeRow* r = row(opcode);
  return r && r->has_result ? (r->has_type ? 2 : 1) : 0;
}

std::optional<spv::Op> find_opcode(std::string_view name) {
  for (const OpcodeRow& r : opcodes)
    if (r.name == name || r.name.substr(2) == name)
      return spv::Op(r.opcode);
  return std::nullopt;
}

Category category(OperandKind kind) {
  return kinds[size_t(kind)].category;
}

std::optional<Enumerant> find_enumerant(OperandKind kind, uint32_t value) {
  auto all = rows(kind);
  auto at =
      std::lower_bound(all.begin(), all.end(), value, [](const EnumerantRow& r, uint32_t v) { return r.value < v; });
  if (at == all.end() || at->value != value)
    return std::nullopt;
  return Enumerant{value, at->name, specs(at->first, at->count)};
}

std::optional<uint32_t> find_enumerant(OperandKind kind, std::string_view name) {
  for (const EnumerantRow& r : rows(kind))
    if (r.name == name)
      return r.value;
  return std::nullopt;
}

std::string capability_name(spv::Capability capability) {
  auto found = find_enumerant(OperandKind::Capability, uint32_t(capability));
  return found ? std::string(found->name) : "capability " + std::to_string(uint32_t(capability));
}

std::optional<ExtInst> ExtInstSet::find(uint32_t number) const {
  auto all = std::span(ext_insts).subspan(first, count);
  auto at =
      std::lower_bound(all.begin(), all.end(), number, [](const EnumerantRow& r, uint32_t v) { return r.value < v; });
  if (at == all.end() || at->value != number)
    return std::nullopt;
  return ExtInst{number, at->name, specs(at->first, at->count)};
}

const ExtInstSet* find_ext_inst_set(std::string_view name) {
  for (const ExtInstSet& set : all_sets())
    if (set.name == name)
      return &set;
  return nullptr;
}

const ExtInstSet* ext_inst_set(uint32_t position) {
  return position < all_sets().size() ? &all_sets()[position] : nullptr;
}

} // namespace kiln::spirv
