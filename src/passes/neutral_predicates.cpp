// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kiln's HIP headers spell __builtin_amdgcn_processor_is("gfx950") and __builtin_amdgcn_is_invocable(builtin) as calls
// of
//     extern "C" __device__ bool __kiln_processor_is(const char* processor);
//     extern "C" __device__ bool __kiln_is_invocable(const char* builtin);
// with literals. Each becomes a call of an i1 function without parameters, @"__kiln_predicate.is.gfx950" or
// @"__kiln_predicate.has.gfx950-insts", which the emitter writes as a specialisation constant and the JIT folds. Such a
// call has no side effects, but it is not speculatable: it says nothing about code that it does not guard.
#include "passes/neutral.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/TargetParser.h>

namespace kiln::passes {

using namespace llvm;

namespace {

struct BuiltinRow {
  StringRef builtin, features;
};
// The end row keeps the array valid while the table is empty.
constexpr BuiltinRow builtins[] = {
#define BUILTIN(name, features) {name, features},
#include "passes/builtin_features.inc"
#undef BUILTIN
    {"", ""},
};

Result<std::string> processor_predicate(StringRef processor) {
  if (AMDGPU::parseArchAMDGCN(processor) == AMDGPU::GK_NONE)
    return Error{ErrorCode::invalid_argument, "'" + processor.str() + "' is not the name of an AMD processor"};
  return "is." + processor.str();
}

Result<std::string> builtin_predicate(StringRef builtin) {
  for (const BuiltinRow& row : builtins)
    if (!row.builtin.empty() && row.builtin == builtin)
      return "has." + row.features.str();
  return Error{ErrorCode::invalid_argument, "'" + builtin.str() + "' is not the name of an AMDGCN builtin"};
}

struct QueryRow {
  StringRef function, spelling;
  Result<std::string> (*predicate)(StringRef);
};
constexpr QueryRow queries[] = {
    {"__kiln_processor_is", "__builtin_amdgcn_processor_is", processor_predicate},
    {"__kiln_is_invocable", "__builtin_amdgcn_is_invocable", builtin_predicate},
};

Function* predicate_function(Module& module, const std::string& name) {
  LLVMContext& context = module.getContext();
  auto callee = module.getOrInsertFunction("__kiln_predicate." + name, Type::getInt1Ty(context));
  auto* function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  function->addFnAttr(Attribute::NoSync);
  function->addFnAttr(Attribute::NoFree);
  function->addFnAttr(Attribute::NoCallback);
  return function;
}

Result<void> lower_call(CallBase& call, const QueryRow& query) {
  std::string where = "function '" + call.getFunction()->getName().str() + "'";
  StringRef argument;
  if (call.arg_size() != 1 || !getConstantStringInfo(call.getArgOperand(0)->stripPointerCasts(), argument))
    return Error{ErrorCode::invalid_argument, where + ": the argument of " + query.spelling.str() +
                                                  " must be a string literal or the name of a builtin"};
  auto name = query.predicate(argument);
  if (!name)
    return std::move(name.error()).context(where + ": " + query.spelling.str());
  auto* predicate = predicate_function(*call.getModule(), *name);
  auto* result = CallInst::Create(predicate->getFunctionType(), predicate, "", call.getIterator());
  result->setCallingConv(predicate->getCallingConv());
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return {};
}

} // namespace

Result<void> lower_predicates(Module& module) {
  for (const QueryRow& query : queries) {
    Function* function = module.getFunction(query.function);
    if (!function)
      continue;
    if (!function->isDeclaration() || !function->getReturnType()->isIntegerTy(1))
      return Error{ErrorCode::invalid_argument,
                   "'" + query.function.str() + "' must be declared as bool(const char*) and not defined"};
    for (User* user : make_early_inc_range(function->users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledFunction() != function)
        return Error{ErrorCode::invalid_argument,
                     query.spelling.str() + " can only be called, its address has no meaning"};
      KILN_TRY(lower_call(*call, query));
    }
    function->eraseFromParent();
  }
  return {};
}

} // namespace kiln::passes
