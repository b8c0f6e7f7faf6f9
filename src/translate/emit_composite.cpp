// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composites (specification 3.49.12), select and freeze.
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spv::Op;

void FunctionEmitter::select(const Instruction& instruction) {
  op(Op::OpSelect, instruction, operands(instruction));
  fast_math(instruction, false);
}

void FunctionEmitter::freeze(const Instruction& instruction) {
  op(Op::OpCopyObject, instruction, operands(instruction));
  freezes_.push_back(id(&instruction));
}

void FunctionEmitter::extract_value(const Instruction& instruction) {
  std::vector<uint32_t> words{operand(instruction, 0)};
  auto indices = cast<ExtractValueInst>(instruction).getIndices();
  words.insert(words.end(), indices.begin(), indices.end());
  op(Op::OpCompositeExtract, instruction, words);
}

void FunctionEmitter::insert_value(const Instruction& instruction) {
  std::vector<uint32_t> words{operand(instruction, 1), operand(instruction, 0)};
  auto indices = cast<InsertValueInst>(instruction).getIndices();
  words.insert(words.end(), indices.begin(), indices.end());
  op(Op::OpCompositeInsert, instruction, words);
}

void FunctionEmitter::extract_element(const Instruction& instruction) {
  op(Op::OpVectorExtractDynamic, instruction, operands(instruction));
}

void FunctionEmitter::insert_element(const Instruction& instruction) {
  op(Op::OpVectorInsertDynamic, instruction, operands(instruction));
}

void FunctionEmitter::shuffle_vector(const Instruction& instruction) {
  std::vector<uint32_t> words{operand(instruction, 0), operand(instruction, 1)};
  for (int lane : cast<ShuffleVectorInst>(instruction).getShuffleMask())
    words.push_back(uint32_t(lane)); // -1, poison, is SPIR-V's 0xFFFFFFFF
  op(Op::OpVectorShuffle, instruction, words);
}

} // namespace kiln::translate
