// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame: what is emitted in which order, and how the sections are joined (specification 2.4).
#include "translate/emit_module.h"

#include "translate/emit_function.h"

#include <llvm/Support/raw_ostream.h>

namespace kiln::translate {

using namespace llvm;
using spv::Op;

Result<std::vector<uint32_t>> emit(const Module& module, const EmitOptions& options) {
  return ModuleEmitter(module, options).run();
}

Id ModuleEmitter::fail(const Twine& what, const Value* subject) {
  if (error_)
    return 0;
  if (!subject)
    subject = instruction_;
  std::string message;
  raw_string_ostream stream(message);
  if (current_)
    stream << "function '" << current_->getName() << "': ";
  stream << what;
  if (subject) {
    std::string printed;
    raw_string_ostream text(printed);
    if (isa<Function>(subject))
      subject->printAsOperand(text, false);
    else
      subject->print(text);
    stream << ": " << StringRef(printed).trim();
  }
  error_ = Error{ErrorCode::unsupported, message};
  return 0;
}

void ModuleEmitter::capability(spv::Capability capability, const char* extension) {
  capabilities_.insert(uint32_t(capability));
  if (extension)
    extensions_.insert(extension);
}

Id ModuleEmitter::opencl_set() {
  if (!opencl_set_)
    opencl_set_ = new_id();
  return opencl_set_;
}

Id ModuleEmitter::string(StringRef text) {
  Id& id = string_ids_[text];
  if (!id) {
    id = new_id();
    // A zero byte would end the string early.
    if (text.contains('\0'))
      return fail("a name or attribute contains a zero byte");
    strings_.begin(Op::OpString).word(id).string(text).end();
  }
  return id;
}

void ModuleEmitter::name(Id id, StringRef text) {
  names_.begin(Op::OpName).word(id).string(text).end();
}

namespace {

// Not part of the program: command line (with local paths), embedded bitcode, and lists for linkers.
bool is_dropped(const GlobalVariable& variable) {
  StringRef name = variable.getName();
  return name == "llvm.cmdline" || name == "llvm.embedded.module" || name == "llvm.used" ||
         name == "llvm.compiler.used";
}

bool is_special(const Function& function) {
  return function.isIntrinsic() || function.getName().starts_with(predicate_prefix);
}

} // namespace

Result<std::vector<uint32_t>> ModuleEmitter::run() {
  capability(spv::Capability::Addresses);
  capability(spv::Capability::Kernel);
  check_module();
  for (const GlobalVariable& variable : module_.globals())
    if (!is_dropped(variable))
      this->variable(variable);
  for (const Function& function : module_)
    if (function.isDeclaration() && !is_special(function))
      this->function(function);
  for (const Function& function : module_) {
    if (failed())
      break;
    if (function.isDeclaration())
      continue;
    current_function(&function);
    emit_function(*this, function);
    current_function(nullptr);
  }
  emit_predicate_table();
  emit_aliases();
  for (const Function& function : module_)
    if (!is_special(function) && !failed()) {
      if (function.getCallingConv() == CallingConv::SPIR_KERNEL && !function.isDeclaration())
        emit_entry_point(function);
      emit_function_rows(function);
    }
  for (const GlobalVariable& variable : module_.globals())
    if (!is_dropped(variable) && !failed()) {
      emit_global_row(variable, this->variable(variable));
      emit_global_attachments(variable, this->variable(variable));
    }
  emit_named_metadata();
  if (entry_points_.data.empty()) // a module without kernels is a library
    capability(spv::Capability::Linkage);
  kiln_list(globals, spirv::Kiln::Poison, {}, poison_);
  if (failed())
    return std::move(*error_);
  auto words = assemble();
  if (words.empty())
    return Error{
        ErrorCode::unsupported,
        "an instruction would be longer than the 65535 words that SPIR-V allows (a type, switch or name is too large)"};
  return words;
}

void ModuleEmitter::check_module() {
  if (!module_.getModuleInlineAsm().empty())
    fail("assembly at file scope has no SPIR-V form");
  auto supported = [](const Function& function) {
    return !function.hasPersonalityFn() && !function.hasPrefixData() && !function.hasPrologueData() &&
           !function.hasGC();
  };
  for (const Function& function : module_) {
    if (!supported(function))
      fail("a function with exception handling, garbage collection, prefix or prologue data has no SPIR-V form",
           &function);
    switch (function.getCallingConv()) {
    case CallingConv::C:
    case CallingConv::Fast:
    case CallingConv::Cold:
    case CallingConv::SPIR_FUNC:
    case CallingConv::SPIR_KERNEL:
      break;
    default:
      fail("calling convention " + Twine(function.getCallingConv()) + " has no SPIR-V form", &function);
    }
  }
}

std::vector<uint32_t> ModuleEmitter::assemble() {
  spirv::Section head, annotations;
  emit_decorations(annotations);
  for (uint32_t capability : capabilities_)
    head.add(Op::OpCapability, {capability});
  for (const std::string& extension : extensions_)
    head.begin(Op::OpExtension).string(extension).end();
  if (opencl_set_)
    head.begin(Op::OpExtInstImport).word(opencl_set_).string("OpenCL.std").end();
  if (kiln_set_)
    head.begin(Op::OpExtInstImport).word(kiln_set_).string(kiln_set_name).end();
  head.add(Op::OpMemoryModel, {uint32_t(spv::AddressingModel::Physical64), uint32_t(spv::MemoryModel::OpenCL)});
  for (const spirv::Section* section : {&entry_points_, &execution_modes_, &strings_, &names_, &annotations, &globals,
                                        &declarations_, &definitions, &module_facts_})
    head.append(*section);
  if (head.too_long)
    return {};
  auto words = spirv::module_header(options_.version, generator_word, next_id_);
  words.insert(words.end(), head.data.begin(), head.data.end());
  return words;
}

} // namespace kiln::translate
