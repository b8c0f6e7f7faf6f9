// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow (specification 3.49.17). Kernels need no structured control flow and no merge instructions.
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spv::Op;

// One pair a predecessor block, where LLVM has one an edge.
void FunctionEmitter::phi(const Instruction& instruction) {
  auto& node = cast<PHINode>(instruction);
  std::vector<uint32_t> words;
  SmallPtrSet<const BasicBlock*, 8> seen;
  for (unsigned i = 0; i < node.getNumIncomingValues(); ++i) {
    const BasicBlock* from = node.getIncomingBlock(i);
    if (!reachable(from) || !seen.insert(from).second)
      continue;
    words.push_back(operand(node, i));
    words.push_back(id(from));
  }
  op(Op::OpPhi, node, words);
  fast_math(node, false);
}

void FunctionEmitter::branch(const Instruction& instruction) {
  auto& branch = cast<BranchInst>(instruction);
  if (branch.isUnconditional()) {
    out_.add(Op::OpBranch, {id(branch.getSuccessor(0))});
    return;
  }
  branch_on(branch.getCondition(), branch.getSuccessor(0), branch.getSuccessor(1));
}

// From SPIR-V 1.6 on the two ways of a conditional branch must differ.
void FunctionEmitter::branch_on(const Value* condition, const BasicBlock* yes, const BasicBlock* no) {
  if (yes == no)
    out_.add(Op::OpBranch, {id(yes)});
  else
    out_.add(Op::OpBranchConditional, {value(condition), id(yes), id(no)});
}

void FunctionEmitter::switch_(const Instruction& instruction) {
  auto& choice = cast<SwitchInst>(instruction);
  unsigned width = choice.getCondition()->getType()->getIntegerBitWidth();
  if (width == 1) { // a boolean selects by branching
    const BasicBlock* to[2] = {choice.getDefaultDest(), choice.getDefaultDest()};
    for (auto row : choice.cases())
      to[row.getCaseValue()->isOne()] = row.getCaseSuccessor();
    return branch_on(choice.getCondition(), to[1], to[0]);
  }
  Id selector = value(choice.getCondition());
  Id otherwise = id(choice.getDefaultDest());
  std::vector<uint32_t> words{selector, otherwise};
  for (auto row : choice.cases()) {
    const APInt& literal = row.getCaseValue()->getValue();
    for (unsigned i = 0; i < (width + 31) / 32; ++i)
      words.push_back(uint32_t(literal.getRawData()[i / 2] >> (32 * (i % 2))));
    words.push_back(id(row.getCaseSuccessor()));
  }
  out_.add(Op::OpSwitch, words);
}

void FunctionEmitter::return_(const Instruction& instruction) {
  if (instruction.getNumOperands() == 0)
    out_.add(Op::OpReturn, {});
  else
    out_.add(Op::OpReturnValue, {operand(instruction, 0)});
}

void FunctionEmitter::unreachable(const Instruction&) {
  out_.add(Op::OpUnreachable, {});
}

} // namespace kiln::translate
