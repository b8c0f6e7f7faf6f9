// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects what LLVM reports through its context (inline assembly that does not assemble, unsupported operations,
// resource limits), which without a handler would be printed and, for errors, end the process.
#pragma once

#include "support/result.h"

#include <llvm/IR/LLVMContext.h>

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
class DiagnosticHandler;
} // namespace llvm

namespace kiln::target {

// For its lifetime the errors of `context` are collected here. One thread, as the context.
class DiagnosticScope {
public:
  explicit DiagnosticScope(llvm::LLVMContext& context);
  DiagnosticScope(const DiagnosticScope&) = delete;
  DiagnosticScope& operator=(const DiagnosticScope&) = delete;
  ~DiagnosticScope();

  // Success, or the errors seen so far as one compile_failed sentence.
  [[nodiscard]] Result<void> result() const;

private:
  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::DiagnosticHandler> previous_;
  std::shared_ptr<std::vector<std::string>> errors_;
};

// "kernel 'k'" for a kernel or for a function that a kernel reaches (the first such one), else "function 'f'".
[[nodiscard]] std::string describe(const llvm::Function& function);

// "kernel 'k'", "kernels 'a' and 'b'", "12 kernels ('a', ...)", "the module's global variables".
[[nodiscard]] std::string describe_kernels(const llvm::Module& module);

} // namespace kiln::target
