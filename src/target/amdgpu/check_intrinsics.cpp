// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/amdgpu/check_intrinsics.h"

#include "target/diagnostics.h"
#include "target/predicate.h"
#include "target/processors.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace kiln::target {
namespace {

struct Builtin {
  std::string_view name, features;
};
constexpr Builtin builtins[] = {
// sorted by name
#define BUILTIN(name, features) {name, features},
#include "passes/builtin_features.inc"
#undef BUILTIN
};

// What clang refuses but the code generator makes of another instruction: v_dot4_i32_iu8, both operands signed.
constexpr Builtin other_instructions[] = {
    {"__builtin_amdgcn_sdot4", "dot8-insts"},
    {"__builtin_amdgcn_sdot8", "dot8-insts"},
};

// Families whose builtins have other names (raw_buffer_load_b32 for raw.ptr.buffer.load), or features that clang keeps
// apart from a processor's: left to the code generator.
constexpr llvm::StringLiteral not_judged[] = {"image.", "raw.", "struct."};

// Control words of data parallel primitives that not every generation has; the ISA manuals' table "DPP_CTRL".
struct DppControl {
  unsigned first, last;
  unsigned from, to; // ISA versions, major * 1000 + minor * 100 + stepping
  const char* name;
};
constexpr unsigned gfx90a = 9010, gfx10 = 10000, any = 99999;
constexpr DppControl dpp_controls[] = {
    {0x130, 0x130, 0, gfx10, "wave_shl"},    {0x134, 0x134, 0, gfx10, "wave_rol"},
    {0x138, 0x138, 0, gfx10, "wave_shr"},    {0x13c, 0x13c, 0, gfx10, "wave_ror"},
    {0x142, 0x143, 0, gfx10, "row_bcast"},   {0x150, 0x15f, gfx90a, any, "row_share or row_newbcast"},
    {0x160, 0x16f, gfx10, any, "row_xmask"},
};

// Intrinsic llvm.amdgcn.a.b is builtin __builtin_amdgcn_a_b. If that does not exist, the intrinsic has several forms
// (__builtin_amdgcn_a_bf, _a_b_w32, ...) and one that the processor has is enough, as the code generator knows them
// apart. An intrinsic without a builtin is not judged.
bool is_available(llvm::StringRef intrinsic, llvm::function_ref<bool(llvm::StringRef)> has) {
  if (std::any_of(std::begin(not_judged), std::end(not_judged),
                  [&](llvm::StringRef family) { return intrinsic.starts_with(family); }))
    return true;
  std::string name = "__builtin_amdgcn_" + intrinsic.str();
  std::replace(name.begin(), name.end(), '.', '_');
  auto allowed = [&](const Builtin& builtin) {
    return evaluate_predicate("has." + std::string(builtin.features), [](llvm::StringRef) { return false; }, has);
  };
  auto at = std::lower_bound(std::begin(builtins), std::end(builtins), name,
                             [](const Builtin& builtin, const std::string& wanted) { return builtin.name < wanted; });
  if (at == std::end(builtins) || !at->name.starts_with(name))
    return true;
  if (at->name == name)
    return allowed(*at) || std::any_of(std::begin(other_instructions), std::end(other_instructions),
                                       [&](const Builtin& other) { return other.name == name && allowed(other); });
  for (; at != std::end(builtins) && at->name.starts_with(name); ++at)
    if (allowed(*at))
      return true;
  return false;
}

const DppControl* refused_control(const llvm::CallBase& call, llvm::StringRef intrinsic, unsigned isa_version) {
  unsigned operand = intrinsic == "update.dpp" ? 2 : 1;
  auto* value = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
  for (const DppControl& control : dpp_controls)
    if (value && value->getZExtValue() >= control.first && value->getZExtValue() <= control.last &&
        (isa_version < control.from || isa_version >= control.to))
      return &control;
  return nullptr;
}

const llvm::CallBase* a_call(const llvm::Function& function) {
  for (const llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &function)
      return call;
  return nullptr;
}

Error missing(const llvm::CallBase& call, const std::string& what, std::string_view processor) {
  return Error{ErrorCode::unsupported, describe(*call.getFunction()) + " uses " + what + ", which " +
                                           std::string(processor) +
                                           " does not have; guard it with __builtin_amdgcn_is_invocable or "
                                           "__builtin_amdgcn_processor_is"};
}

} // namespace

Result<void> check_amdgpu_intrinsics(const llvm::Module& module, const AmdProcessor& processor,
                                     llvm::function_ref<bool(llvm::StringRef feature)> has) {
  for (const llvm::Function& function : module) {
    llvm::StringRef full = function.getName();
    const llvm::CallBase* call = full.starts_with("llvm.amdgcn.") ? a_call(function) : nullptr;
    if (!call)
      continue;
    llvm::StringRef base = llvm::Intrinsic::getBaseName(function.getIntrinsicID());
    if (!base.consume_front("llvm.amdgcn."))
      continue; // older than this LLVM: the code generator answers
    if (!is_available(base, has))
      return missing(*call, "llvm.amdgcn." + base.str(), processor.name);
    if (base != "update.dpp" && base != "mov.dpp")
      continue;
    for (const llvm::User* user : function.users())
      if (auto* use = llvm::dyn_cast<llvm::CallBase>(user))
        if (const DppControl* control = refused_control(*use, base, processor.isa_version))
          return missing(*use, "llvm.amdgcn." + base.str() + " with control word " + control->name, processor.name);
  }
  return {};
}

} // namespace kiln::target
