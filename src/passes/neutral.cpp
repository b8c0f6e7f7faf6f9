// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/neutral.h"

#include "passes/neutral_pointers.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/ArgumentPromotion.h>
#include <llvm/Transforms/IPO/DeadArgumentElimination.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/IPO/StripDeadPrototypes.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace kiln::passes {

using namespace llvm;

namespace {

constexpr unsigned generic_address_space = 4; // of spirv64-amd-amdhsa

// Only what is cheaper inlined than called, or called once: AMDGPU inlines nearly everything at JIT anyway, and a
// callee that stays shared by many kernels is in the module once.
constexpr int inline_threshold = 75;

unsigned opt_level(const Module& module, const NeutralOptions& options) {
  if (options.opt_level)
    return *options.opt_level;
  unsigned level = 0;
  for (const std::string& argument : embedded_command_line(module)) // the last one counts
    if (argument == "-Ofast" || (argument.size() <= 3 && argument.starts_with("-O")))
      level = argument == "-O0" ? 0 : argument == "-O1" ? 1 : argument == "-O3" || argument == "-Ofast" ? 3 : 2;
  return level;
}

// Device code of one compilation is a closed world: kernels and variables are what the host can name. (Not so when
// several objects are linked later.)
void internalize(Module& module) {
  internalizeModule(module, [](const GlobalValue& value) {
    auto* function = dyn_cast<Function>(&value);
    return !function || function->getCallingConv() == CallingConv::SPIR_KERNEL;
  });
}

FunctionPassManager early_simplification() {
  FunctionPassManager passes;
  // clang keeps everything in variables and makes every pointer generic, also those to its own variables. Undo that
  // before anything looks at memory: values first, then the casts that values came through, then the address spaces.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(CoercedPointersPass());
  passes.addPass(InferAddressSpacesPass(generic_address_space));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  return passes;
}

// After inlining. What is missing here is missing on purpose: vectorisers, unrolling, jump threading (it duplicates
// convergent code), loop rotation and strength reduction depend on the target or hurt AMDGPU's own pipeline.
FunctionPassManager simplification() {
  FunctionPassManager passes;
  // Arguments became variables, variables became values: a second round finds what the first could not see.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(CoercedPointersPass());
  passes.addPass(InferAddressSpacesPass(generic_address_space));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  // Invariant code out of loops, so that the module says it once; needs simple loops, which the adaptor makes.
  LoopPassManager loops;
  loops.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  // Redundant loads and expressions. No partial redundancy elimination: it inserts code and phis that stop AMDGPU from
  // dissolving private arrays.
  passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  passes.addPass(DSEPass());
  passes.addPass(ADCEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

ModulePassManager pipeline() {
  ModulePassManager passes;
  // Templates and inline functions that nothing calls: gone before any work is spent on them.
  passes.addPass(GlobalDCEPass());
  passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true));
  passes.addPass(createModuleToFunctionPassAdaptor(early_simplification()));
  // Callees first: a callee is as small as it gets when its callers ask whether to inline it.
  ModuleInlinerWrapperPass inliner(getInlineParams(inline_threshold));
  CGSCCPassManager& calls = inliner.getPM();
  calls.addPass(PostOrderFunctionAttrsPass());
  calls.addPass(createCGSCCToFunctionPassAdaptor(simplification()));
  passes.addPass(std::move(inliner));
  // What was inlined everywhere.
  passes.addPass(GlobalDCEPass());
  passes.addPass(StripDeadPrototypesPass());
  return passes;
}

void optimize(Module& module) {
  PassBuilder builder;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager calls;
  ModuleAnalysisManager modules;
  // No C library on a device: a user's `printf` or `sinf` means what the program says, not what ISO C says.
  TargetLibraryInfoImpl library(module.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  pipeline().run(module, modules);
}

} // namespace

Result<void> run_neutral(Module& module, const NeutralOptions& options) {
  auto arguments = embedded_command_line(module);
  unsigned level = opt_level(module, options);
  KILN_TRY(lower_predicates(module));
  strip_module(module);
  if (level == 0)
    return {};
  if (!is_contained(arguments, "-fgpu-rdc"))
    internalize(module);
  optimize(module);
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return Error{ErrorCode::compile_failed,
                 "the optimiser made an invalid module (compile with -O0, and report this): " + broken};
  return {};
}

} // namespace kiln::passes
