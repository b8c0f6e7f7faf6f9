// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// zlib and zstd over whole buffers. Decompression stops at a limit that the caller sets, so that a few bytes from
// outside cannot take all memory.
#pragma once

#include "support/bytes.h"
#include "support/result.h"

namespace kiln::codeobj {

enum class Compression : uint16_t { zlib = 0, zstd = 1 }; // as numbered in CCOB

struct Decompressed {
  Bytes bytes;
  uint64_t consumed = 0; // bytes of input that belonged to the stream
};

// Errors: invalid_module if the stream is damaged, ends early, or gives more than `limit` bytes.
[[nodiscard]] Result<Decompressed> decompress(ByteView input, Compression method, uint64_t limit);
// level: zstd 1..22, zlib 1..9; 0 is the library's default.
[[nodiscard]] Result<Bytes> compress(ByteView input, Compression method, int level = 0);

} // namespace kiln::codeobj
