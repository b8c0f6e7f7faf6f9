// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/elf.h"

#include <algorithm>
#include <elf.h>

namespace kiln::codeobj {
namespace {

Error damaged(std::string_view what) {
  return {ErrorCode::invalid_module, "damaged ELF file: " + std::string(what)};
}

// The string at `offset` of a string table, empty if it is not all inside.
std::string_view string_at(ByteView table, uint64_t offset) {
  if (offset >= table.size())
    return {};
  std::string_view rest = as_text(table.subspan(offset));
  size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

void parse_notes(ByteView bytes, uint64_t align, std::vector<ElfNote>& notes) {
  align = align == 8 ? 8 : 4;
  auto up = [&](uint64_t value) { return (value + align - 1) / align * align; };
  for (uint64_t at = 0; auto header = read_at<Elf64_Nhdr>(bytes, at);) {
    uint64_t name_at = at + sizeof(Elf64_Nhdr), description_at = up(name_at + header->n_namesz);
    auto name = slice(bytes, name_at, header->n_namesz);
    auto description = slice(bytes, description_at, header->n_descsz);
    if (!name || !description)
      return;
    std::string_view text = as_text(*name);
    notes.push_back({text.substr(0, text.find('\0')), header->n_type, *description});
    at = up(description_at + header->n_descsz);
  }
}

} // namespace

bool is_elf(ByteView bytes) {
  return bytes.size() >= 4 && as_text(bytes.first(4)) == "\x7f"
                                                         "ELF";
}

Result<Elf> Elf::parse(ByteView bytes) {
  auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || !is_elf(bytes))
    return Error{ErrorCode::invalid_module, "not an ELF file"};
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return Error{ErrorCode::unsupported, "only 64-bit little-endian ELF files can be read"};
  Elf elf;
  elf.bytes_ = bytes;
  elf.type = header->e_type;
  elf.machine = header->e_machine;
  elf.os_abi = header->e_ident[EI_OSABI];
  elf.abi_version = header->e_ident[EI_ABIVERSION];
  elf.flags = header->e_flags;
  elf.entry = header->e_entry;
  elf.headers_end_ = sizeof(Elf64_Ehdr);

  if (header->e_phnum != 0) {
    uint64_t size = uint64_t(header->e_phnum) * sizeof(Elf64_Phdr);
    if (header->e_phentsize != sizeof(Elf64_Phdr) || !slice(bytes, header->e_phoff, size))
      return damaged("the program headers are outside of the file");
    elf.headers_end_ = std::max(elf.headers_end_, header->e_phoff + size);
    for (unsigned i = 0; i < header->e_phnum; ++i) {
      auto p = *read_at<Elf64_Phdr>(bytes, header->e_phoff + i * sizeof(Elf64_Phdr));
      elf.segments.push_back({p.p_type, p.p_flags, p.p_offset, p.p_vaddr, p.p_filesz, p.p_memsz, p.p_align});
    }
  }
  if (header->e_shoff != 0) {
    auto first = read_at<Elf64_Shdr>(bytes, header->e_shoff);
    if (header->e_shentsize != sizeof(Elf64_Shdr) || !first)
      return damaged("the section headers are outside of the file");
    // More than 65,279 sections: the numbers are in the first section header.
    uint64_t count = header->e_shnum ? header->e_shnum : first->sh_size;
    uint64_t names_index = header->e_shstrndx == SHN_XINDEX ? first->sh_link : header->e_shstrndx;
    if (count > bytes.size() / sizeof(Elf64_Shdr) || !slice(bytes, header->e_shoff, count * sizeof(Elf64_Shdr)))
      return damaged("the section headers are outside of the file");
    elf.headers_end_ = std::max(elf.headers_end_, header->e_shoff + count * sizeof(Elf64_Shdr));
    auto section_header = [&](uint64_t i) {
      return *read_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    };
    ByteView names;
    if (names_index < count)
      names =
          slice(bytes, section_header(names_index).sh_offset, section_header(names_index).sh_size).value_or(ByteView());
    for (uint64_t i = 0; i < count; ++i) {
      Elf64_Shdr s = section_header(i);
      ByteView data;
      if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL)
        data = slice(bytes, s.sh_offset, s.sh_size).value_or(ByteView());
      elf.sections.push_back({string_at(names, s.sh_name), s.sh_type, s.sh_flags, s.sh_addr, s.sh_offset, s.sh_size,
                              s.sh_link, s.sh_info, s.sh_entsize, data});
    }
  }
  return elf;
}

const ElfSection* Elf::find_section(std::string_view name) const {
  auto at = std::find_if(sections.begin(), sections.end(), [&](const ElfSection& s) { return s.name == name; });
  return at == sections.end() ? nullptr : &*at;
}

std::vector<ElfSymbol> Elf::symbols() const {
  const ElfSection* table = nullptr;
  for (const ElfSection& section : sections)
    if (section.type == SHT_SYMTAB || (section.type == SHT_DYNSYM && !table))
      table = &section;
  std::vector<ElfSymbol> result;
  if (!table)
    return result;
  ByteView names = table->link < sections.size() ? sections[table->link].data : ByteView();
  for (uint64_t at = 0; auto s = read_at<Elf64_Sym>(table->data, at); at += sizeof(Elf64_Sym))
    result.push_back({string_at(names, s->st_name), uint8_t(ELF64_ST_TYPE(s->st_info)),
                      uint8_t(ELF64_ST_BIND(s->st_info)), uint8_t(ELF64_ST_VISIBILITY(s->st_other)), s->st_shndx,
                      s->st_value, s->st_size});
  return result;
}

std::vector<ElfNote> Elf::notes() const {
  std::vector<ElfNote> result;
  for (const ElfSegment& segment : segments)
    if (segment.type == PT_NOTE)
      if (auto data = slice(bytes_, segment.offset, segment.file_size))
        parse_notes(*data, segment.align, result);
  if (result.empty())
    for (const ElfSection& section : sections)
      if (section.type == SHT_NOTE)
        parse_notes(section.data, 4, result);
  return result;
}

uint64_t Elf::size() const {
  uint64_t end = headers_end_;
  auto reach = [&](uint64_t offset, uint64_t size) {
    if (offset <= UINT64_MAX - size)
      end = std::max(end, offset + size);
  };
  for (const ElfSegment& segment : segments)
    reach(segment.offset, segment.file_size);
  for (const ElfSection& section : sections)
    if (section.type != SHT_NOBITS && section.type != SHT_NULL)
      reach(section.offset, section.size);
  return end;
}

} // namespace kiln::codeobj
