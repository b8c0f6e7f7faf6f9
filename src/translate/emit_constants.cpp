// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and constant expressions (specification 3.49.7).
#include "translate/emit_module.h"

#include <llvm/IR/Operator.h>

namespace kiln::translate {

using namespace llvm;
using spv::Op;

Id ModuleEmitter::u32(uint32_t value) {
  Id& id = u32_[value];
  if (!id)
    id = constant(ConstantInt::get(Type::getInt32Ty(context()), value));
  return id;
}

Id ModuleEmitter::boolean(Type* type, bool value) {
  return constant(value ? Constant::getAllOnesValue(type) : Constant::getNullValue(type));
}

Type* ModuleEmitter::natural_pointee(const Constant* constant) {
  Type* byte = Type::getInt8Ty(context());
  if (auto* variable = dyn_cast<GlobalVariable>(constant))
    return variable->getValueType();
  if (auto* alias = dyn_cast<GlobalAlias>(constant))
    return natural_pointee(alias->getAliasee());
  if (auto* expression = dyn_cast<ConstantExpr>(constant)) {
    if (auto* chain = dyn_cast<GEPOperator>(expression))
      return chain->getResultElementType();
    if (expression->getOpcode() == Instruction::AddrSpaceCast || expression->getOpcode() == Instruction::BitCast)
      return is_pointer(expression->getOperand(0)->getType()) ? natural_pointee(expression->getOperand(0)) : byte;
  }
  return byte;
}

// A pointer constant exists once with its natural pointee; other pointees are bitcasts of that one. Null, undef and
// composites are simply made with the pointee asked for.
Id ModuleEmitter::constant(const Constant* constant, Type* pointee) {
  Type* type = constant->getType();
  bool named = isa<GlobalValue, ConstantExpr>(constant);
  Type* natural = is_pointer(type) ? (named ? natural_pointee(constant) : Type::getInt8Ty(context())) : nullptr;
  if (!is_pointer(type))
    pointee = nullptr;
  else if (!pointee)
    pointee = natural;
  if (auto found = constants_.find({constant, pointee}); found != constants_.end())
    return found->second;
  Id id = 0;
  if (named && is_pointer(type) && pointee != natural) {
    Id plain = this->constant(constant, natural);
    id = spec_constant_op(this->type(type, pointee), Op::OpBitcast, {plain});
  } else {
    id = plain_constant(constant, pointee);
  }
  constants_[{constant, pointee}] = id;
  return id;
}

Id ModuleEmitter::integer(IntegerType* type, const APInt& value) {
  Id type_id = this->type(type);
  Id id = new_id();
  unsigned words = (type->getBitWidth() + 31) / 32;
  globals.begin(Op::OpConstant).word(type_id).word(id);
  for (unsigned i = 0; i < words; ++i)
    globals.word(uint32_t(value.getRawData()[i / 2] >> (32 * (i % 2))));
  globals.end();
  return id;
}

// Longer composites than an instruction can be go on in OpConstantCompositeContinuedINTEL.
Id ModuleEmitter::composite(Type* type, ArrayRef<Id> parts) {
  constexpr size_t limit = spirv::max_instruction_words - 3;
  Id type_id = this->type(type);
  Id id = new_id();
  auto head = parts.take_front(limit);
  globals.begin(Op::OpConstantComposite).word(type_id).word(id).words(head).end();
  for (parts = parts.drop_front(head.size()); !parts.empty(); parts = parts.drop_front(std::min(parts.size(), limit))) {
    capability(spv::Capability::LongConstantCompositeINTEL, "SPV_INTEL_long_constant_composite");
    globals.add(Op::OpConstantCompositeContinuedINTEL, std::span(parts.take_front(limit)));
  }
  return id;
}

Id ModuleEmitter::spec_constant_op(Id type, Op opcode, ArrayRef<uint32_t> operands) {
  Id id = new_id();
  globals.begin(Op::OpSpecConstantOp).word(type).word(id).word(uint32_t(opcode)).words(operands).end();
  return id;
}

Id ModuleEmitter::plain_constant(const Constant* constant, Type* pointee) {
  Type* type = constant->getType();
  if (auto* variable = dyn_cast<GlobalVariable>(constant))
    return this->variable(*variable);
  if (auto* alias = dyn_cast<GlobalAlias>(constant))
    return this->constant(alias->getAliasee(), pointee);
  if (auto* function = dyn_cast<Function>(constant)) {
    if (function->isIntrinsic())
      return fail("the address of intrinsic '" + function->getName() + "' cannot be taken");
    Id code = new_id();
    globals.add(Op::OpConstantFunctionPointerINTEL,
                {code_pointer_type(function_type(*function)), code, this->function(*function)});
    return spec_constant_op(this->type(type, pointee), Op::OpBitcast, {code});
  }
  if (auto* expression = dyn_cast<ConstantExpr>(constant))
    return constant_expression(expression);
  if (isa<UndefValue>(constant)) { // undef or poison
    Id type_id = this->type(type, pointee);
    Id id = new_id();
    globals.add(Op::OpUndef, {type_id, id});
    if (isa<PoisonValue>(constant))
      poison_.push_back(id);
    return id;
  }
  if (type->isIntegerTy(1)) {
    Id type_id = this->type(type);
    Id id = new_id();
    globals.add(constant->isNullValue() ? Op::OpConstantFalse : Op::OpConstantTrue, {type_id, id});
    return id;
  }
  if (auto* value = dyn_cast<ConstantInt>(constant); value && type->isIntegerTy())
    return integer(cast<IntegerType>(type), value->getValue());
  if (auto* value = dyn_cast<ConstantFP>(constant); value && !type->isVectorTy()) {
    Id type_id = this->type(type);
    Id id = new_id();
    APInt bits = value->getValueAPF().bitcastToAPInt();
    globals.begin(Op::OpConstant).word(type_id).word(id).word(uint32_t(bits.getRawData()[0]));
    if (bits.getBitWidth() == 64)
      globals.word(uint32_t(bits.getRawData()[0] >> 32));
    globals.end();
    return id;
  }
  if (constant->isNullValue()) {
    Id type_id = this->type(type, pointee);
    Id id = new_id();
    globals.add(Op::OpConstantNull, {type_id, id});
    return id;
  }
  if (isa<ConstantAggregate, ConstantDataSequential>(constant) || type->isVectorTy()) {
    uint64_t count = isa<FixedVectorType>(type) ? cast<FixedVectorType>(type)->getNumElements()
                     : isa<ArrayType>(type)     ? type->getArrayNumElements()
                     : isa<StructType>(type)    ? type->getStructNumElements()
                                                : 0;
    std::vector<Id> parts;
    for (uint64_t i = 0; i < count; ++i) {
      const Constant* part = constant->getAggregateElement(unsigned(i));
      if (!part)
        return fail("a constant of this form has no SPIR-V form", constant);
      parts.push_back(this->constant(part, pointee ? pointee : Type::getInt8Ty(context())));
    }
    if (!type->isVectorTy())
      return composite(type, parts);
    Id type_id = this->type(type, pointee);
    Id id = new_id();
    globals.begin(Op::OpConstantComposite).word(type_id).word(id).words(parts).end();
    return id;
  }
  return fail("a constant of this form has no SPIR-V form", constant);
}

Id ModuleEmitter::constant_expression(const ConstantExpr* expression) {
  Type* type = expression->getType();
  const Constant* first = expression->getOperand(0);
  if (auto* chain = dyn_cast<GEPOperator>(expression)) {
    if (type->isVectorTy())
      return fail("a constant getelementptr of vectors has no SPIR-V form", expression);
    std::vector<uint32_t> operands{constant(first, chain->getSourceElementType())};
    for (const Use& index : chain->indices())
      operands.push_back(constant(cast<Constant>(index)));
    return spec_constant_op(this->type(type, chain->getResultElementType()),
                            chain->isInBounds() ? Op::OpInBoundsPtrAccessChain : Op::OpPtrAccessChain, operands);
  }
  switch (expression->getOpcode()) {
  case Instruction::AddrSpaceCast:
    return constant_address_space_cast(expression);
  case Instruction::BitCast:
    if (is_pointer(type) && is_pointer(first->getType()))
      return constant(first);
    return spec_constant_op(this->type(type), Op::OpBitcast, {constant(first)});
  case Instruction::PtrToAddr:
    return spec_constant_op(this->type(type), Op::OpConvertPtrToU, {constant(first)});
  case Instruction::Trunc:
    if (type->getScalarType()->isIntegerTy(1))
      break;
    [[fallthrough]];
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return spec_constant_op(this->type(type), to_spirv(cast_ops, unsigned(expression->getOpcode())), {constant(first)});
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Xor: {
    if (type->getScalarType()->isIntegerTy(1))
      break;
    Id id = spec_constant_op(this->type(type), to_spirv(binary_ops, unsigned(expression->getOpcode())),
                             {constant(first), constant(expression->getOperand(1))});
    auto* wrap = dyn_cast<OverflowingBinaryOperator>(expression);
    if (wrap && wrap->hasNoSignedWrap())
      decorate(id, spv::Decoration::NoSignedWrap);
    if (wrap && wrap->hasNoUnsignedWrap())
      decorate(id, spv::Decoration::NoUnsignedWrap);
    return id;
  }
  default:
    break;
  }
  return fail("a constant expression '" + Twine(expression->getOpcodeName()) + "' of this type has no SPIR-V form",
              expression);
}

Id ModuleEmitter::constant_address_space_cast(const ConstantExpr* expression) {
  const Constant* first = expression->getOperand(0);
  unsigned from = first->getType()->getPointerAddressSpace(), to = expression->getType()->getPointerAddressSpace();
  Type* pointee = natural_pointee(expression);
  Op opcode = from == 2 || to == 2 || isa<Function>(first) ? Op::OpBitcast
              : to == 4                                    ? Op::OpPtrCastToGeneric
              : from == 4                                  ? Op::OpGenericCastToPtr
                                                           : Op::OpBitcast;
  return spec_constant_op(type(expression->getType(), pointee), opcode, {constant(first, pointee)});
}

} // namespace kiln::translate
