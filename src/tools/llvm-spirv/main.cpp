// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm-spirv: the program that clang runs for --offload-arch=amdgcnspirv. Bitcode in, SPIR-V out; -r is the way back.
#include "input.h"
#include "options.h"

#include "passes/neutral.h"
#include "spirv/text.h"
#include "translate/emitter.h"
#include "translate/reader.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace kiln;
using tools::Options;

namespace {

Result<std::unique_ptr<llvm::Module>> parse_module(const Options& options, ByteView bytes, llvm::LLVMContext& context) {
  switch (tools::content_of(bytes)) {
  case tools::Content::nothing:
    return Error{ErrorCode::invalid_module, "the input is empty; LLVM bitcode or IR is wanted"};
  case tools::Content::spirv:
    return Error{ErrorCode::invalid_module, "a SPIR-V module, not LLVM bitcode or IR; -r reads SPIR-V"};
  case tools::Content::unknown:
    return Error{ErrorCode::invalid_module, "neither LLVM bitcode nor LLVM IR"};
  case tools::Content::bitcode:
  case tools::Content::text:
    break;
  }
  // The parser of text wants a zero byte behind the end, which a copy has.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(as_text(bytes), options.input);
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIR(buffer->getMemBufferRef(), diagnostic, context);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!module) {
    stream << "not LLVM bitcode or IR: ";
    if (diagnostic.getLineNo() > 0)
      stream << "line " << diagnostic.getLineNo() << ": ";
    stream << diagnostic.getMessage();
    return Error{ErrorCode::invalid_module, message};
  }
  if (llvm::verifyModule(*module, &stream))
    return Error{ErrorCode::invalid_module,
                 "the module breaks LLVM's rules: " + std::string(llvm::StringRef(message).trim())};
  return module;
}

Result<void> to_spirv(const Options& options) {
  std::string output = options.output.empty() ? tools::default_output(options.input, ".spv") : options.output;
  KILN_TRY(tools::refuse_terminal(output));
  KILN_ASSIGN(Bytes bytes, tools::read_input(options.input));
  llvm::LLVMContext context;
  KILN_ASSIGN(auto module, parse_module(options, bytes, context));
  if (!options.pristine)
    KILN_TRY(passes::run_neutral(*module, {options.opt_level}));
  else
    KILN_TRY(passes::lower_predicates(*module));
  translate::EmitOptions emit;
  emit.version = options.spirv_version; // nothing newer than 1.4 is used outside of extensions
  emit.aux_data = options.aux_data;
  KILN_ASSIGN(auto words, translate::emit(*module, emit));
  return tools::write_output(output, std::as_bytes(std::span(words)));
}

Result<void> to_llvm(const Options& options) {
  KILN_ASSIGN(Bytes bytes, tools::read_input(options.input));
  KILN_ASSIGN(auto words, tools::to_words(bytes));
  std::string output =
      options.output.empty() ? tools::default_output(options.input, options.llvm_text ? ".ll" : ".bc") : options.output;
  if (!options.llvm_text)
    KILN_TRY(tools::refuse_terminal(output));
  llvm::LLVMContext context;
  KILN_ASSIGN(auto module, translate::read(words, context));
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (options.llvm_text)
    module->print(stream, nullptr);
  else
    llvm::WriteBitcodeToFile(*module, stream);
  return tools::write_output(output, as_bytes(text));
}

Result<void> to_text(const Options& options) {
  KILN_ASSIGN(Bytes bytes, tools::read_input(options.input));
  KILN_ASSIGN(auto words, tools::to_words(bytes));
  KILN_ASSIGN(std::string text, spirv::to_text(words));
  return tools::write_output(options.output.empty() ? "-" : options.output, as_bytes(text));
}

Result<void> run(const Options& options) {
  switch (options.action) {
  case Options::Action::to_spirv:
    return to_spirv(options);
  case Options::Action::to_llvm:
    return to_llvm(options);
  case Options::Action::to_text:
    return to_text(options);
  case Options::Action::help:
    return tools::write_output("-", as_bytes(tools::help_text()));
  case Options::Action::version:
    return tools::write_output("-", as_bytes("Kiln llvm-spirv " KILN_VERSION ", LLVM " LLVM_VERSION_STRING "\n"));
  }
  return {};
}

} // namespace

int main(int count, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow further is an error of write()
  auto options = tools::parse_options(count, arguments);
  Result<void> done = options ? run(*options) : Result<void>(options.error());
  int status = 0;
  if (!done) {
    const char* input = options && options->input != "-" ? options->input.c_str() : nullptr;
    std::fprintf(stderr, "llvm-spirv: error: %s%s%s\n", input ? input : "", input ? ": " : "",
                 done.error().message.c_str());
    status = 1;
  }
  std::fflush(stderr);
  _exit(status); // everything is written; tearing LLVM down costs more than translating a small module
}
