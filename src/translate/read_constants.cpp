// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants (SPIR-V specification 3.42.7). A specialisation constant has its default value, unless it is a feature
// predicate. OpSpecConstantOp is in read_constant_ops.cpp.
#include "translate/read_body.h"

namespace kiln::translate::reading {
namespace {

Result<void> constant_bool(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * type, reader.value_type(inst, inst[1]));
  if (!type->isIntegerTy(1))
    return reader.malformed(inst, "the result type is not bool");
  bool value = inst.op() == spv::Op::OpConstantTrue || inst.op() == spv::Op::OpSpecConstantTrue;
  Def* def = reader.find(inst[2]);
  if (auto id = reader.decoration(*def, spv::Decoration::SpecId); id && !id->empty())
    for (size_t i = 0; i < reader.predicates.size(); ++i)
      if (reader.predicates[i].spec_id == (*id)[0]) {
        if (!reader.predicates[i].decided) {
          def->predicate = true;
          def->extra = uint32_t(i);
          return {};
        }
        value = *reader.predicates[i].decided;
        break;
      }
  return reader.define(inst, llvm::ConstantInt::getBool(reader.context, value));
}

Result<void> constant_number(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * type, reader.value_type(inst, inst[1]));
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return reader.malformed(inst, "the result type is not a number");
  const unsigned width = type->getScalarSizeInBits();
  if (inst.count() - 3 < (width + 31) / 32)
    return reader.malformed(inst, "fewer words than a number of " + std::to_string(width) + " bits has");
  llvm::APInt bits = reader.literal(inst.from(3), width);
  if (type->isIntegerTy())
    return reader.define(inst, llvm::ConstantInt::get(reader.context, bits));
  return reader.define(inst, llvm::ConstantFP::get(reader.context, llvm::APFloat(type->getFltSemantics(), bits)));
}

Result<void> constant_null(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * type, reader.sized_type(inst, inst[1]));
  return reader.define(inst, llvm::Constant::getNullValue(type), reader.find(inst[1])->depth);
}

Result<void> undef(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * type, reader.sized_type(inst, inst[1]));
  llvm::Constant* value = llvm::UndefValue::get(type);
  if (reader.find(inst[2])->poison)
    value = llvm::PoisonValue::get(type);
  return reader.define(inst, value, reader.find(inst[1])->depth);
}

Result<void> undef_in_block(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, inst[1]));
  bool poison = f.module.find(inst[2])->poison;
  return f.define(inst, poison ? llvm::PoisonValue::get(type) : llvm::UndefValue::get(type));
}

// The members, with those of the OpConstantCompositeContinuedINTEL that follow (SPV_INTEL_long_composites).
Result<llvm::SmallVector<llvm::Constant*, 16>> members(ModuleReader& reader, const Inst& inst, unsigned& depth) {
  llvm::SmallVector<llvm::Constant*, 16> result;
  Inst part = inst;
  for (uint32_t first = 3;; first = 1) {
    for (uint32_t id : part.from(first)) {
      KILN_ASSIGN(llvm::Constant * member, reader.constant(inst, id));
      result.push_back(member);
      depth = std::max<unsigned>(depth, reader.find(id)->depth);
    }
    uint32_t next = part.offset + part.count();
    if (!reader.fits(next))
      return result;
    part = reader.at(next);
    if (part.op() != spv::Op::OpConstantCompositeContinuedINTEL &&
        part.op() != spv::Op::OpSpecConstantCompositeContinuedINTEL)
      return result;
  }
}

Result<void> constant_composite(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * type, reader.value_type(inst, inst[1]));
  unsigned depth = 0;
  KILN_ASSIGN(auto parts, members(reader, inst, depth));
  auto all_are = [&](llvm::Type* element, uint64_t count) {
    return parts.size() == count && llvm::all_of(parts, [&](llvm::Constant* c) { return c->getType() == element; });
  };
  auto wrong = [&] { return reader.malformed(inst, "the constituents do not make up the result type"); };
  llvm::Constant* value = nullptr;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    if (parts.size() != structure->getNumElements())
      return wrong();
    for (size_t i = 0; i < parts.size(); ++i)
      if (parts[i]->getType() != structure->getElementType(unsigned(i)))
        return wrong();
    value = llvm::ConstantStruct::get(structure, parts);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (!all_are(array->getElementType(), array->getNumElements()))
      return wrong();
    value = llvm::ConstantArray::get(array, parts);
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    if (!all_are(vector->getElementType(), vector->getNumElements()))
      return wrong();
    value = llvm::ConstantVector::get(parts);
  } else {
    return wrong();
  }
  return reader.define(inst, value, depth + 1);
}

Result<void> function_pointer(ModuleReader& reader, const Inst& inst) {
  Def* target = reader.find(inst[3]);
  if (!target || target->kind != Kind::function)
    return reader.malformed(inst, "%" + std::to_string(inst[3]) + " is not a function");
  llvm::Function* function = reader.functions[target->extra].function;
  if (!function)
    return reader.unsupported(inst, "the address of " + reader.describe(inst[3]) + ", which is no real function");
  return reader.define(inst, function);
}

Result<void> constant_op(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Constant * value, fold_constant(reader, inst));
  unsigned depth = 0;
  for (uint32_t id : inst.from(4))
    if (Def* operand = reader.find(id); operand && operand->kind == Kind::value)
      depth = std::max<unsigned>(depth, operand->depth);
  return reader.define(inst, value, depth + 1);
}

#define CONSTANT(op, words, handler) {spv::Op::op, #op, words, Layout::typed, Phase::constant, handler}
constexpr Row rows[] = {
    CONSTANT(OpConstantTrue, 3, constant_bool),
    CONSTANT(OpConstantFalse, 3, constant_bool),
    CONSTANT(OpSpecConstantTrue, 3, constant_bool),
    CONSTANT(OpSpecConstantFalse, 3, constant_bool),
    CONSTANT(OpConstant, 4, constant_number),
    CONSTANT(OpSpecConstant, 4, constant_number),
    CONSTANT(OpConstantNull, 3, constant_null),
    CONSTANT(OpConstantComposite, 3, constant_composite),
    CONSTANT(OpSpecConstantComposite, 3, constant_composite),
    CONSTANT(OpConstantFunctionPointerINTEL, 4, function_pointer),
    CONSTANT(OpSpecConstantOp, 4, constant_op),
    {spv::Op::OpConstantCompositeContinuedINTEL, "OpConstantCompositeContinuedINTEL", 1, Layout::plain, Phase::skip},
    {spv::Op::OpSpecConstantCompositeContinuedINTEL, "OpSpecConstantCompositeContinuedINTEL", 1, Layout::plain,
     Phase::skip},
    {spv::Op::OpUndef, "OpUndef", 3, Layout::typed, Phase::constant, undef, undef_in_block},
};

} // namespace

Rows constant_rows() {
  return rows;
}

} // namespace kiln::translate::reading
