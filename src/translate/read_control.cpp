// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow (SPIR-V specification 3.42.17).
#include "translate/read_body.h"

namespace kiln::translate::reading {
namespace {

Result<void> phi(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  if (inst.count() % 2 == 0)
    return f.malformed(inst, "a value without its block");
  auto* node = f.insert(llvm::PHINode::Create(type, (inst.count() - 3) / 2));
  f.decorate(inst, node);
  f.phis.push_back({node, inst.offset});
  return f.define(inst, node);
}

Result<void> branch(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::BasicBlock * target, f.label(inst, inst[1]));
  f.insert(llvm::BranchInst::Create(target));
  return {};
}

Result<void> branch_conditional(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * condition, f.value(inst, inst[1]));
  KILN_ASSIGN(llvm::BasicBlock * yes, f.label(inst, inst[2]));
  KILN_ASSIGN(llvm::BasicBlock * no, f.label(inst, inst[3]));
  if (!condition->getType()->isIntegerTy(1))
    return f.malformed(inst, "the condition is not a bool");
  f.insert(llvm::BranchInst::Create(yes, no, condition));
  return {};
}

Result<void> switch_(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * selector, f.value(inst, inst[1]));
  KILN_ASSIGN(llvm::BasicBlock * otherwise, f.label(inst, inst[2]));
  auto* type = llvm::dyn_cast<llvm::IntegerType>(selector->getType());
  if (!type)
    return f.malformed(inst, "the selector is not an integer");
  const uint32_t literal_words = (type->getBitWidth() + 31) / 32, step = literal_words + 1;
  if ((inst.count() - 3) % step)
    return f.malformed(inst, "a case without its label");
  auto* result = f.insert(llvm::SwitchInst::Create(selector, otherwise, (inst.count() - 3) / step));
  for (uint32_t at = 3; at < inst.count(); at += step) {
    KILN_ASSIGN(llvm::BasicBlock * target, f.label(inst, inst[at + literal_words]));
    llvm::APInt value = f.module.literal(inst.words.subspan(at, literal_words), type->getBitWidth());
    result->addCase(llvm::ConstantInt::get(f.context, value), target);
  }
  return {};
}

Result<void> return_(FunctionReader& f, const Inst& inst, uint32_t) {
  if (!f.function->getReturnType()->isVoidTy())
    return f.malformed(inst, "the function returns a value");
  f.insert(llvm::ReturnInst::Create(f.context));
  return {};
}

Result<void> return_value(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[1]));
  if (value->getType() != f.function->getReturnType())
    return f.malformed(inst, "the value is not of the function's type");
  f.insert(llvm::ReturnInst::Create(f.context, value));
  return {};
}

Result<void> unreachable(FunctionReader& f, const Inst&, uint32_t) {
  f.insert(new llvm::UnreachableInst(f.context));
  return {};
}

#define PLAIN(op, words, handler) {spv::Op::op, #op, words, Layout::plain, Phase::block, nullptr, handler}
constexpr Row rows[] = {
    {spv::Op::OpPhi, "OpPhi", 3, Layout::typed, Phase::block, nullptr, phi},
    PLAIN(OpBranch, 2, branch),
    PLAIN(OpBranchConditional, 4, branch_conditional),
    PLAIN(OpSwitch, 3, switch_),
    PLAIN(OpReturn, 1, return_),
    PLAIN(OpReturnValue, 2, return_value),
    PLAIN(OpUnreachable, 1, unreachable),
    // Structure that LLVM does not need.
    {spv::Op::OpSelectionMerge, "OpSelectionMerge", 3, Layout::plain, Phase::skip},
    {spv::Op::OpLoopMerge, "OpLoopMerge", 4, Layout::plain, Phase::skip},
    {spv::Op::OpLoopControlINTEL, "OpLoopControlINTEL", 1, Layout::plain, Phase::skip},
};

} // namespace

Rows control_rows() {
  return rows;
}

} // namespace kiln::translate::reading
