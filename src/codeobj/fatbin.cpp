// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/fatbin.h"

#include "codeobj/elf.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace kiln::codeobj {
namespace {

constexpr std::string_view archive_magic = "!<arch>\n", thin_archive_magic = "!<thin>\n";
constexpr std::string_view section_name = ".hip_fatbin";
constexpr size_t archive_header = 60;

std::string hex(uint64_t value) {
  char buffer[24];
  std::snprintf(buffer, sizeof(buffer), "0x%llx", static_cast<unsigned long long>(value));
  return buffer;
}

// One image after the other, zeros between them.
Result<void> scan_section(ByteView section, const std::string& prefix, std::vector<FatBinary>& found) {
  for (size_t at = 0; at < section.size();) {
    if (section[at] == std::byte(0)) {
      ++at;
      continue;
    }
    ByteView rest = section.subspan(at);
    std::string where = prefix + std::string(section_name) + "+" + hex(at);
    auto size = image_size(rest);
    if (!size)
      return std::move(size.error()).context(where);
    found.push_back({rest.first(size_t(*size)), where});
    at += size_t(*size);
  }
  return {};
}

Result<void> scan_elf(ByteView file, const std::string& prefix, std::vector<FatBinary>& found) {
  KILN_ASSIGN(Elf elf, Elf::parse(file));
  if (elf.machine == elf_machine_amdgpu) {
    found.push_back({file, prefix.empty() ? "" : prefix.substr(0, prefix.size() - 2)});
    return {};
  }
  for (const ElfSection& section : elf.sections)
    if (section.name == section_name)
      KILN_TRY(scan_section(section.data, prefix, found));
  return {};
}

// https://www.freebsd.org/cgi/man.cgi?query=ar&sektion=5: 60-byte text headers, members at even offsets; GNU keeps long
// names in a member called "//".
Result<void> scan_archive(ByteView file, std::vector<FatBinary>& found) {
  std::string_view long_names;
  for (uint64_t at = archive_magic.size(); at < file.size();) {
    auto header = slice(file, at, archive_header);
    if (!header)
      return Error{ErrorCode::invalid_module,
                   "damaged archive: a member's header at byte " + std::to_string(at) + " is not all there"};
    std::string_view text = as_text(*header);
    std::string_view size_text = text.substr(48, 10);
    uint64_t size = 0;
    auto [end, error] = std::from_chars(size_text.data(), size_text.data() + size_text.size(), size);
    auto content = error == std::errc() ? slice(file, at + archive_header, size) : std::nullopt;
    if (!content || text.substr(58) != "`\n")
      return Error{ErrorCode::invalid_module,
                   "damaged archive: the member at byte " + std::to_string(at) + " is not all there"};
    std::string_view name = text.substr(0, text.substr(0, 16).find_last_not_of(' ') + 1);
    if (name == "//")
      long_names = as_text(*content);
    if (name.size() > 1 && name[0] == '/') {
      uint64_t offset = 0;
      if (std::from_chars(name.data() + 1, name.data() + name.size(), offset).ec == std::errc() &&
          offset < long_names.size())
        name = long_names.substr(size_t(offset), long_names.substr(size_t(offset)).find_first_of("/\n"));
    } else if (name.ends_with('/')) {
      name.remove_suffix(1);
    }
    std::string prefix = "(" + std::string(name) + "): ";
    if (is_elf(*content)) {
      auto scanned = scan_elf(*content, prefix, found);
      if (!scanned)
        return std::move(scanned.error()).context("archive member " + std::string(name));
    }
    at += archive_header + size + (size & 1);
  }
  return {};
}

} // namespace

Result<std::vector<FatBinary>> find_fat_binaries(ByteView file) {
  std::vector<FatBinary> found;
  std::string_view start = as_text(file.first(std::min<size_t>(file.size(), 8)));
  if (start == thin_archive_magic)
    return Error{ErrorCode::unsupported, "a thin archive has no members inside; give the object files themselves"};
  if (start == archive_magic) {
    KILN_TRY(scan_archive(file, found));
    return found;
  }
  switch (image_kind(file)) {
  case ImageKind::elf:
    KILN_TRY(scan_elf(file, "", found));
    return found;
  case ImageKind::unknown:
    return Error{ErrorCode::invalid_module,
                 "not a program, library, object file, archive, offload bundle or SPIR-V module"};
  default: {
    KILN_ASSIGN(uint64_t size, image_size(file));
    found.push_back({file.first(size_t(size)), ""});
    return found;
  }
  }
}

} // namespace kiln::codeobj
