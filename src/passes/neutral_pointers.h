// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang passes a generic pointer argument of a kernel as a global one: it stores `ptr addrspace(1)` to a variable and
// loads `ptr addrspace(4)` from it. SROA can only make that inttoptr(ptrtoint(...)), which hides the address space from
// every later pass and turns global loads into flat ones. A generic pointer to global memory has the global pointer's
// bits on every target (that is what clang relies on), so the pair is an addrspacecast, and is written as one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln::passes {

class CoercedPointersPass : public llvm::PassInfoMixin<CoercedPointersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace kiln::passes
