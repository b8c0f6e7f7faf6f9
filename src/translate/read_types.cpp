// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types (SPIR-V specification 3.42.6). LLVM's pointers are opaque: of a pointer type only the address space is kept
// here; what it points to is looked up in the words by whoever needs it (access chains, variables).
#include "translate/read_module.h"

namespace kiln::translate::reading {
namespace {

constexpr uint32_t max_vector_length = 65536;

Result<void> define_type(ModuleReader& reader, const Inst& inst, llvm::Type* type, unsigned depth = 1) {
  Def* def = reader.find(inst[1]);
  def->type = type;
  return reader.set_depth(inst, *def, depth, max_type_depth);
}

Result<void> type_void(ModuleReader& reader, const Inst& inst) {
  return define_type(reader, inst, llvm::Type::getVoidTy(reader.context));
}

Result<void> type_bool(ModuleReader& reader, const Inst& inst) {
  return define_type(reader, inst, llvm::Type::getInt1Ty(reader.context));
}

Result<void> type_int(ModuleReader& reader, const Inst& inst) {
  if (inst[2] == 0 || inst[2] > llvm::IntegerType::MAX_INT_BITS)
    return reader.malformed(inst, "an integer of " + std::to_string(inst[2]) + " bits");
  return define_type(reader, inst, llvm::IntegerType::get(reader.context, inst[2]));
}

Result<void> type_float(ModuleReader& reader, const Inst& inst) {
  llvm::LLVMContext& context = reader.context;
  if (inst.count() > 3) {
    if (inst[2] == 16 && inst[3] == fp_encoding_bfloat16_khr)
      return define_type(reader, inst, llvm::Type::getBFloatTy(context));
    return reader.unsupported(inst, "floating-point encoding " + std::to_string(inst[3]));
  }
  switch (inst[2]) {
  case 16:
    return define_type(reader, inst, llvm::Type::getHalfTy(context));
  case 32:
    return define_type(reader, inst, llvm::Type::getFloatTy(context));
  case 64:
    return define_type(reader, inst, llvm::Type::getDoubleTy(context));
  default:
    return reader.unsupported(inst, "a floating-point number of " + std::to_string(inst[2]) + " bits");
  }
}

Result<void> type_vector(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * element, reader.type(inst, inst[2]));
  if (!llvm::VectorType::isValidElementType(element))
    return reader.malformed(inst, "a vector of " + reader.describe(inst[2]) + " cannot be");
  if (inst[3] == 0 || inst[3] > max_vector_length)
    return reader.unsupported(inst, "a vector of " + std::to_string(inst[3]) + " elements");
  return define_type(reader, inst, llvm::FixedVectorType::get(element, inst[3]), reader.find(inst[2])->depth + 1);
}

// The number of elements, from the words of the constant: constants are read after types.
Result<uint64_t> array_length(ModuleReader& reader, const Inst& inst) {
  Def* length = reader.find(inst[3]);
  spv::Op op = length ? reader.opcode(*length) : spv::Op::OpNop;
  if (op != spv::Op::OpConstant && op != spv::Op::OpSpecConstant)
    return reader.malformed(inst, "the length %" + std::to_string(inst[3]) + " is not an integer constant");
  Inst constant = reader.at(length->offset);
  KILN_ASSIGN(llvm::Type * type, reader.type(inst, constant[1]));
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
    return reader.malformed(inst, "the length %" + std::to_string(inst[3]) + " is not an integer of at most 64 bits");
  if (type->isIntegerTy(32) && constant[3] == unknown_array_length)
    return uint64_t(0); // [0 x T]
  return reader.literal(constant.from(3), type->getIntegerBitWidth()).getZExtValue();
}

Result<void> define_array(ModuleReader& reader, const Inst& inst, uint64_t length) {
  KILN_ASSIGN(llvm::Type * element, reader.sized_type(inst, inst[2]));
  if (!llvm::ArrayType::isValidElementType(element))
    return reader.malformed(inst, "an array of " + reader.describe(inst[2]) + " cannot be");
  uint64_t size = reader.module->getDataLayout().getTypeAllocSize(element).getFixedValue();
  if (size && length > max_type_bytes / size)
    return reader.unsupported(inst, "an array of more than 2^47 bytes");
  return define_type(reader, inst, llvm::ArrayType::get(element, length), reader.find(inst[2])->depth + 1);
}

Result<void> type_array(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(uint64_t length, array_length(reader, inst));
  return define_array(reader, inst, length);
}

Result<void> type_runtime_array(ModuleReader& reader, const Inst& inst) {
  return define_array(reader, inst, 0);
}

Result<void> type_struct(ModuleReader& reader, const Inst& inst) {
  llvm::SmallVector<llvm::Type*, 8> members;
  unsigned depth = 0;
  for (uint32_t id : inst.from(2)) {
    KILN_ASSIGN(llvm::Type * member, reader.sized_type(inst, id));
    if (!llvm::StructType::isValidElementType(member))
      return reader.malformed(inst, "a member of type " + reader.describe(id) + " cannot be");
    members.push_back(member);
    depth = std::max<unsigned>(depth, reader.find(id)->depth);
  }
  const Def& def = *reader.find(inst[1]);
  const bool packed = reader.decoration(def, spv::Decoration::CPacked).has_value();
  llvm::StringRef name = reader.name(def);
  llvm::StructType* type = name.empty() ? llvm::StructType::get(reader.context, members, packed)
                                        : llvm::StructType::create(reader.context, members, name, packed);
  // Each member is at most 2^47 bytes and there are at most 65,533 of them: the sum cannot wrap around.
  if (reader.module->getDataLayout().getTypeAllocSize(type).getFixedValue() > max_type_bytes)
    return reader.unsupported(inst, "a structure of more than 2^47 bytes");
  return define_type(reader, inst, type, depth + 1);
}

Result<void> type_pointer(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(unsigned space, reader.address_space(inst, inst[2]));
  return define_type(reader, inst, llvm::PointerType::get(reader.context, space));
}

Result<void> type_function(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::Type * result, reader.type(inst, inst[2]));
  if (!llvm::FunctionType::isValidReturnType(result))
    return reader.malformed(inst, "a function cannot return " + reader.describe(inst[2]));
  llvm::SmallVector<llvm::Type*, 16> parameters;
  for (uint32_t id : inst.from(3)) {
    KILN_ASSIGN(llvm::Type * parameter, reader.value_type(inst, id));
    if (!llvm::FunctionType::isValidArgumentType(parameter))
      return reader.malformed(inst, "a function cannot take " + reader.describe(id));
    parameters.push_back(parameter);
  }
  return define_type(reader, inst, llvm::FunctionType::get(result, parameters, false));
}

#define TYPE(op, words, handler) {spv::Op::op, #op, words, Layout::result, Phase::type, handler}
constexpr Row rows[] = {
    TYPE(OpTypeVoid, 2, type_void),
    TYPE(OpTypeBool, 2, type_bool),
    TYPE(OpTypeInt, 4, type_int),
    TYPE(OpTypeFloat, 3, type_float),
    TYPE(OpTypeVector, 4, type_vector),
    TYPE(OpTypeArray, 4, type_array),
    TYPE(OpTypeRuntimeArray, 3, type_runtime_array),
    TYPE(OpTypeStruct, 2, type_struct),
    TYPE(OpTypePointer, 4, type_pointer),
    TYPE(OpTypeFunction, 3, type_function),
    {spirv::op::TypeUntypedPointerKHR, "OpTypeUntypedPointerKHR", 3, Layout::result, Phase::type, type_pointer},
};

} // namespace

Rows type_rows() {
  return rows;
}

} // namespace kiln::translate::reading
