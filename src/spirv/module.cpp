// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/module.h"

#include "spirv/grammar.h"

#include <bit>

namespace kiln::spirv {

static_assert(std::endian::native == std::endian::little, "strings are viewed in place, lowest byte first");

namespace {
constexpr size_t max_words = size_t(1) << 30; // 4 GiB; offsets fit 32 bits with room
constexpr uint32_t swapped_magic = __builtin_bswap32(magic);
} // namespace

uint32_t Instruction::result() const {
  unsigned at = result_word(opcode);
  return at ? word(at) : 0;
}

std::optional<std::string_view> Instruction::string(size_t i) const {
  if (i >= words.size())
    return std::nullopt;
  std::string_view all(reinterpret_cast<const char*>(words.data() + i), (words.size() - i) * 4);
  size_t end = all.find('\0');
  if (end == std::string_view::npos)
    return std::nullopt;
  return all.substr(0, end);
}

Error invalid(uint32_t offset, std::string_view what) {
  return {ErrorCode::invalid_module, "SPIR-V word " + std::to_string(offset) + ": " + std::string(what)};
}

Error invalid(const Instruction& instruction, std::string_view what) {
  return invalid(instruction.offset, opcode_name(instruction.opcode) + ": " + std::string(what));
}

bool is_spirv(ByteView bytes) {
  auto first = read_at<uint32_t>(bytes, 0);
  return first && (*first == magic || *first == swapped_magic);
}

Result<std::vector<uint32_t>> load_words(ByteView bytes) {
  if (!is_spirv(bytes))
    return Error{ErrorCode::invalid_module, "not a SPIR-V module: the magic number 0x07230203 is missing"};
  if (bytes.size() % 4 != 0)
    return Error{ErrorCode::invalid_module, "SPIR-V module of " + std::to_string(bytes.size()) +
                                                " bytes is not a whole number of words; the file may be truncated"};
  if (bytes.size() / 4 > max_words)
    return Error{ErrorCode::unsupported, "SPIR-V module is larger than 4 GiB"};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == swapped_magic)
    for (uint32_t& word : words)
      word = __builtin_bswap32(word);
  return words;
}

Result<void> Cursor::finish() const {
  if (next_ >= words_.size())
    return {};
  uint32_t count = words_[next_] >> 16;
  if (count == 0)
    return invalid(next_, "instruction of length 0");
  return invalid(next_, opcode_name(spv::Op(words_[next_] & 0xffff)) + ": " + std::to_string(count) +
                            " words are announced, " + std::to_string(words_.size() - next_) +
                            " are left; the module is truncated or damaged");
}

Result<Module> Module::parse_header(std::span<const uint32_t> words) {
  if (words.size() < header_words)
    return Error{ErrorCode::invalid_module,
                 "SPIR-V module of " + std::to_string(words.size()) + " words is shorter than its header of 5 words"};
  if (words[0] != magic)
    return invalid(0, "the magic number 0x07230203 is missing");
  if (words.size() > max_words)
    return Error{ErrorCode::unsupported, "SPIR-V module is larger than 4 GiB"};
  if ((words[1] >> 16) != 1)
    return Error{ErrorCode::unsupported,
                 "SPIR-V word 1: version word " + std::to_string(words[1]) + " is not a version 1.x of SPIR-V"};
  if (words[3] == 0)
    return invalid(3, "the id bound is 0");
  Module module;
  module.words_ = words;
  module.header_ = {words[1], words[2], words[3]};
  return module;
}

Result<Module> Module::parse(std::span<const uint32_t> words) {
  KILN_ASSIGN(Module module, parse_header(words));
  Cursor cursor(words);
  while (cursor.next()) {
  }
  KILN_TRY(cursor.finish());
  return module;
}

} // namespace kiln::spirv
