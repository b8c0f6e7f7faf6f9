// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composite instructions (SPIR-V specification 3.42.12). LLVM reaches vector elements by other instructions than
// members of structures and arrays, so a literal index path is walked with both.
#include "translate/read_body.h"

namespace kiln::translate::reading {
namespace {

llvm::Value* lane(FunctionReader& f, uint32_t index) {
  return llvm::ConstantInt::get(llvm::Type::getInt32Ty(f.context), index);
}

// The leading indices that lead through structures and arrays; the type they end at.
Result<uint32_t> aggregate_steps(FunctionReader& f, const Inst& inst, std::span<const uint32_t> path,
                                 llvm::Type*& type) {
  uint32_t steps = 0;
  for (; steps < path.size() && type->isAggregateType(); ++steps) {
    uint64_t members = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
    if (path[steps] >= members)
      return f.malformed(inst, "index " + std::to_string(path[steps]) + " is beyond the composite");
    type = type->isStructTy() ? type->getStructElementType(path[steps]) : type->getArrayElementType();
  }
  if (steps == path.size())
    return steps;
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector || steps + 1 != path.size() || path[steps] >= vector->getNumElements())
    return f.malformed(inst, "the indices do not fit the composite");
  return steps;
}

Result<void> extract(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * composite, f.value(inst, inst[3]));
  llvm::Type* type = composite->getType();
  auto path = inst.from(4);
  KILN_ASSIGN(uint32_t steps, aggregate_steps(f, inst, path, type));
  if (steps)
    composite = f.insert(llvm::ExtractValueInst::Create(composite, llvm::ArrayRef(path.data(), steps)));
  if (steps < path.size())
    composite = f.insert(llvm::ExtractElementInst::Create(composite, lane(f, path[steps])));
  return f.define_same(inst, composite);
}

Result<void> insert(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * object, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Value * composite, f.value(inst, inst[4]));
  llvm::Type* type = composite->getType();
  auto path = inst.from(5);
  KILN_ASSIGN(uint32_t steps, aggregate_steps(f, inst, path, type));
  llvm::ArrayRef outer(path.data(), steps);
  if (steps < path.size()) {
    llvm::Value* vector = steps ? f.insert(llvm::ExtractValueInst::Create(composite, outer)) : composite;
    if (object->getType() != llvm::cast<llvm::VectorType>(type)->getElementType())
      return f.malformed(inst, "the object is not of the element's type");
    object = f.insert(llvm::InsertElementInst::Create(vector, object, lane(f, path[steps])));
  }
  if (object->getType() != type)
    return f.malformed(inst, "the object is not of the member's type");
  if (steps)
    object = f.insert(llvm::InsertValueInst::Create(composite, object, outer));
  return f.define_same(inst, object);
}

// {old value, old value == comparator} of an OpAtomicCompareExchange is LLVM's cmpxchg itself.
llvm::Value* exchange_pair(FunctionReader& f, const Inst& inst) {
  if (inst.count() != 5)
    return nullptr;
  for (const FunctionReader::Exchange& exchange : f.exchanges) {
    Def* equal = f.module.find(inst[4]);
    if (exchange.id != inst[3] || !equal || f.module.opcode(*equal) != spv::Op::OpIEqual || !equal->value)
      continue;
    Inst compare = f.module.at(equal->offset);
    if ((compare[3] == exchange.id && compare[4] == exchange.comparator) ||
        (compare[4] == exchange.id && compare[3] == exchange.comparator)) {
      f.maybe_dead.emplace_back(equal->value);
      f.maybe_dead.emplace_back(exchange.old);
      return exchange.instruction;
    }
  }
  return nullptr;
}

