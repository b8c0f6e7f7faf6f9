// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in the memory of the running program. Pointers come without a size, so every read is checked against the
// memory map.
#include "codeobj/fatbin.h"

#include <algorithm>
#include <cstdio>
#include <link.h>
#include <memory>

namespace kiln::codeobj {
namespace {

constexpr uint32_t magic_hipf = 0x48495046, magic_hipk = 0x4B504948;

struct Search {
  uintptr_t address;
  uint64_t readable = 0;
};

int visit_object(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<Search*>(data);
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_R))
      continue;
    uintptr_t first = object->dlpi_addr + segment.p_vaddr;
    if (search->address >= first && search->address - first < segment.p_memsz) {
      search->readable = segment.p_memsz - (search->address - first);
      return 1;
    }
  }
  return 0;
}

uint64_t from_maps(uintptr_t address) {
  std::unique_ptr<FILE, int (*)(FILE*)> maps(std::fopen("/proc/self/maps", "r"), &std::fclose);
  if (!maps)
    return 0;
  uintptr_t end = 0; // of the readable run that holds the address
  char line[512];
  while (std::fgets(line, sizeof(line), maps.get())) {
    unsigned long first = 0, last = 0;
    char readable = 0;
    if (std::sscanf(line, "%lx-%lx %c", &first, &last, &readable) == 3) { // else the rest of a long line
      if (end == 0 && address >= first && address < last && readable == 'r')
        end = last;
      else if (end != 0 && first == end && readable == 'r')
        end = last;
      else if (end != 0)
        break;
    }
  }
  return end == 0 ? 0 : end - address;
}

// Follows SPIR-V instructions from the header on. A module ends after a function, where something follows that is
// neither a function nor one of the instructions that may stand between them (or where memory ends).
uint64_t spirv_size(ByteView bytes) {
  constexpr uint32_t op_line = 8, op_ext_inst = 12, op_function = 54, op_function_end = 56, op_no_line = 317;
  uint64_t at = 20;
  bool swapped = *read_at<uint32_t>(bytes, 0) != 0x07230203;
  bool after_function = false;
  while (auto raw = read_at<uint32_t>(bytes, at)) {
    uint32_t word = swapped ? __builtin_bswap32(*raw) : *raw;
    uint32_t count = word >> 16, opcode = word & 0xffff;
    if (count == 0 || !slice(bytes, at, uint64_t(count) * 4))
      break;
    bool between = opcode == op_function || opcode == op_ext_inst || opcode == op_line || opcode == op_no_line;
    if (after_function && !between)
      break;
    after_function = opcode == op_function_end || (after_function && opcode != op_function);
    at += uint64_t(count) * 4;
  }
  return at;
}

} // namespace

uint64_t readable_bytes(const void* address) {
  Search search{reinterpret_cast<uintptr_t>(address)};
  if (dl_iterate_phdr(&visit_object, &search) != 0)
    return search.readable;
  return from_maps(search.address);
}

Result<ByteView> image_at(const void* data, uint64_t readable) {
  ByteView bytes(static_cast<const std::byte*>(data), size_t(readable));
  if (image_kind(bytes) == ImageKind::spirv)
    return readable < 20 ? Result<ByteView>(Error{ErrorCode::invalid_module, "the SPIR-V module is not all there"})
                         : Result<ByteView>(bytes.first(size_t(spirv_size(bytes))));
  KILN_ASSIGN(uint64_t size, image_size(bytes));
  return bytes.first(size_t(size));
}

Result<ByteView> image_at(const void* data) {
  uint64_t readable = data ? readable_bytes(data) : 0;
  if (readable == 0)
    return Error{ErrorCode::invalid_argument, "the pointer to device code is not readable memory"};
  return image_at(data, readable);
}

Result<ByteView> fat_binary_of(const void* wrapper) {
  if (!wrapper || readable_bytes(wrapper) < sizeof(FatBinaryWrapper))
    return Error{ErrorCode::invalid_argument, "the fat binary wrapper is not readable memory"};
  FatBinaryWrapper content;
  std::memcpy(&content, wrapper, sizeof(content));
  if (content.magic == magic_hipk)
    return Error{ErrorCode::unsupported,
                 "the fat binary is kept in an external archive (HIPK); build with plain fat binaries"};
  if (content.magic != magic_hipf || content.version != 1)
    return Error{ErrorCode::invalid_module, "not a HIP fat binary wrapper: magic " + std::to_string(content.magic) +
                                                ", version " + std::to_string(content.version)};
  return image_at(content.data);
}

} // namespace kiln::codeobj
