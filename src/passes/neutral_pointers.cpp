// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/neutral_pointers.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace kiln::passes {

using namespace llvm;

namespace {

bool is_global_or_generic(unsigned address_space) {
  return address_space == 1 || address_space == 4;
}

} // namespace

PreservedAnalyses CoercedPointersPass::run(Function& function, FunctionAnalysisManager&) {
  const DataLayout& layout = function.getDataLayout();
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* pointer = dyn_cast<IntToPtrInst>(&instruction);
    auto* number = pointer ? dyn_cast<PtrToIntInst>(pointer->getOperand(0)) : nullptr;
    if (!number || pointer->getType()->isVectorTy())
      continue;
    Value* original = number->getPointerOperand();
    unsigned from = number->getPointerAddressSpace(), to = pointer->getAddressSpace();
    if (!is_global_or_generic(from) || !is_global_or_generic(to) ||
        layout.getTypeSizeInBits(number->getType()) != layout.getPointerSizeInBits(from))
      continue;
    Value* replacement = original;
    if (from != to)
      replacement = new AddrSpaceCastInst(original, pointer->getType(), "", pointer->getIterator());
    replacement->takeName(pointer);
    pointer->replaceAllUsesWith(replacement);
    pointer->eraseFromParent();
    if (number->use_empty())
      number->eraseFromParent();
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace kiln::passes
