// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/amdgpu/metadata_note.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELF.h>

namespace kiln::target {

Result<Bytes> metadata_note(ByteView elf) {
  using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
  auto broken = [](llvm::Error error) {
    return Error{ErrorCode::compile_failed,
                 "the generated code object cannot be read: " + llvm::toString(std::move(error))};
  };
  auto file = Elf::create(llvm::StringRef(reinterpret_cast<const char*>(elf.data()), elf.size()));
  if (!file)
    return broken(file.takeError());
  auto sections = file->sections();
  if (!sections)
    return broken(sections.takeError());
  for (const Elf::Elf_Shdr& section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    llvm::Error problem = llvm::Error::success();
    for (const Elf::Elf_Note& note : file->notes(section, problem))
      if (note.getName() == "AMDGPU" && note.getType() == llvm::ELF::NT_AMDGPU_METADATA) {
        auto text = note.getDescAsStringRef(section.sh_addralign);
        auto bytes = as_bytes(std::string_view(text.data(), text.size()));
        llvm::consumeError(std::move(problem));
        return Bytes(bytes.begin(), bytes.end());
      }
    if (problem)
      return broken(std::move(problem));
  }
  return Bytes{};
}

} // namespace kiln::target
