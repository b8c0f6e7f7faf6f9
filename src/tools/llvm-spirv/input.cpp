// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.h"

#include "spirv/opcodes.h"
#include "support/file.h"

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

Result<std::vector<uint32_t>> to_words(ByteView bytes) {
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
