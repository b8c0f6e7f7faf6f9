// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/build_id.h"

#include "support/file.h"
#include "support/hash.h"
#include "target/devlib.h"

#include <llvm/Config/llvm-config.h>

#include <dlfcn.h>
#include <link.h>

namespace kiln::jit {
namespace {

const char here = 0; // an address inside this library

struct Search {
  Hasher* hasher;
  bool found = false;
};

// Adds the note NT_GNU_BUILD_ID of the loaded object that contains `here`.
int look_for_note(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  auto address = reinterpret_cast<uintptr_t>(&here);
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = info->dlpi_phdr[i];
    ours |= segment.p_type == PT_LOAD && address - (info->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
  }
  if (!ours)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    ByteView notes(reinterpret_cast<const std::byte*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz);
    for (uint64_t at = 0; auto note = read_at<ElfW(Nhdr)>(notes, at);) {
      uint64_t name = at + sizeof(*note), content = name + ((note->n_namesz + 3) & ~3U);
      auto id = slice(notes, content, note->n_descsz);
      if (note->n_type == NT_GNU_BUILD_ID && id && id->size() >= 16) {
        search.hasher->add(*id);
        search.found = true;
      }
      at = content + ((note->n_descsz + 3) & ~3U);
    }
  }
  return 1;
}

} // namespace

Result<std::string> compiler_build_id() {
  Hasher hasher;
  Search search{&hasher};
  dl_iterate_phdr(look_for_note, &search);
  if (!search.found) { // linked without --build-id: the library's bytes say as much, only more slowly
    Dl_info info{};
    if (dladdr(&here, &info) == 0 || !info.dli_fname)
      return Error{ErrorCode::not_found, "the compiler cannot find its own file to identify itself"};
    KILN_ASSIGN(Bytes content, read_file(info.dli_fname));
    hasher.add(content);
  }
  KILN_ASSIGN(Digest library, target::device_library_digest());
  hasher.add(library.bytes);
  hasher.add(std::string_view(LLVM_VERSION_STRING));
  return std::string("llvm-") + LLVM_VERSION_STRING + "-" + hasher.finish().hex().substr(0, 32);
}

} // namespace kiln::jit
