// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is done to a program once, at build time, before it becomes SPIR-V: feature predicates get their portable form,
// what is not part of the program is dropped, and target-neutral optimisations make the module small and the JIT's work
// less. Nothing here may depend on a target: see the list in neutral.cpp.
#pragma once

#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace kiln::passes {

struct NeutralOptions {
  // Unset: the -O of clang's command line that the module carries; a module that carries none is not optimised.
  std::optional<unsigned> opt_level;
};

[[nodiscard]] Result<void> run_neutral(llvm::Module& module, const NeutralOptions& options = {});

// The cc1 command line in @llvm.cmdline, one argument an element; empty if there is none.
[[nodiscard]] std::vector<std::string> embedded_command_line(const llvm::Module& module);

// neutral_predicates.cpp: calls of __kiln_processor_is and __kiln_is_invocable become __kiln_predicate.* functions.
[[nodiscard]] Result<void> lower_predicates(llvm::Module& module);

// neutral_strip.cpp: command line, embedded bitcode, identification, debug information, the target features of the
// portable union of GPUs.
void strip_module(llvm::Module& module);

} // namespace kiln::passes
