// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: everything that reads SPIR-V words without LLVM.
#include "spirv/layout.h"
#include "spirv/slice.h"
#include "spirv/text.h"
#include "spirv/validate.h"

#include <cstdlib>

using namespace kiln;
using namespace kiln::spirv;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto words = load_words(std::as_bytes(std::span(data, size)));
  if (!words)
    return 0;
  bool valid = validate(*words).ok();
  (void)to_text(*words, {.friendly_names = true, .offsets = true}).ok();
  auto index = ModuleIndex::build(*words);
  if (!index)
    return 0;
  (void)slice_globals(*index).ok();
  size_t kernels = 0;
  for (const EntryPoint& entry : index->entry_points()) {
    if (++kernels > 64) // many kernels that reach much: the work is quadratic by design
      break;
    std::string name(entry.name);
    auto part = slice(*index, std::span(&name, 1));
    if (part && valid && !validate(*part).ok()) // a slice of a valid module is a valid module
      std::abort();
    if (const Function* function = index->find_function(entry.function))
      (void)index->arguments(*function).ok();
  }
  return 0;
}
