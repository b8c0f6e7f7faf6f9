// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/host/host_pipeline.h"

#include "passes/amdgcn_intrinsics.h"
#include "passes/drop_target_attributes.h"
#include "passes/fold_predicates.h"
#include "passes/host_coroutines.h"
#include "passes/host_lockstep.h"
#include "passes/host_memory.h"
#include "passes/math_library.h"
#include "target/devlib.h"
#include "target/diagnostics.h"
#include "target/globals.h"
#include "target/optimise.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/SROA.h>

namespace kiln::target {
namespace {

bool is_kernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
         function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
}

class Pipeline {
public:
  Pipeline(llvm::Module& module, llvm::TargetMachine& machine, unsigned level)
      : module_(module), level_(level), tuning_(make_tuning()), builder_(&machine, tuning_) {
    llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
    functions_.registerPass([library] { return llvm::TargetLibraryAnalysis(library); });
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  // Inlines what waits, and dissolves private variables, so that a kernel's body shows what it needs.
  void simplify() {
    llvm::ModulePassManager passes;
    if (level_ > 0) {
      passes.addPass(builder_.buildModuleSimplificationPipeline(
          level_ > 1 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O1, llvm::ThinOrFullLTOPhase::None));
    } else {
      passes.addPass(llvm::AlwaysInlinerPass());
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
    }
    // Which memory a generic pointer means, for atomics.
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::InferAddressSpacesPass(0)));
    passes.addPass(llvm::GlobalDCEPass()); // functions that were inlined everywhere
    passes.run(module_, modules_);
  }

  void split_coroutines() {
    llvm::ModulePassManager passes;
    passes.addPass(llvm::CoroEarlyPass());
    passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::CoroSplitPass(/*OptimizeFrame=*/level_ > 0)));
    passes.addPass(llvm::CoroCleanupPass());
    passes.addPass(llvm::GlobalDCEPass());
    passes.run(module_, modules_);
  }

  llvm::FunctionAnalysisManager& functions() { return functions_; }
  void forget() { modules_.invalidate(module_, llvm::PreservedAnalyses::none()); }

private:
  static llvm::PipelineTuningOptions make_tuning() {
    llvm::PipelineTuningOptions tuning;
    tuning.InlinerThreshold = 1000; // a call in the loop over work-items stops the vectoriser
    return tuning;
  }

  llvm::Module& module_;
  unsigned level_;
  llvm::PipelineTuningOptions tuning_;
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

Result<void> check_undefined(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        !function.getName().starts_with("kiln.host.") && !function.getName().starts_with("llvm."))
      return Error{ErrorCode::unsupported, describe(function) + " calls '" + function.getName().str() +
                                               "', which neither the module nor the device library defines"};
  return {};
}

Result<void> verify(const llvm::Module& module, const char* when) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    return Error{ErrorCode::compile_failed, std::string("invalid code ") + when + ": " + problem};
  return {};
}

} // namespace

Result<LoweredModule> lower_for_host(llvm::Module& module, llvm::TargetMachine& machine, const CodegenOptions& options,
                                     const std::string& device) {
  const unsigned wave_size = options.wave_size ? options.wave_size : 32;
  LoweredModule result;
  passes::drop_target_attributes(module);
  // First, so that what only other devices can do is gone before anything looks at it; then what the host does itself,
  // so that it is not linked; then the library, whose functions use intrinsics too.
  passes::claim_host_services(module);
  KILN_TRY(settle_globals(module, host_address_spaces, options.define_globals));
  internalise(module, is_kernel);
  passes::call_math_library(module, passes::MathTarget::host);
  KILN_TRY(link_device_library(module, {.form = "host",
                                        .isa_version = portable_isa_version,
                                        .wave_size = wave_size,
                                        .abi_version = 500,
                                        .flush_denormals = false}));
  drop_dead(module);
  KILN_TRY(check_undefined(module));
  KILN_TRY(passes::lower_amdgcn_intrinsics(
      module, {.target = passes::IntrinsicTarget::host, .wave_size = wave_size, .device = device}));
  passes::expand_exponent_intrinsics(module);
  // Memory while functions still say "my group"; the work-item is threaded through them next.
  KILN_ASSIGN(passes::LocalMemory local_memory, passes::place_local_memory(module, host_address_spaces));
  KILN_TRY(passes::import_globals(module, host_address_spaces));
  KILN_ASSIGN(auto kernels, passes::thread_work_item(module, local_memory.common_size()));
  passes::inline_waiting_functions(module);
  KILN_TRY(verify(module, "before optimisation"));

  Pipeline pipeline(module, machine, options.opt_level);
  pipeline.simplify();
  KILN_TRY(passes::check_waiting_functions(module, kernels));
  // The shape depends on atomic operations, so it is chosen before those of local memory become plain ones.
  std::vector<host_abi::Shape> shapes;
  for (passes::HostKernel& kernel : kernels) {
    passes::keep_lockstep(*kernel.body, host_address_spaces);
    shapes.push_back(passes::choose_shape(kernel));
    if (shapes.back() == host_abi::Shape::coroutines)
      passes::number_sites(*kernel.body, pipeline.functions());
  }
  bool local_atomics = passes::relax_scopes(module, host_address_spaces);
  for (size_t i = 0; i < kernels.size(); ++i) {
    LoweredKernel lowered{kernels[i], passes::lay_out_arguments(kernels[i]), local_memory.sizes.at(kernels[i].name)};
    KILN_TRY(passes::make_entry(kernels[i], shapes[i], {.wave_size = wave_size, .parallel = !local_atomics}));
    result.kernels.push_back(std::move(lowered));
  }
  pipeline.forget();
  KILN_TRY(verify(module, "before splitting coroutines"));
  pipeline.split_coroutines();
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      function.addFnAttr("probe-stack", "inline-asm"); // a big frame must not jump over the guard page
  KILN_TRY(verify(module, "after splitting coroutines"));
  return result;
}

} // namespace kiln::target
