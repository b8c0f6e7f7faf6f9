// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's own optimisation pipeline for a target, set up as clang -O0..-O3 sets it up.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace kiln::target {

// Makes internal all that is defined and not kept (`keep` says so of functions; variables in global memory are the
// business of globals.h), then removes what is not reached.
void internalise(llvm::Module& module, llvm::function_ref<bool(const llvm::Function&)> keep);

// Removes unused functions and variables only: cheap, done before anything else looks at the module.
void drop_dead(llvm::Module& module);

void optimise(llvm::Module& module, llvm::TargetMachine& machine, unsigned level);

} // namespace kiln::target
