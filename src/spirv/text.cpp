// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/text.h"

#include "spirv/context.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <unordered_map>
#include <unordered_set>

namespace kiln::spirv {
namespace {

template <class Number> std::string shortest(Number value) {
  char buffer[64];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return {buffer, end};
}

std::string hex(uint64_t value) {
  char buffer[24];
  std::snprintf(buffer, sizeof(buffer), "0x%llx", static_cast<unsigned long long>(value));
  return buffer;
}

// 0x1.8p+128: how spirv-as wants infinities and NaNs, and every half.
std::string hex_float(uint64_t bits, unsigned exponent_bits, unsigned mantissa_bits) {
  uint64_t mantissa = bits & ((uint64_t(1) << mantissa_bits) - 1);
  int64_t exponent = int64_t((bits >> mantissa_bits) & ((uint64_t(1) << exponent_bits) - 1));
  int64_t bias = (int64_t(1) << (exponent_bits - 1)) - 1;
  bool negative = (bits >> (mantissa_bits + exponent_bits)) & 1;
  std::string text = negative ? "-" : "";
  if (exponent == 0 && mantissa == 0)
    return text + "0x0p+0";
  if (exponent == 0) { // subnormal: shift the leading one in front of the point
    exponent = 1;
    while (!(mantissa >> mantissa_bits & 1)) {
      mantissa <<= 1;
      --exponent;
    }
    mantissa &= (uint64_t(1) << mantissa_bits) - 1;
  }
  unsigned digits = (mantissa_bits + 3) / 4;
  mantissa <<= digits * 4 - mantissa_bits;
  char buffer[24];
  std::snprintf(buffer, sizeof(buffer), "%0*llx", int(digits), static_cast<unsigned long long>(mantissa));
  std::string fraction = buffer;
  fraction.erase(fraction.find_last_not_of('0') + 1);
  exponent -= bias;
  return text + "0x1" + (fraction.empty() ? "" : "." + fraction) + "p" + (exponent < 0 ? "" : "+") +
         std::to_string(exponent);
}

class Writer {
public:
  Writer(const Module& module, const TextOptions& options) : module_(module), options_(options), context_(module) {
    if (options.friendly_names)
      choose_names();
  }

  std::string run() {
    if (options_.header) {
      const Header& header = module_.header();
      out_ += "; SPIR-V\n; Version: " + std::to_string(header.version >> 16) + "." +
              std::to_string(header.version >> 8 & 0xff) + "\n; Generator: " + hex(header.generator) +
              ((header.generator & 0xffff) == amdgcn_generator_mark ? " (AMDGCN flavour)" : "") +
              "\n; Bound: " + std::to_string(header.bound) + "\n; Schema: 0\n";
    }
    for (Instruction instruction : module_)
      line(instruction);
    return std::move(out_);
  }

private:
  static constexpr size_t margin = 15; // where opcodes start, after "%id = "

  void choose_names() {
    std::unordered_set<std::string> taken;
    for (Instruction instruction : module_) {
      if (instruction.opcode != spv::Op::OpName)
        continue;
      std::string name(instruction.string(2).value_or(""));
      for (char& c : name)
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_')
          c = '_';
      bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (number) // also the empty name: it must not look like another id
        continue;
      if (!taken.insert(name).second) {
        name += "_" + std::to_string(instruction.word(1));
        if (!taken.insert(name).second)
          continue;
      }
      names_.emplace(instruction.word(1), name);
    }
  }

  [[nodiscard]] std::string id(uint32_t id) const {
    auto at = names_.find(id);
    return "%" + (at == names_.end() ? std::to_string(id) : at->second);
  }

