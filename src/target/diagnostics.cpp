// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/diagnostics.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace kiln::target {
namespace {

class Collector final : public llvm::DiagnosticHandler {
public:
  explicit Collector(std::shared_ptr<std::vector<std::string>> errors) : errors_(std::move(errors)) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true; // remarks and warnings are the author's business at build time, not a user's at run time
    std::string text;
    if (auto* assembly = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
      const llvm::SMDiagnostic& detail = assembly->getSMDiag();
      text = "the assembler refuses '" + detail.getLineContents().trim().str() + "': " + detail.getMessage().str();
    } else {
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    if (text.starts_with("error: "))
      text.erase(0, 7);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
      text.pop_back();
    errors_->push_back(std::move(text));
    return true;
  }

private:
  std::shared_ptr<std::vector<std::string>> errors_;
};

bool is_kernel(const llvm::Function& function) {
  switch (function.getCallingConv()) {
  case llvm::CallingConv::SPIR_KERNEL:
  case llvm::CallingConv::AMDGPU_KERNEL:
  case llvm::CallingConv::PTX_Kernel:
    return true;
  default:
    return false;
  }
}

} // namespace

DiagnosticScope::DiagnosticScope(llvm::LLVMContext& context)
    : context_(context), previous_(context.getDiagnosticHandler()),
      errors_(std::make_shared<std::vector<std::string>>()) {
  context_.setDiagnosticHandler(std::make_unique<Collector>(errors_), /*RespectFilters=*/false);
}

DiagnosticScope::~DiagnosticScope() {
  context_.setDiagnosticHandler(std::move(previous_));
}

Result<void> DiagnosticScope::result() const {
  if (errors_->empty())
    return {};
  std::string message = errors_->front();
  if (errors_->size() > 1)
    message += " (and " + std::to_string(errors_->size() - 1) + " more errors)";
  return Error{ErrorCode::compile_failed, message};
}

std::string describe(const llvm::Function& function) {
  llvm::SmallSetVector<const llvm::Function*, 16> reached;
  reached.insert(&function);
  llvm::SmallVector<const llvm::User*, 32> users;
  llvm::SmallPtrSet<const llvm::User*, 32> seen;
  for (size_t i = 0; i < reached.size(); ++i) {
    if (is_kernel(*reached[i]))
      return "kernel '" + reached[i]->getName().str() + "'";
    users.assign(reached[i]->user_begin(), reached[i]->user_end());
    while (!users.empty()) {
      const llvm::User* user = users.pop_back_val();
      if (!seen.insert(user).second)
        continue;
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
        reached.insert(instruction->getFunction());
      else
        users.append(user->user_begin(), user->user_end());
    }
  }
  return "function '" + function.getName().str() + "'";
}

std::string describe_kernels(const llvm::Module& module) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && is_kernel(function))
      names.push_back("'" + function.getName().str() + "'");
  switch (names.size()) {
  case 0:
    return "the module's global variables";
  case 1:
    return "kernel " + names[0];
  case 2:
    return "kernels " + names[0] + " and " + names[1];
  default:
    return std::to_string(names.size()) + " kernels (" + names[0] + ", ...)";
  }
}

} // namespace kiln::target
