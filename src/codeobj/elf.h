// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader of 64-bit little-endian ELF files that checks every offset: sections, segments, symbols, notes, and the name
// of the AMD target that a code object is for. https://llvm.org/docs/AMDGPUUsage.html#elf-code-object
#pragma once

#include "support/bytes.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::codeobj {

inline constexpr uint16_t elf_machine_amdgpu = 224;

struct ElfSection {
  std::string_view name;
  uint32_t type = 0;
  uint64_t flags = 0, address = 0, offset = 0, size = 0;
  uint32_t link = 0, info = 0;
  uint64_t entry_size = 0;
  ByteView data; // empty for SHT_NOBITS and for sections that reach beyond the file
};

struct ElfSegment {
  uint32_t type = 0, flags = 0;
  uint64_t offset = 0, address = 0, file_size = 0, memory_size = 0, align = 0;
};

struct ElfSymbol {
  std::string_view name;
  uint8_t type = 0, binding = 0, visibility = 0;
  uint16_t section = 0;
  uint64_t value = 0, size = 0;
};

struct ElfNote {
  std::string_view name;
  uint32_t type = 0;
  ByteView description;
};

// Views point into the bytes given to parse(), which must outlive it.
class Elf {
public:
  [[nodiscard]] static Result<Elf> parse(ByteView bytes);

  uint16_t type = 0, machine = 0; // ET_*, EM_*
  uint8_t os_abi = 0, abi_version = 0;
  uint32_t flags = 0; // e_flags
  uint64_t entry = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSegment> segments;

  [[nodiscard]] ByteView bytes() const { return bytes_; }
  [[nodiscard]] const ElfSection* find_section(std::string_view name) const;
  // Of .symtab, or of .dynsym if there is none. Entries whose name lies outside of the string table have an empty name.
  [[nodiscard]] std::vector<ElfSymbol> symbols() const;
  // Of all PT_NOTE segments, or of all note sections if there are none. Stops at a damaged note.
  [[nodiscard]] std::vector<ElfNote> notes() const;
  // The end of the last thing that the headers mention: the size of the file as far as ELF knows.
  [[nodiscard]] uint64_t size() const;

private:
  ByteView bytes_;
  uint64_t headers_end_ = 0;
};

[[nodiscard]] bool is_elf(ByteView bytes);

// "gfx942:sramecc+:xnack-" of an AMD code object; nothing if it is not one or its processor is unknown.
[[nodiscard]] std::optional<std::string> amd_target(const Elf& elf);

} // namespace kiln::codeobj
