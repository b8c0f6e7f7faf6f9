// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fold_predicates.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Local.h>

namespace kiln::passes {
namespace {

constexpr llvm::StringRef predicate_prefix = "__kiln_predicate.";

// Predicates that the front end left as calls. True if there was one.
bool answer_calls(llvm::Module& module, llvm::function_ref<bool(llvm::StringRef)> decide) {
  bool changed = false;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(predicate_prefix) || !function.isDeclaration())
      continue;
    bool answer = decide(function.getName().drop_front(predicate_prefix.size()));
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &function) {
        call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), answer));
        call->eraseFromParent();
        changed = true;
      }
    if (function.use_empty())
      function.eraseFromParent();
  }
  return changed;
}

// A branch, switch or select that has its answer already: what the reader leaves behind a decided predicate.
// Instructions with only constant operands count too (`!true`, zext of it), as the answer may have been computed with.
bool has_decided_code(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
      if (branch->isConditional() && llvm::isa<llvm::ConstantInt>(branch->getCondition()))
        return true;
    } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
      if (llvm::isa<llvm::ConstantInt>(choice->getCondition()))
        return true;
    } else if (llvm::isa<llvm::SelectInst, llvm::CastInst, llvm::BinaryOperator, llvm::CmpInst>(instruction)) {
      if (llvm::isa<llvm::ConstantInt>(instruction.getOperand(0)) &&
          (llvm::isa<llvm::SelectInst>(instruction) || llvm::all_of(instruction.operands(), [](const llvm::Use& use) {
             return llvm::isa<llvm::ConstantInt>(use.get());
           })))
        return true;
    } else if (llvm::isa<llvm::PHINode>(instruction) && instruction.getType()->isIntegerTy(1)) {
      // `a && b` on predicates: all incoming values constant.
      if (llvm::all_of(instruction.operands(),
                       [](const llvm::Use& use) { return llvm::isa<llvm::Constant>(use.get()); }))
        return true;
    }
  }
  return false;
}

// Folds to a fixed point inside one function: values, then branches, then the blocks that nothing enters any more.
void fold(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (bool again = true; again;) {
    again = false;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        if (instruction.use_empty() || llvm::isa<llvm::AllocaInst>(instruction))
          continue;
        llvm::Value* simpler = llvm::simplifyInstruction(&instruction, llvm::SimplifyQuery(layout, &instruction));
        if (!simpler || simpler == &instruction)
          continue;
        instruction.replaceAllUsesWith(simpler);
        if (llvm::isInstructionTriviallyDead(&instruction))
          instruction.eraseFromParent();
        again = true;
      }
      again |= llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    }
    again |= llvm::removeUnreachableBlocks(function);
  }
}

// A predicate wrapped in a function of its own, or passed as an argument, needs the propagation across calls.
void propagate_across_calls(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::IPSCCPPass());
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, modules);
}

// Interprocedural propagation looks at functions with local linkage; only kernels are called from outside.
void make_local(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL &&
        function.getCallingConv() != llvm::CallingConv::AMDGPU_KERNEL &&
        function.getCallingConv() != llvm::CallingConv::PTX_Kernel) {
      function.setComdat(nullptr);
      function.setVisibility(llvm::GlobalValue::DefaultVisibility);
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
}

} // namespace

void fold_predicates(llvm::Module& module, llvm::function_ref<bool(llvm::StringRef name)> decide) {
  bool decided = answer_calls(module, decide);
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && (decided || has_decided_code(function))) {
      fold(function);
      decided = true;
    }
  if (!decided)
    return;
  make_local(module);
  propagate_across_calls(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      fold(function);
}

} // namespace kiln::passes
