// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang puts into a device module that is not part of the program.
#include "passes/neutral.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace kiln::passes {

using namespace llvm;

namespace {

// The two lists come first: they refer to the others.
constexpr StringRef dropped_variables[] = {"llvm.compiler.used", "llvm.used", "llvm.cmdline", "llvm.embedded.module"};
constexpr StringRef dropped_metadata[] = {
    "llvm.ident",         "llvm.commandline",    // who compiled it, and how
    "opencl.ocl.version", "opencl.spir.version", // of SPIR, not of SPIR-V
    "llvm.errno.tbaa",                           // there is no errno on a device
};
constexpr StringRef dropped_flags[] = {
    "wchar_size",                 // fixed by the language, of no interest to code generation for a device
    "PIC Level",                  // decided by the target at JIT: code objects are always position independent
    "PIE Level",                  //
    "uwtable",                    // there is no unwinding
    "frame-pointer",              //
    "amdhsa_code_object_version", // a choice of the JIT
    "amdgpu_printf_kind",         // printf is a library function by now
};
constexpr StringRef dropped_attributes[] = {
    "target-features",             // the union of all GPUs' features, wrong on every single one
    "target-cpu",                  //
    "tune-cpu",                    //
    "frame-pointer",               // for debuggers and unwinders of CPUs
    "stack-protector-buffer-size", // no stack protector without "ssp"
    "no-trapping-math",            // floating point exceptions do not trap on a device
};

void drop_module_flags(Module& module) {
  NamedMDNode* flags = module.getModuleFlagsMetadata();
  if (!flags)
    return;
  SmallVector<MDNode*> kept;
  for (MDNode* flag : flags->operands()) {
    auto* name = dyn_cast_or_null<MDString>(flag->getOperand(1).get());
    if (!name || !is_contained(dropped_flags, name->getString()))
      kept.push_back(flag);
  }
  flags->clearOperands();
  for (MDNode* flag : kept)
    flags->addOperand(flag);
  if (kept.empty())
    flags->eraseFromParent();
}

} // namespace

std::vector<std::string> embedded_command_line(const Module& module) {
  std::vector<std::string> arguments;
  auto* variable = module.getGlobalVariable("llvm.cmdline", true);
  auto* data =
      variable && variable->hasInitializer() ? dyn_cast<ConstantDataSequential>(variable->getInitializer()) : nullptr;
  if (!data || !data->isString())
    return arguments;
  StringRef rest = data->getAsString();
  while (!rest.empty()) {
    auto [argument, tail] = rest.split('\0');
    arguments.push_back(argument.str());
    rest = tail;
  }
  return arguments;
}

void strip_module(Module& module) {
  for (StringRef name : dropped_variables)
    if (auto* variable = module.getGlobalVariable(name, true); variable && variable->use_empty())
      variable->eraseFromParent();
  // An empty variable whose name is a hash of the compilation; its value lies in linking several device objects.
  for (GlobalVariable& variable : make_early_inc_range(module.globals()))
    if (variable.getName().starts_with("__hip_cuid_")) {
      variable.removeDeadConstantUsers();
      if (variable.use_empty())
        variable.eraseFromParent();
    }
  for (StringRef name : dropped_metadata)
    if (auto* named = module.getNamedMetadata(name))
      named->eraseFromParent();
  drop_module_flags(module);
  StripDebugInfo(module);
  for (Function& function : module) {
    for (StringRef name : dropped_attributes)
      function.removeFnAttr(name);
    for (Instruction& instruction : instructions(function))
      instruction.setMetadata("srcloc", nullptr); // lines of a source that is not there at JIT
  }
}

} // namespace kiln::passes
