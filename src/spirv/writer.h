// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing SPIR-V words. An instruction is one word {word count : 16, opcode : 16} and its operand words. A module is
// written as sections (vectors of words) that are joined at the end, because ids are met in another order than they are
// stored in.
#pragma once

#include "spirv/opcodes.h"

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace kiln::spirv {

// Strings are UTF-8, four bytes a word, lowest byte first, ended by a zero byte and filled with zeros.
inline void append_string(std::vector<uint32_t>& words, std::string_view text) {
  for (size_t at = 0; at <= text.size(); at += 4) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4 && at + i < text.size(); ++i)
      word |= uint32_t(uint8_t(text[at + i])) << (8 * i);
    words.push_back(word);
  }
}

inline constexpr size_t string_words(std::string_view text) {
  return text.size() / 4 + 1;
}

class Section {
public:
  // Either the whole instruction at once ...
  void add(spv::Op opcode, std::span<const uint32_t> operands) {
    begin(opcode);
    words(operands);
    end();
  }
  void add(spv::Op opcode, std::initializer_list<uint32_t> operands) {
    add(opcode, std::span<const uint32_t>(operands.begin(), operands.size()));
  }

  // ... or piece by piece: begin(op), any of word/words/string, end().
  Section& begin(spv::Op opcode) {
    start_ = data.size();
    data.push_back(uint32_t(opcode));
    return *this;
  }
  Section& word(uint32_t value) {
    data.push_back(value);
    return *this;
  }
  Section& words(std::span<const uint32_t> values) {
    data.insert(data.end(), values.begin(), values.end());
    return *this;
  }
  Section& string(std::string_view text) {
    append_string(data, text);
    return *this;
  }
  // False, and the instruction is taken back, if it is longer than the 65,535 words that SPIR-V can express.
  bool end() {
    size_t count = data.size() - start_;
    if (count > max_instruction_words) {
      data.resize(start_);
      too_long = true;
      return false;
    }
    data[start_] |= uint32_t(count) << 16;
    return true;
  }

  void append(const Section& other) {
    data.insert(data.end(), other.data.begin(), other.data.end());
    too_long |= other.too_long;
  }

  std::vector<uint32_t> data;
  bool too_long = false; // an instruction was dropped by end(): the module is not complete

private:
  size_t start_ = 0;
};

// The five header words; `bound` is one more than the largest id.
inline std::vector<uint32_t> module_header(uint32_t version, uint32_t generator, uint32_t bound) {
  return {magic, version, generator, bound, 0};
}

} // namespace kiln::spirv
