// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: bundles, ELF files, archives and kernel metadata.
#include "codeobj/elf.h"
#include "codeobj/fatbin.h"
#include "codeobj/kernel_metadata.h"

using namespace kiln;
using namespace kiln::codeobj;

namespace {
void use_elf(ByteView bytes) {
  if (auto elf = Elf::parse(bytes)) {
    (void)elf->symbols();
    (void)elf->size();
    (void)amd_target(*elf);
  }
  if (auto note = find_metadata_note(bytes))
    (void)parse_metadata(*note).ok();
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteView bytes = std::as_bytes(std::span(data, size));
  (void)find_fat_binaries(bytes).ok();
  (void)image_at(bytes.data(), bytes.size()).ok();
  use_elf(bytes);
  if (auto bundle = Bundle::open(bytes, {.max_uncompressed = 16 << 20, .verify_hash = true})) {
    for (const BundleEntry& entry : bundle->entries())
      use_elf(bundle->bytes(entry));
    (void)bundle->candidates("gfx942:sramecc+:xnack-");
  }
  if (auto metadata = parse_metadata(bytes))
    (void)write_metadata(*metadata);
  return 0;
}
