// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes given to the reader as a module: an error or a module that LLVM's verifier accepts, never a crash. An
// odd size picks the host's address spaces and decided predicates, so that both ways of each are walked.
#include "translate/reader.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4)
    return 0;
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), data, words.size() * 4);
  kiln::translate::ReadOptions options;
  if (size % 2) {
    options.address_spaces = kiln::host_address_spaces;
    options.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
    options.decide_predicate = [](std::string_view name) { return name.size() % 2 == 0; };
  }
  llvm::LLVMContext context;
  (void)kiln::translate::read(words, context, options).ok();
  return 0;
}
