// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.h"

#include "spirv/opcodes.h"
#include "support/file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace kiln::tools {

Result<Bytes> read_input(const std::string& path) {
  return read_file(path == "-" ? "/dev/stdin" : path);
}

Result<void> write_output(const std::string& path, ByteView content) {
  if (path != "-")
    return write_file(path, content);
  while (!content.empty()) {
    ssize_t put = ::write(STDOUT_FILENO, content.data(), content.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return Error{ErrorCode::io, std::string("cannot write to standard output: ") + std::strerror(errno)};
    content = content.subspan(size_t(put));
  }
  return {};
}

Result<void> refuse_terminal(const std::string& output) {
  if (output == "-" && ::isatty(STDOUT_FILENO) != 0)
    return Error{
        ErrorCode::invalid_argument,
        "the result is not text and standard output is a terminal; give -o FILE, or send it to a file or pipe"};
  return {};
}

Content content_of(ByteView bytes) {
  std::string_view text = as_text(bytes);
  if (text.empty())
    return Content::nothing;
  if (text.starts_with("BC\xC0\xDE") || text.starts_with("\xDE\xC0\x17\x0B")) // the second: with a wrapper
    return Content::bitcode;
  auto first = read_at<uint32_t>(bytes, 0);
  if (first && (*first == spirv::magic || *first == __builtin_bswap32(spirv::magic)))
    return Content::spirv;
  bool control = std::any_of(text.begin(), text.end(), [](unsigned char c) {
    return (c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v') || c == 0x7f;
  });
  return control ? Content::unknown : Content::text;
}

Result<std::vector<uint32_t>> to_words(ByteView bytes) {
  if (bytes.empty())
    return Error{ErrorCode::invalid_module, "the input is empty; a SPIR-V module is wanted"};
  if (content_of(bytes) == Content::bitcode)
    return Error{ErrorCode::invalid_module, "LLVM bitcode, not a SPIR-V module; without -r it is translated to SPIR-V"};
  if (bytes.size() % 4 != 0 || bytes.size() < 4 * spirv::header_words)
    return Error{ErrorCode::invalid_module, "not a SPIR-V module: " + std::to_string(bytes.size()) +
                                                " bytes, which is not a whole number of words with a header"};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  auto swap = [](uint32_t word) { return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24; };
  if (swap(words[0]) == spirv::magic)
    for (uint32_t& word : words)
      word = swap(word);
  if (words[0] != spirv::magic)
    return Error{ErrorCode::invalid_module, "not a SPIR-V module: the first word is not the magic number 0x07230203"};
  return words;
}

std::string default_output(const std::string& input, const char* suffix) {
  return input == "-" ? "-" : std::filesystem::path(input).replace_extension(suffix).string();
}

} // namespace kiln::tools
