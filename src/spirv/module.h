// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A SPIR-V module as words: five header words, then instructions, each {word count : 16, opcode : 16} and its operands.
// Nothing here trusts the words. SPIR-V specification, section 2.3.
#pragma once

#include "spirv/opcodes.h"
#include "support/bytes.h"
#include "support/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::spirv {

// One instruction. `words` includes the opcode word; `offset` is in words from the start of the module.
struct Instruction {
  spv::Op opcode = spv::Op::OpNop;
  uint32_t offset = 0;
  std::span<const uint32_t> words;

  [[nodiscard]] size_t size() const { return words.size(); }
  // Word i, or 0 (never a valid id) if the instruction is shorter.
  [[nodiscard]] uint32_t word(size_t i) const { return i < words.size() ? words[i] : 0; }
  // The result id, 0 if it has none.
  [[nodiscard]] uint32_t result() const;
  // The string that starts in word i; nothing if it is not ended within the instruction.
  [[nodiscard]] std::optional<std::string_view> string(size_t i) const;
};

// "SPIR-V word 17: OpTypeInt: WHAT", code invalid_module.
[[nodiscard]] Error invalid(uint32_t offset, std::string_view what);
[[nodiscard]] Error invalid(const Instruction& instruction, std::string_view what);

// Words from the bytes of a file. Modules of the other byte order are turned into this machine's.
[[nodiscard]] Result<std::vector<uint32_t>> load_words(ByteView bytes);
// Is this the start of a SPIR-V module, of either byte order?
[[nodiscard]] bool is_spirv(ByteView bytes);

struct Header {
  uint32_t version = 0;   // 0x00010600 is 1.6
  uint32_t generator = 0; // tool in the high half
  uint32_t bound = 0;     // all ids are below; up to 2^32 - 1 whatever the size of the module
};

// Steps through the instructions and stops at the first one that is not all there.
//   for (Cursor c(words); c.next();) use(c.instruction());   then c.finish()
class Cursor {
public:
  explicit Cursor(std::span<const uint32_t> words, uint32_t offset = header_words) : words_(words), next_(offset) {}

  bool next() {
    if (next_ >= words_.size())
      return false;
    uint32_t count = words_[next_] >> 16;
    if (count == 0 || count > words_.size() - next_)
      return false;
    instruction_ = {spv::Op(words_[next_] & 0xffff), next_, words_.subspan(next_, count)};
    next_ += count;
    return true;
  }
  [[nodiscard]] const Instruction& instruction() const { return instruction_; }
  // After next() gave false: was it the end of the module, or a damaged instruction?
  [[nodiscard]] Result<void> finish() const;

private:
  std::span<const uint32_t> words_;
  uint32_t next_;
  Instruction instruction_;
};

// A module whose header is right and whose instructions tile its words. The words must outlive it.
class Module {
public:
  Module() = default;
  // Looks at every instruction's length.
  [[nodiscard]] static Result<Module> parse(std::span<const uint32_t> words);
  // Only the header is looked at: for callers that go through the module with a Cursor themselves.
  [[nodiscard]] static Result<Module> parse_header(std::span<const uint32_t> words);

  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] std::span<const uint32_t> words() const { return words_; }
  // The instruction at an offset that an iteration gave.
  [[nodiscard]] Instruction at(uint32_t offset) const {
    uint32_t first = words_[offset];
    return {spv::Op(first & 0xffff), offset, words_.subspan(offset, first >> 16)};
  }

  class Iterator {
  public:
    Iterator(const Module* module, uint32_t offset) : module_(module), offset_(offset) {}
    Instruction operator*() const { return module_->at(offset_); }
    Iterator& operator++() {
      offset_ += module_->words_[offset_] >> 16;
      return *this;
    }
    bool operator==(const Iterator& other) const { return offset_ == other.offset_; }

  private:
    const Module* module_;
    uint32_t offset_;
  };
  [[nodiscard]] Iterator begin() const { return {this, words_.empty() ? 0 : header_words}; }
  [[nodiscard]] Iterator end() const { return {this, uint32_t(words_.size())}; }

private:
  std::span<const uint32_t> words_;
  Header header_;
};

} // namespace kiln::spirv
