// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/optimise.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

namespace kiln::target {
namespace {

struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;

  void register_all(llvm::PassBuilder& builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};

} // namespace

void drop_dead(llvm::Module& module) {
  Analyses analyses;
  llvm::PassBuilder builder;
  analyses.register_all(builder);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

void internalise(llvm::Module& module, llvm::function_ref<bool(const llvm::Function&)> keep) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || keep(function))
      continue;
    function.setComdat(nullptr);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  drop_dead(module);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, unsigned level) {
  static constexpr const llvm::OptimizationLevel* levels[] = {
      &llvm::OptimizationLevel::O0, &llvm::OptimizationLevel::O1, &llvm::OptimizationLevel::O2,
      &llvm::OptimizationLevel::O3};
  level = std::min(level, 3U);
  llvm::PipelineTuningOptions tuning; // as clang's code generation options at this level
  tuning.LoopUnrolling = level >= 1;
  tuning.LoopInterleaving = level >= 1;
  tuning.LoopVectorization = level >= 2;
  tuning.SLPVectorization = level >= 2;
  llvm::PassBuilder builder(&machine, tuning);
  Analyses analyses;
  llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
  analyses.functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  analyses.register_all(builder);
  llvm::ModulePassManager passes = level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                              : builder.buildPerModuleDefaultPipeline(*levels[level]);
  passes.run(module, analyses.modules);
}

} // namespace kiln::target
