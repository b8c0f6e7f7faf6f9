// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-devlib FORM OUT.pack IN.bc...: makes the device library of one form (amdgcn, host, nvptx) from AMD's and Kiln's
// bitcode for amdgcn. Runs at build time. Where two inputs define a function, the later one counts.
#include "passes/drop_target_attributes.h"
#include "passes/math_library.h"
#include "passes/remap_address_spaces.h"
#include "support/file.h"
#include "target/devlib_pack.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace kiln;

namespace {

struct Form {
  std::string_view name;
  AddressSpaces spaces;
  const char* triple;
  passes::MathTarget math;
};
// The data layouts are set when linked (they depend on the processor); here they only must number allocas rightly.
constexpr Form forms[] = {
    {"amdgcn", amdgpu_address_spaces, "amdgcn-amd-amdhsa", passes::MathTarget::amdgpu},
    {"host", host_address_spaces, "x86_64-unknown-linux-gnu", passes::MathTarget::host},
    {"nvptx", nvptx_address_spaces, "nvptx64-nvidia-cuda", passes::MathTarget::nvptx},
};

int fail(const std::string& message) {
  llvm::errs() << "kiln-devlib: " << message << '\n';
  return 1;
}

// What is private to a file needs a name of its own once every function is a module of its own.
void share_internals(llvm::Module& module, llvm::StringRef file) {
  auto share = [&](llvm::GlobalObject& object) {
    if (object.isDeclaration() || !object.hasLocalLinkage())
      return;
    object.setName("__kiln_devlib." + file + "." + object.getName());
    object.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  };
  for (llvm::Function& function : module)
    share(function);
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.getName().starts_with("llvm."))
      share(variable);
}

// Functions that nothing but AMD's own runtime serves (services over hostcall), and calls printf's old form.
bool is_excluded(const llvm::Function& function) {
  return function.getName().starts_with("__ockl_hostcall") || function.getName().starts_with("__ockl_dm_");
}

// AMD's library computes with log2, exp2, sin and cos as instructions; elsewhere they are calls of this library. Its
// native functions promise speed and not accuracy.
void route_math(llvm::Module& library, passes::MathTarget target) {
  for (llvm::Function& function : library)
    if (function.getName().starts_with("__ocml_native_"))
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (llvm::isa<llvm::CallBase>(instruction) && llvm::isa<llvm::FPMathOperator>(instruction))
          instruction.setHasApproxFunc(true);
  passes::call_math_library(library, target);
}

// A module with only `value` defined.
Bytes extract(const llvm::Module& module, const llvm::GlobalValue& value) {
  llvm::ValueToValueMapTy map;
  auto part = llvm::CloneModule(module, map, [&](const llvm::GlobalValue* other) { return other == &value; });
  for (llvm::NamedMDNode& node : llvm::make_early_inc_range(part->named_metadata()))
    part->eraseNamedMetadata(&node);
  for (bool again = true; again;) {
    again = false;
    auto drop = [&](llvm::GlobalObject& object) {
      if (object.isDeclaration() && object.use_empty() && object.getName() != value.getName()) {
        object.eraseFromParent();
        again = true;
      }
    };
    for (llvm::Function& function : llvm::make_early_inc_range(*part))
      drop(function);
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(part->globals()))
      drop(variable);
  }
  part->setSourceFileName("");
  part->setModuleIdentifier("devlib");
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*part, stream);
  auto bytes = as_bytes(std::string_view(bitcode.data(), bitcode.size()));
  return {bytes.begin(), bytes.end()};
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4)
    return fail("usage: kiln-devlib amdgcn|host|nvptx OUT.pack IN.bc...");
  const Form* form = nullptr;
  for (const Form& one : forms)
    if (one.name == argv[1])
      form = &one;
  if (!form)
    return fail(std::string("unknown form ") + argv[1]);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> library;
  for (int i = 3; i < argc; ++i) {
    llvm::SMDiagnostic problem;
    auto module = llvm::parseIRFile(argv[i], problem, context);
    if (!module)
      return fail(std::string(argv[i]) + ": " + problem.getMessage().str());
    std::string file = std::filesystem::path(argv[i]).stem().string();
    share_internals(*module, file);
    if (!library)
      library = std::move(module);
    else if (llvm::Linker::linkModules(*library, std::move(module), llvm::Linker::OverrideFromSrc))
      return fail(std::string("cannot link ") + argv[i]);
  }
  passes::drop_target_attributes(*library);
  for (llvm::Function& function : *library)
    if (!function.isDeclaration() && is_excluded(function))
      function.deleteBody();
  for (const char* list : {"llvm.used", "llvm.compiler.used"})
    if (auto* variable = library->getGlobalVariable(list, true))
      variable->eraseFromParent();
  if (form->spaces != amdgpu_address_spaces) {
    auto mapped = passes::remap_address_spaces(*library, amdgpu_address_spaces, form->spaces, form->triple, "");
    if (!mapped)
      return fail(mapped.error().message);
    library = std::move(*mapped);
    route_math(*library, form->math);
  }

  std::map<std::string, Bytes> modules;
  auto add = [&](llvm::GlobalObject& object) {
    if (object.isDeclaration() || object.getName().starts_with("llvm."))
      return;
    if (object.getName().starts_with("__oclc_"))
      return; // defined when linked, per device
    object.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
    object.setVisibility(llvm::GlobalValue::HiddenVisibility);
    modules.emplace(object.getName().str(), extract(*library, object));
  };
  for (llvm::Function& function : *library)
    add(function);
  for (llvm::GlobalVariable& variable : library->globals())
    add(variable);
  if (auto written = write_file(argv[2], target::write_devlib_pack(modules)); !written)
    return fail(written.error().message);
  return 0;
}