  void line(const Instruction& instruction) {
    auto good = split_operands(instruction, context_, operands_);
    if (!good) {
      out_ += "; " + good.error().message + "; words:";
      for (uint32_t word : instruction.words)
        out_ += " " + hex(word);
      out_ += "\n";
      return;
    }
    uint32_t result = instruction.result();
    std::string left = result ? id(result) + " = " : "";
    if (left.size() < margin)
      left.insert(0, margin - left.size(), ' ');
    out_ += left + opcode_name(instruction.opcode);
    for (const Operand& operand : operands_)
      if (operand.kind != OperandKind::IdResult)
        out_ += " " + text(instruction, operand);
    if (options_.offsets)
      out_ += " ; word " + std::to_string(instruction.offset);
    out_ += "\n";
  }

  [[nodiscard]] std::string text(const Instruction& instruction, const Operand& operand) const {
    uint32_t word = instruction.words[operand.first];
    switch (category(operand.kind)) {
    case Category::id:
      return id(word);
    case Category::valueenum: {
      auto found = find_enumerant(operand.kind, word);
      return found ? std::string(found->name) : std::to_string(word);
    }
    case Category::bitenum:
      return mask(operand.kind, word);
    default:
      break;
    }
    switch (operand.kind) {
    case OperandKind::LiteralString:
      return quoted(*instruction.string(operand.first));
    case OperandKind::LiteralContextDependentNumber:
      return number(instruction.words.subspan(operand.first, operand.count), instruction.word(1));
    case OperandKind::LiteralExtInstInteger: {
      const ExtInstSet* set = context_.import_set(instruction.word(operand.first - 1));
      auto found = set ? set->find(word) : std::nullopt;
      return found ? std::string(found->name) : std::to_string(word);
    }
    case OperandKind::LiteralSpecConstantOpInteger:
      return opcode_name(spv::Op(word)).substr(2);
    default:
      if (instruction.opcode == spv::Op::OpSwitch)
        return number(instruction.words.subspan(operand.first, operand.count), context_.type_of(instruction.word(1)));
      return std::to_string(word);
    }
  }

  static std::string mask(OperandKind kind, uint32_t bits) {
    if (bits == 0)
      return "None";
    std::string text;
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
      uint32_t bit = uint32_t(1) << std::countr_zero(rest);
      auto found = find_enumerant(kind, bit);
      text += (text.empty() ? "" : "|") + (found ? std::string(found->name) : hex(bit));
    }
    return text;
  }

  static std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\')
        result += '\\';
      result += c;
    }
    return result + "\"";
  }

  [[nodiscard]] std::string number(std::span<const uint32_t> words, uint32_t type_id) const {
    auto type = context_.find(type_id);
    uint64_t low = words[0] | (words.size() > 1 ? uint64_t(words[1]) << 32 : 0);
    if (!type || words.size() > 2) { // wider than spirv-as can say: all words, highest first
      std::string text;
      for (size_t i = words.size(); i-- > 0;)
        text += (text.empty() ? "" : "_") + hex(words[i]);
      return text;
    }
    uint32_t width = type->word(2);
    if (type->opcode == spv::Op::OpTypeFloat) {
      if (width == 16)
        return type->size() > 3 ? hex_float(low & 0xffff, 8, 7) : hex_float(low & 0xffff, 5, 10);
      if (width == 32) {
        auto value = std::bit_cast<float>(uint32_t(low));
        return std::isfinite(value) ? shortest(value) : hex_float(low, 8, 23);
      }
      if (width == 64) {
        auto value = std::bit_cast<double>(low);
        return std::isfinite(value) ? shortest(value) : hex_float(low, 11, 52);
      }
      return hex(low);
    }
    bool is_signed = type->word(3) != 0;
    if (is_signed)
      return words.size() > 1 ? std::to_string(int64_t(low)) : std::to_string(int32_t(low));
    return std::to_string(low);
  }

  const Module& module_;
  const TextOptions& options_;
  ModuleContext context_;
  std::unordered_map<uint32_t, std::string> names_;
  std::vector<Operand> operands_;
  std::string out_;
};

} // namespace

Result<std::string> to_text(std::span<const uint32_t> words, const TextOptions& options) {
  KILN_ASSIGN(Module module, Module::parse(words));
  return Writer(module, options).run();
}

} // namespace kiln::spirv
