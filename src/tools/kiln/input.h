// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that `kiln inspect`, `compile` and `run` take: a program, shared library, object or archive with fat
// binaries in it, an offload bundle (plain or compressed), a SPIR-V module, or a code object for one device. All become
// one list of bundles with their entries; a bare module or code object is a bundle of one entry without an id.
#pragma once

#include "codeobj/bundle.h"
#include "support/bytes.h"
#include "support/result.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

namespace kiln::tool {

enum class CodeKind { spirv, native, host_entry, unknown };

struct Code {
  CodeKind kind = CodeKind::unknown;
  std::string id{}; // of the bundle entry; empty for a bare file
  ByteView bytes{};
};

struct FatBinary {
  std::string where{};        // ".hip_fatbin+0x1000", "y.o: .hip_fatbin+0x0"; empty if it is the whole file
  std::string method{};       // how it was compressed: "zstd", "zlib"; empty if it was not
  ByteView stored;            // as it is in the file
  uint64_t unpacked_size = 0; // bytes of the bundle
  std::vector<Code> codes{};
};

struct Input {
  std::filesystem::path path;
  std::string kind{}; // "program", "shared library", "object", "archive", "offload bundle", "SPIR-V module", ...
  std::vector<FatBinary> fat_binaries{};

  Bytes content{};
  std::deque<codeobj::Bundle> bundles{}; // the views point into these and into content

  [[nodiscard]] std::vector<const Code*> modules() const; // SPIR-V ones, in order
};

// Errors: not_found or io for the file, invalid_module if it is none of the above or is damaged. A program without any
// device code is an error too: it says so.
[[nodiscard]] Result<Input> open_input(const std::filesystem::path& path);

// The words of a SPIR-V module, checked for being one that Kiln can compile: well formed, with kernels' memory model.
[[nodiscard]] Result<std::vector<uint32_t>> module_words(ByteView bytes);

} // namespace kiln::tool
