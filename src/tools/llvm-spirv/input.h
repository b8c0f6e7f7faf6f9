// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes in and out of llvm-spirv: files or the standard streams.
#pragma once

#include "support/bytes.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace kiln::tools {

[[nodiscard]] Result<Bytes> read_input(const std::string& path);
[[nodiscard]] Result<void> write_output(const std::string& path, ByteView content);
// Bytes for programs do not go to a terminal.
[[nodiscard]] Result<void> refuse_terminal(const std::string& output);

enum class Content { nothing, bitcode, spirv, text, unknown };
// By its first bytes; text is anything that could be LLVM IR: no control characters.
[[nodiscard]] Content content_of(ByteView bytes);
// The words of a SPIR-V file, in host byte order whatever order the file has.
[[nodiscard]] Result<std::vector<uint32_t>> to_words(ByteView bytes);
[[nodiscard]] std::string default_output(const std::string& input, const char* suffix);

} // namespace kiln::tools
