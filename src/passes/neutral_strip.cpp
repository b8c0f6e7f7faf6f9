// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang puts into a device module that is not part of the program.
#include "passes/neutral.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>

namespace kiln::passes {

using namespace llvm;

namespace {

// The two lists come first: they refer to the others.
constexpr StringRef dropped_variables[] = {"llvm.compiler.used", "llvm.used", "llvm.cmdline", "llvm.embedded.module"};
constexpr StringRef dropped_metadata[] = {"llvm.ident", "llvm.commandline", "opencl.ocl.version",
                                          "opencl.spir.version"};
constexpr StringRef dropped_attributes[] = {"target-features", "target-cpu", "tune-cpu"};

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
  StripDebugInfo(module);
  for (Function& function : module)
    for (StringRef name : dropped_attributes)
      function.removeFnAttr(name);
}

} // namespace kiln::passes
