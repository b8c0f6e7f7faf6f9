// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/input.h"

#include "codeobj/elf.h"
#include "codeobj/fatbin.h"
#include "codeobj/kernel_metadata.h"
#include "spirv/module.h"
#include "spirv/validate.h"
#include "support/file.h"

#include <algorithm>
#include <array>
#include <elf.h>

namespace kiln::tool {
namespace {

constexpr std::string_view archive_magic = "!<arch>\n", thin_archive_magic = "!<thin>\n";

struct ElfTypeRow {
  uint16_t type;
  const char* name;
};
constexpr std::array<ElfTypeRow, 3> elf_types{{{ET_REL, "object"}, {ET_EXEC, "program"}, {ET_DYN, "shared library"}}};

std::string elf_kind(const codeobj::Elf& elf) {
  if (elf.machine == codeobj::elf_machine_amdgpu)
    return elf.type == ET_REL ? "AMD relocatable object" : "AMD code object";
  // A position-independent program is ET_DYN like a library, but asks for a dynamic linker.
  for (const codeobj::ElfSegment& segment : elf.segments)
    if (segment.type == PT_INTERP)
      return "program";
  for (const ElfTypeRow& row : elf_types)
    if (row.type == elf.type)
      return row.name;
  return "ELF file";
}

std::string file_kind(ByteView content) {
  switch (codeobj::image_kind(content)) {
  case codeobj::ImageKind::bundle:
    return "offload bundle";
  case codeobj::ImageKind::compressed_bundle:
    return "compressed offload bundle";
  case codeobj::ImageKind::spirv:
    return "SPIR-V module";
  case codeobj::ImageKind::elf:
    if (auto elf = codeobj::Elf::parse(content))
      return elf_kind(*elf);
    return "ELF file";
  case codeobj::ImageKind::unknown:
    break;
  }
  std::string_view text = as_text(content);
  return text.starts_with(archive_magic) || text.starts_with(thin_archive_magic) ? "archive" : "";
}

CodeKind code_kind(ByteView bytes, bool host_entry) {
  if (host_entry)
    return CodeKind::host_entry;
  if (spirv::is_spirv(bytes))
    return CodeKind::spirv;
  return codeobj::find_metadata_note(bytes) ? CodeKind::native : CodeKind::unknown;
}

Result<void> open_fat_binary(Input& input, const codeobj::FatBinary& found) {
  FatBinary fat{.where = found.where, .stored = found.bytes, .unpacked_size = found.bytes.size()};
  auto kind = codeobj::image_kind(found.bytes);
  if (kind != codeobj::ImageKind::bundle && kind != codeobj::ImageKind::compressed_bundle) {
    fat.codes.push_back({.kind = code_kind(found.bytes, false), .bytes = found.bytes});
    input.fat_binaries.push_back(std::move(fat));
    return {};
  }
  KILN_ASSIGN(auto bundle, codeobj::Bundle::open(found.bytes, {.verify_hash = true}));
  const auto& opened = input.bundles.emplace_back(std::move(bundle));
  if (opened.compressed()) {
    fat.method = read_at<uint16_t>(found.bytes, 6) == 0 ? "zlib" : "zstd"; // CCOB, u16 version, u16 method
    fat.unpacked_size = 0;
  }
  for (const codeobj::BundleEntry& entry : opened.entries()) {
    ByteView bytes = opened.bytes(entry);
    fat.codes.push_back({.kind = code_kind(bytes, entry.kind == "host"), .id = entry.id, .bytes = bytes});
    if (opened.compressed())
      fat.unpacked_size = std::max(fat.unpacked_size, entry.offset + entry.size);
  }
  input.fat_binaries.push_back(std::move(fat));
  return {};
}

} // namespace

std::vector<const Code*> Input::modules() const {
  std::vector<const Code*> modules;
  for (const FatBinary& fat : fat_binaries)
    for (const Code& code : fat.codes)
      if (code.kind == CodeKind::spirv)
        modules.push_back(&code);
  return modules;
}

Result<Input> open_input(const std::filesystem::path& path) {
  Input input{.path = path};
  KILN_ASSIGN(input.content, read_file(path));
  std::string name = "'" + path.string() + "'";
  input.kind = file_kind(input.content);
  if (input.kind.empty())
    return Error{ErrorCode::invalid_module,
                 name + (input.content.empty() ? " is empty" : " is of no kind that Kiln knows") +
                     "; it reads programs, libraries, objects, archives, offload bundles, SPIR-V "
                     "modules and code objects"};
  auto found = codeobj::find_fat_binaries(input.content);
  if (!found)
    return std::move(found.error()).context(name);
  for (const codeobj::FatBinary& fat : *found) {
    auto opened = open_fat_binary(input, fat);
    if (!opened)
      return std::move(opened.error()).context(fat.where.empty() ? name : name + ": " + fat.where);
  }
  // What Kiln compiled for the host is an ordinary shared object with a note about its kernels.
  if (input.fat_binaries.empty() && codeobj::find_metadata_note(input.content)) {
    input.kind = "host code object";
    FatBinary fat{.stored = input.content, .unpacked_size = input.content.size()};
    fat.codes.push_back({.kind = CodeKind::native, .bytes = input.content});
    input.fat_binaries.push_back(std::move(fat));
  }
  if (input.fat_binaries.empty())
    return Error{ErrorCode::not_found, "there is no device code in " + name + " (" + input.kind + ")"};
  return input;
}

Result<std::vector<uint32_t>> module_words(ByteView bytes) {
  KILN_ASSIGN(auto words, spirv::load_words(bytes));
  KILN_TRY(spirv::validate(words));
  return words;
}

} // namespace kiln::tool
