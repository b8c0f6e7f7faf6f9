// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls (specification 3.49.9), direct, indirect and of inline assembly; intrinsics are in emit_intrinsics.cpp.
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spirv::Kiln;
using spv::Op;

const Function* direct_callee(const CallBase& call) {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  return callee && callee->getFunctionType() == call.getFunctionType() ? callee : nullptr;
}

Type* FunctionEmitter::required_by_call(const CallBase& call, const Use& use) {
  auto* callee = direct_callee(call);
  if (!call.isArgOperand(&use) || !callee)
    return byte_;
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    if (is_sized_copy(*intrinsic) || intrinsic->isLifetimeStartOrEnd())
      return nullptr;
  unsigned index = call.getArgOperandNo(&use);
  return index < callee->arg_size() ? m_.pointers(*callee).natural(callee->getArg(index)) : byte_;
}

void FunctionEmitter::call_attributes(const CallBase& call) {
  if (auto sets = m_.attribute_list(call.getAttributes()); !sets.empty())
    kiln(Kiln::CallAttributes, sets);
}

// Metadata operands are not SPIR-V values: a Kiln instruction before the call has them.
std::vector<Id> FunctionEmitter::arguments(const CallBase& call) {
  std::vector<Id> ids;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (auto* wrapped = dyn_cast<MetadataAsValue>(call.getArgOperand(i))) {
      if (m_.aux_data()) {
        Id index = m_.u32(i);
        kiln(Kiln::MetadataOperand, {index, m_.metadata(wrapped->getMetadata())});
      }
      continue;
    }
    ids.push_back(operand(call, i));
  }
  return ids;
}

void FunctionEmitter::call(const Instruction& instruction) {
  auto& call = cast<CallInst>(instruction);
  if (call.isMustTailCall()) {
    m_.fail("a musttail call has no SPIR-V form");
    return;
  }
  if (call.hasOperandBundles()) {
    m_.fail("a call with operand bundles has no SPIR-V form");
    return;
  }
  if (call.isInlineAsm())
    return asm_call(call);
  if (auto* known = dyn_cast<IntrinsicInst>(&call); known && intrinsic(*known))
    return;
  plain_call(call);
}

void FunctionEmitter::prepare_indirect(const CallInst& call) {
  Id type_id = m_.code_pointer_type(m_.function_type(*call.getFunctionType()));
  Id pointer = value(call.getCalledOperand());
  code_pointer_ = m_.new_id();
  out_.add(Op::OpBitcast, {type_id, code_pointer_, pointer});
}

void FunctionEmitter::plain_call(const CallInst& call) {
  auto* callee = direct_callee(call);
  if (callee && callee->getCallingConv() == CallingConv::SPIR_KERNEL) {
    m_.fail("a kernel cannot be called by device code; move its body to a function that both call");
    return;
  }
  if (callee && callee->getName().starts_with(predicate_prefix)) {
    m_.fail("a feature predicate is a function without parameters that gives i1");
    return;
  }
  call_attributes(call);
  std::vector<Id> words = arguments(call);
  if (callee) {
    words.insert(words.begin(), m_.function(*callee));
    op(Op::OpFunctionCall, call, words);
  } else {
    words.insert(words.begin(), code_pointer_);
    op(Op::OpFunctionPointerCallINTEL, call, words);
  }
  fast_math(call, false);
}

Id ModuleEmitter::inline_asm(const InlineAsm& code) {
  if (auto found = asm_.find(&code); found != asm_.end())
    return found->second;
  capability(spv::Capability::AsmINTEL, "SPV_INTEL_inline_assembly");
  if (!asm_target_) {
    asm_target_ = new_id();
    globals.begin(Op::OpAsmTargetINTEL).word(asm_target_).string("amdgcn-amd-amdhsa").end();
  }
  Id result = type(code.getFunctionType()->getReturnType());
  Id signature = function_type(*code.getFunctionType());
  Id id = asm_[&code] = new_id();
  globals.begin(Op::OpAsmINTEL).word(result).word(id).word(signature).word(asm_target_);
  globals.string(code.getAsmString()).string(code.getConstraintString()).end();
  if (code.hasSideEffects())
    decorate(id, spv::Decoration::SideEffectsINTEL);
  uint32_t bits = (code.getDialect() == InlineAsm::AD_Intel ? uint32_t(asm_flag::intel_dialect) : 0) |
                  (code.isAlignStack() ? uint32_t(asm_flag::align_stack) : 0) |
                  (code.canThrow() ? uint32_t(asm_flag::can_throw) : 0);
  if (bits)
    kiln(globals, Kiln::AsmFlags, {id, u32(bits)});
  return id;
}

void FunctionEmitter::asm_call(const CallInst& call) {
  Id code = m_.inline_asm(*cast<InlineAsm>(call.getCalledOperand()));
  call_attributes(call);
  std::vector<Id> words = arguments(call);
  words.insert(words.begin(), code);
  op(Op::OpAsmCallINTEL, call, words);
}

} // namespace kiln::translate
