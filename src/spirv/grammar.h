// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Khronos' machine-readable grammar says of every instruction: its name, its operands in order, what enumerants
// are called and which operands they bring along. The tables are generated at build time (generate_grammar.py). SPIR-V
// specification, section 3.
#pragma once

#include "spirv/opcodes.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kiln::spirv {

enum class OperandKind : uint8_t {
#include "spirv/operand_kinds.inc"
};

// BitEnum: a mask, each set bit may bring operands. ValueEnum: one value. Composite: a pair of other kinds.
enum class Category : uint8_t { bitenum, valueenum, id, literal, composite };
enum class Quantifier : uint8_t { one, optional, any };

struct OperandSpec {
  OperandKind kind;
  Quantifier quantifier;
};

struct Enumerant {
  uint32_t value;
  std::string_view name;
  std::span<const OperandSpec> parameters;
};

struct OpcodeInfo {
  spv::Op opcode;
  std::string_view name; // with the "Op"
  std::span<const OperandSpec> operands;
  bool has_type;                          // the first operand is a result type
  bool has_result;                        // then comes a result id
  std::span<const uint16_t> capabilities; // any one of these enables it; none: always there
  std::span<const std::string_view> extensions;

  // The word of the instruction that holds the result id, 0 if it has none.
  [[nodiscard]] unsigned result_word() const { return has_result ? (has_type ? 2 : 1) : 0; }
};

struct ExtInst {
  uint32_t number;
  std::string_view name;
  std::span<const OperandSpec> operands;
};

class ExtInstSet {
public:
  std::string_view name;
  [[nodiscard]] std::optional<ExtInst> find(uint32_t number) const;
  uint32_t first = 0, count = 0; // rows of the generated table
};

// Nothing for an opcode that the grammar does not know.
[[nodiscard]] std::optional<OpcodeInfo> find_opcode(spv::Op opcode);
// "OpTypeInt", or "opcode 12345".
[[nodiscard]] std::string opcode_name(spv::Op opcode);
// The word that holds the result id: cheaper than find_opcode(), 0 if there is none or the opcode is unknown.
[[nodiscard]] unsigned result_word(spv::Op opcode);
// By name with or without the "Op".
[[nodiscard]] std::optional<spv::Op> find_opcode(std::string_view name);

[[nodiscard]] Category category(OperandKind kind);
[[nodiscard]] std::optional<Enumerant> find_enumerant(OperandKind kind, uint32_t value);
[[nodiscard]] std::optional<uint32_t> find_enumerant(OperandKind kind, std::string_view name);
[[nodiscard]] std::string capability_name(spv::Capability capability);

[[nodiscard]] const ExtInstSet* find_ext_inst_set(std::string_view name);
// By position, 0 up to the number of known sets; nullptr beyond.
[[nodiscard]] const ExtInstSet* ext_inst_set(uint32_t position);

} // namespace kiln::spirv
