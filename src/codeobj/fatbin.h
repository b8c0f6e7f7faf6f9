// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where device code hides: in a file on disk (program, shared library, object file, archive, or a bare image), and in
// the memory of the running program, whose constructors hand {magic, version, data} wrappers to the HIP runtime.
#pragma once

#include "codeobj/bundle.h"

#include <string>
#include <vector>

namespace kiln::codeobj {

struct FatBinary {
  ByteView bytes;    // a bundle, a SPIR-V module or an AMD code object, exactly as long as it is
  std::string where; // ".hip_fatbin+0x1000", "libfoo.a(bar.o): .hip_fatbin+0x0"; empty if it is the whole file
};

// All device code in a file, in the order it stands in; none is not an error. Section `.hip_fatbin` of ELF files (clang
// puts one bundle a source file there, each aligned to 4096 bytes), members of archives. `file` must outlive the
// result. Errors: invalid_module for a damaged file, unsupported for thin archives.
[[nodiscard]] Result<std::vector<FatBinary>> find_fat_binaries(ByteView file);

// What a compiler-made constructor passes to __hipRegisterFatBinary.
struct FatBinaryWrapper {
  uint32_t magic = 0;   // "HIPF" 0x48495046
  uint32_t version = 0; // 1
  const void* data = nullptr;
  const void* unused = nullptr;
};

// The image that a wrapper in this process points to. Its size comes from the image itself; it is only read as far as
// the memory map says that it is readable.
[[nodiscard]] Result<ByteView> fat_binary_of(const void* wrapper);
// The same for the pointer that hipModuleLoadData is given, which has no size either.
[[nodiscard]] Result<ByteView> image_at(const void* data);
// The image that starts at `data` when at most `readable` bytes may be read. SPIR-V says no size: its instructions are
// followed to the first that cannot stand where it does.
[[nodiscard]] Result<ByteView> image_at(const void* data, uint64_t readable);

// How many bytes can be read from `address` on without a gap: from the loaded segments of the process, else
// /proc/self/maps.
[[nodiscard]] uint64_t readable_bytes(const void* address);

} // namespace kiln::codeobj
