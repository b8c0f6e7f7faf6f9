// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-roundtrip FILE...: LLVM IR (text or bitcode) -> SPIR-V -> LLVM IR, and says the first difference. With --print
// the IR that was read back goes to standard output, with -o FILE the SPIR-V to a file. Built with the tests only.
#include "support/file.h"
#include "translate/compare.h"
#include "translate/emitter.h"
#include "translate/reader.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

using namespace kiln;

static int fail(llvm::StringRef file, llvm::StringRef step, const Error& error) {
  llvm::errs() << file << ": " << step << ": " << error.message << "\n";
  return 1;
}

static int round_trip(const char* file, bool print, const char* output) {
  llvm::LLVMContext context, other;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, diagnostic, context);
  if (!module) {
    diagnostic.print(file, llvm::errs());
    return 2;
  }
  Result<std::vector<uint32_t>> words = translate::emit(*module);
  if (!words)
    return fail(file, "emit", words.error());
  if (output)
    if (Result<void> written = write_file(output, std::as_bytes(std::span(*words))); !written)
      return fail(file, "write", written.error());
  Result<std::unique_ptr<llvm::Module>> read = translate::read(*words, other);
  if (!read)
    return fail(file, "read", read.error());
  if (print)
    (*read)->print(llvm::outs(), nullptr);
  if (Result<void> same = translate::same_module(*module, **read); !same)
    return fail(file, "compare", same.error());
  return 0;
}

int main(int count, char** arguments) {
  bool print = false;
  const char* output = nullptr;
  int status = 0, files = 0;
  for (int i = 1; i < count; ++i) {
    llvm::StringRef argument = arguments[i];
    if (argument == "--print")
      print = true;
    else if (argument == "-o" && i + 1 < count)
      output = arguments[++i];
    else
      status = std::max(status, round_trip(arguments[i], print, output)), ++files;
  }
  if (files == 0) {
    llvm::errs() << "usage: kiln-roundtrip [--print] [-o FILE.spv] FILE.ll...\n";
    return 2;
  }
  return status;
}