Result<void> construct(FunctionReader& f, const Inst& inst, uint32_t) {
  if (llvm::Value* pair = exchange_pair(f, inst))
    return f.define_same(inst, pair);
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, inst[1]));
  llvm::Value* result = llvm::PoisonValue::get(type);
  auto parts = inst.from(3);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    uint32_t at = 0; // constituents may be vectors themselves
    for (uint32_t id : parts) {
      KILN_ASSIGN(llvm::Value * part, f.value(inst, id));
      auto* inner = llvm::dyn_cast<llvm::FixedVectorType>(part->getType());
      const uint32_t count = inner ? inner->getNumElements() : 1;
      if (part->getType()->getScalarType() != vector->getElementType() || count > vector->getNumElements() - at)
        return f.malformed(inst, "the constituents do not make up the result type");
      for (uint32_t i = 0; i < count; ++i, ++at) {
        llvm::Value* element = inner ? f.insert(llvm::ExtractElementInst::Create(part, lane(f, i))) : part;
        result = f.insert(llvm::InsertElementInst::Create(result, element, lane(f, at)));
      }
    }
    if (at != vector->getNumElements())
      return f.malformed(inst, "the constituents do not make up the result type");
    return f.define(inst, result);
  }
  const uint64_t members = type->isStructTy()  ? type->getStructNumElements()
                           : type->isArrayTy() ? type->getArrayNumElements()
                                               : UINT64_MAX;
  if (parts.size() != members)
    return f.malformed(inst, "the constituents do not make up the result type");
  for (unsigned i = 0; i < parts.size(); ++i) {
    KILN_ASSIGN(llvm::Value * part, f.value(inst, parts[i]));
    if (part->getType() != (type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType()))
      return f.malformed(inst, "the constituents do not make up the result type");
    result = f.insert(llvm::InsertValueInst::Create(result, part, i));
  }
  return f.define(inst, result);
}

Result<void> extract_dynamic(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * vector, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Value * index, f.value(inst, inst[4]));
  if (!llvm::ExtractElementInst::isValidOperands(vector, index))
    return f.malformed(inst, "the operands are not a vector and an integer");
  return f.define(inst, f.insert(llvm::ExtractElementInst::Create(vector, index)));
}

Result<void> insert_dynamic(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * vector, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Value * element, f.value(inst, inst[4]));
  KILN_ASSIGN(llvm::Value * index, f.value(inst, inst[5]));
  if (!llvm::InsertElementInst::isValidOperands(vector, element, index))
    return f.malformed(inst, "the operands are not a vector, its element and an integer");
  return f.define(inst, f.insert(llvm::InsertElementInst::Create(vector, element, index)));
}

Result<void> shuffle(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * left, f.value(inst, inst[3]));
  KILN_ASSIGN(llvm::Value * right, f.value(inst, inst[4]));
  auto* first = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());
  auto* second = llvm::dyn_cast<llvm::FixedVectorType>(right->getType());
  if (!first || !second || first->getElementType() != second->getElementType())
    return f.malformed(inst, "the operands are not two vectors of one element type");
  llvm::SmallVector<int, 16> mask;
  const uint32_t lanes = first->getNumElements() + second->getNumElements();
  for (uint32_t index : inst.from(5)) {
    if (index != 0xffffffff && index >= lanes)
      return f.malformed(inst, "lane " + std::to_string(index) + " is beyond both vectors");
    mask.push_back(index == 0xffffffff ? llvm::PoisonMaskElem : int(index));
  }
  if (mask.empty())
    return f.malformed(inst, "no lanes");
  if (first != second) {
    // LLVM wants two vectors of one length: lengthen the shorter one and renumber the lanes of the second.
    const uint32_t longer = std::max(first->getNumElements(), second->getNumElements());
    auto lengthen = [&](llvm::Value* vector, uint32_t from) -> llvm::Value* {
      if (from == longer)
        return vector;
      llvm::SmallVector<int, 16> same(longer, llvm::PoisonMaskElem);
      for (uint32_t i = 0; i < from; ++i)
        same[i] = int(i);
      return f.insert(new llvm::ShuffleVectorInst(vector, llvm::PoisonValue::get(vector->getType()), same));
    };
    left = lengthen(left, first->getNumElements());
    right = lengthen(right, second->getNumElements());
    for (int& index : mask)
      if (index >= int(first->getNumElements()))
        index += int(longer - first->getNumElements());
  }
  return f.define(inst, f.insert(new llvm::ShuffleVectorInst(left, right, mask)));
}

Result<void> copy_object(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * operand, f.value(inst, inst[3]));
  if (f.module.find(inst[2])->freeze)
    return f.define(inst, f.insert(new llvm::FreezeInst(operand)));
  return f.define_same(inst, operand);
}

#define ROW(op, words, handler) {spv::Op::op, #op, words, Layout::typed, Phase::block, nullptr, handler}
constexpr Row rows[] = {
    ROW(OpCompositeExtract, 4, extract),
    ROW(OpCompositeInsert, 5, insert),
    ROW(OpCompositeConstruct, 3, construct),
    ROW(OpVectorExtractDynamic, 5, extract_dynamic),
    ROW(OpVectorInsertDynamic, 6, insert_dynamic),
    ROW(OpVectorShuffle, 5, shuffle),
    ROW(OpCopyObject, 4, copy_object),
};

} // namespace

Rows composite_rows() {
  return rows;
}

} // namespace kiln::translate::reading
