// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/amdgcn_intrinsics.h"

#include "passes/amdgcn_intrinsics_lowering.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::passes {
using namespace llvm;

namespace {

struct Row {
  const char* name;
  Worker worker;
  unsigned variant;
  bool host, nvptx;
};

constexpr bool yes = true, no = false;
constexpr Row rows[] = {
#define ROW(name, worker, variant, host, nvptx) {#name, &worker, unsigned(variant), host, nvptx},
#include "passes/amdgcn_intrinsics.inc"
#undef ROW
};

// The row with the longest name that is `name` or a prefix of it before a dot.
const Row* find_row(StringRef name) {
  static const StringMap<const Row*> index = [] {
    StringMap<const Row*> map;
    for (const Row& row : rows)
      map[row.name] = &row;
    return map;
  }();
  while (true) {
    if (auto found = index.find(name); found != index.end())
      return found->second;
    size_t dot = name.rfind('.');
    if (dot == StringRef::npos)
      return nullptr;
    name = name.take_front(dot);
  }
}

bool is_kernel(const Function& function) {
  return function.getCallingConv() == CallingConv::SPIR_KERNEL ||
         function.getCallingConv() == CallingConv::AMDGPU_KERNEL ||
         function.getCallingConv() == CallingConv::PTX_Kernel;
}

// A kernel from which `function` can be reached, by any kind of use.
std::string kernel_reaching(const Function& function) {
  SmallVector<const Value*, 16> work{&function};
  SmallPtrSet<const Value*, 16> seen{&function};
  while (!work.empty()) {
    const Value* value = work.pop_back_val();
    if (auto* candidate = dyn_cast<Function>(value); candidate && is_kernel(*candidate))
      return "kernel '" + candidate->getName().str() + "'";
    for (const User* user : value->users()) {
      const Value* next = user;
      if (auto* instruction = dyn_cast<Instruction>(user))
        next = instruction->getFunction();
      if (seen.insert(next).second)
        work.push_back(next);
    }
  }
  return "function '" + function.getName().str() + "'";
}

Error no_equivalent(const CallBase& call, const std::string& what, const IntrinsicOptions& options,
                    const std::string& detail = {}) {
  return Error{ErrorCode::compile_failed,
               kernel_reaching(*call.getFunction()) + " uses " + what + (detail.empty() ? "" : " " + detail) +
                   ", which has no equivalent on " + options.device +
                   "; guard it with __builtin_amdgcn_processor_is or __builtin_amdgcn_is_invocable"};
}

// Nothing but comments: the compiler's way of hiding a value, or of ordering.
bool is_comment(StringRef text) {
  SmallVector<StringRef, 4> lines;
  text.split(lines, '\n');
  return all_of(lines, [](StringRef line) {
    line = line.trim();
    return line.empty() || line.starts_with(";") || line.starts_with("//");
  });
}

class Driver {
public:
  Driver(Module& module, const IntrinsicOptions& options)
      : module_(module), options_(options),
        primitives_(options.target == IntrinsicTarget::host ? make_host_primitives(module)
                                                            : make_nvptx_primitives(module)) {}

  Result<void> run() {
    SmallVector<CallBase*, 64> calls;
    for (Function& function : module_)
      for (Instruction& instruction : instructions(function))
        if (auto* call = dyn_cast<CallBase>(&instruction))
          calls.push_back(call);
    for (CallBase* call : calls)
      KILN_TRY(lower(*call));
    for (Function& function : make_early_inc_range(module_))
      if (function.isDeclaration() && function.use_empty() && function.getName().starts_with("llvm."))
        function.eraseFromParent();
    return {};
  }

private:
  Result<void> lower(CallBase& call) {
    if (auto* assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
      return lower_assembly(call, assembly->getAsmString());
    Function* callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || !callee->getName().starts_with("llvm."))
      return {};
    StringRef name = callee->getName();
    if (name.consume_front("llvm.amdgcn."))
      return lower_row(call, find_row(name));
    Lowering l{call, IRBuilder<>(&call), *primitives_, options_.wave_size, 0, {}};
    switch (callee->getIntrinsicID()) {
    case Intrinsic::read_register:
      return lower_register(call, l);
    case Intrinsic::readsteadycounter:
      return replace(call, primitives_->steady_counter(l.b));
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
      primitives_->trap(l.b);
      return replace(call, nullptr);
    case Intrinsic::debugtrap: // without a debugger the trap handler goes on
      return replace(call, nullptr);
    default:
      return {};
    }
  }

  Result<void> lower_row(CallBase& call, const Row* row) {
    std::string name = call.getCalledFunction()->getName().str();
    if (!row || !(options_.target == IntrinsicTarget::host ? row->host : row->nvptx))
      return no_equivalent(call, name, options_);
    Lowering l{call, IRBuilder<>(&call), *primitives_, options_.wave_size, row->variant, {}};
    if (isa<FPMathOperator>(call))
      l.b.setFastMathFlags(call.getFastMathFlags());
    Value* result = row->worker(l);
    if (!l.problem.empty())
      return no_equivalent(call, name, options_, l.problem);
    return replace(call, result);
  }

  Result<void> lower_register(CallBase& call, Lowering& l) {
    auto* node = cast<MDNode>(cast<MetadataAsValue>(call.getArgOperand(0))->getMetadata());
    StringRef name = cast<MDString>(node->getOperand(0))->getString();
    unsigned shift = name == "exec_hi" ? 32 : 0;
    if (!name.starts_with("exec"))
      return no_equivalent(call, ("the register " + name).str(), options_);
    Value* mask = primitives_->ballot(l.b, l.b.getTrue());
    return replace(call, l.b.CreateZExtOrTrunc(l.b.CreateLShr(mask, shift), call.getType()));
  }

  Result<void> lower_assembly(CallBase& call, StringRef text) {
    bool identity = call.arg_size() == 1 && call.getArgOperand(0)->getType() == call.getType();
    if (!is_comment(text) || !(call.getType()->isVoidTy() || identity))
      return no_equivalent(call, ("the inline assembly \"" + text + "\"").str(), options_);
    if (call.getType()->isVoidTy()) {
      if (!call.doesNotAccessMemory())
        IRBuilder<>(&call).CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread);
      return replace(call, nullptr);
    }
    return replace(call, call.getArgOperand(0));
  }

  static Result<void> replace(CallBase& call, Value* value) {
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
    return {};
  }

  Module& module_;
  const IntrinsicOptions& options_;
  std::unique_ptr<Primitives> primitives_;
};

} // namespace

Result<void> lower_amdgcn_intrinsics(Module& module, const IntrinsicOptions& options) {
  return Driver(module, options).run();
}

std::vector<IntrinsicSupport> amdgcn_intrinsic_table() {
  std::vector<IntrinsicSupport> table;
  for (const Row& row : rows)
    table.push_back({row.name, row.host, row.nvptx});
  return table;
}

} // namespace kiln::passes
