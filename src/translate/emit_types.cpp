// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types (specification 3.49.6). Every non-aggregate type is declared once; aggregates are one per LLVM type.
#include "translate/emit_module.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/raw_ostream.h>

namespace kiln::translate {

using namespace llvm;
using spv::Op;

namespace {

struct ClassRow {
  unsigned address_space;
  spv::StorageClass storage;
};
constexpr ClassRow storage_classes[] = {
    {0, spv::StorageClass::Function},  {1, spv::StorageClass::CrossWorkgroup}, {2, spv::StorageClass::UniformConstant},
    {3, spv::StorageClass::Workgroup}, {4, spv::StorageClass::Generic},
};

std::string print(Type* type) {
  std::string text;
  raw_string_ostream(text) << *type;
  return text;
}

} // namespace

std::optional<spv::StorageClass> ModuleEmitter::storage_class(unsigned address_space) {
  for (const auto& row : storage_classes)
    if (row.address_space == address_space)
      return row.storage;
  fail("pointers of address space " + Twine(address_space) + " have no storage class in SPIR-V, only 0 to 4 have");
  return std::nullopt;
}

Id ModuleEmitter::type(Type* type, Type* pointee) {
  if (!is_pointer(type))
    pointee = nullptr;
  else if (!pointee)
    pointee = Type::getInt8Ty(context());
  if (auto found = types_.find({type, pointee}); found != types_.end())
    return found->second;

  Id id = 0;
  if (auto* pointer = dyn_cast<PointerType>(type)) {
    auto storage = storage_class(pointer->getAddressSpace());
    id = storage ? pointer_type(*storage, this->type(pointee)) : 0;
  } else if (auto* vector = dyn_cast<FixedVectorType>(type)) {
    id = vector_type(vector, pointee);
  } else if (auto* array = dyn_cast<ArrayType>(type)) {
    id = array_type(array);
  } else if (auto* structure = dyn_cast<StructType>(type)) {
    id = struct_type(structure);
  } else if (auto* function = dyn_cast<FunctionType>(type)) {
    id = function_type(*function);
  } else if (type->isVoidTy()) {
    globals.add(Op::OpTypeVoid, {id = new_id()});
  } else if (type->isIntegerTy(1)) {
    globals.add(Op::OpTypeBool, {id = new_id()});
  } else if (type->isIntegerTy()) {
    unsigned width = type->getIntegerBitWidth();
    if (width == 8)
      capability(spv::Capability::Int8);
    else if (width == 16)
      capability(spv::Capability::Int16);
    else if (width == 64)
      capability(spv::Capability::Int64);
    else if (width != 32)
      capability(spv::Capability::ArbitraryPrecisionIntegersINTEL, "SPV_INTEL_arbitrary_precision_integers");
    globals.add(Op::OpTypeInt, {id = new_id(), width, 0});
  } else if (type->isBFloatTy()) {
    capability(spirv::capability::BFloat16TypeKHR, "SPV_KHR_bfloat16");
    globals.add(Op::OpTypeFloat, {id = new_id(), 16, spirv::fp_encoding::BFloat16KHR});
  } else if (type->isHalfTy() || type->isFloatTy() || type->isDoubleTy()) {
    if (type->isHalfTy())
      capability(spv::Capability::Float16);
    else if (type->isDoubleTy())
      capability(spv::Capability::Float64);
    globals.add(Op::OpTypeFloat, {id = new_id(), uint32_t(type->getScalarSizeInBits())});
  } else {
    return fail("type '" + print(type) + "' has no SPIR-V form");
  }
  types_[{type, pointee}] = id;
  return id;
}

Id ModuleEmitter::pointer_type(spv::StorageClass storage, Id pointee) {
  Id& id = pointer_types_[{uint32_t(storage), pointee}];
  if (!id) {
    if (storage == spv::StorageClass::Generic)
      capability(spv::Capability::GenericPointer);
    globals.add(Op::OpTypePointer, {id = new_id(), uint32_t(storage), pointee});
  }
  return id;
}

Id ModuleEmitter::code_pointer_type(Id function_type) {
  capability(spv::Capability::FunctionPointersINTEL, "SPV_INTEL_function_pointers");
  return pointer_type(spv::StorageClass::CodeSectionINTEL, function_type);
}

Id ModuleEmitter::vector_type(VectorType* type, Type* pointee) {
  unsigned count = cast<FixedVectorType>(type)->getNumElements();
  Type* element = type->getElementType();
  if (count == 8 || count == 16)
    capability(spv::Capability::Vector16);
  else if (count < 2 || count > 4)
    capability(spv::Capability::VectorAnyINTEL, "SPV_INTEL_vector_compute");
  if (element->isPointerTy())
    capability(spirv::capability::MaskedGatherScatterINTEL, "SPV_INTEL_masked_gather_scatter");
  Id element_id = this->type(element, pointee);
  Id id = new_id();
  globals.add(Op::OpTypeVector, {id, element_id, count});
  return id;
}

Id ModuleEmitter::array_type(ArrayType* type) {
  uint64_t count = type->getNumElements();
  Id element = this->type(type->getElementType());
  Id length = 0;
  if (count == 0)
    length = u32(unknown_array_length);
  else if (count < unknown_array_length)
    length = u32(uint32_t(count));
  else
    length = constant(ConstantInt::get(Type::getInt64Ty(context()), count));
  Id id = new_id();
  globals.add(Op::OpTypeArray, {id, element, length});
  return id;
}

Id ModuleEmitter::struct_type(StructType* type) {
  if (type->isOpaque())
    return fail("opaque struct type '" + print(type) + "' has no SPIR-V form");
  std::vector<Id> words{0};
  for (Type* member : type->elements())
    words.push_back(this->type(member));
  Id id = words[0] = new_id();
  globals.add(Op::OpTypeStruct, words);
  if (type->hasName()) // one without a name reads back as a literal struct
    name(id, type->getName());
  if (type->isPacked())
    decorate(id, spv::Decoration::CPacked);
  return id;
}

// Operands of type metadata stay outside of SPIR-V's function types; Kiln MetadataOperand carries them.
Id ModuleEmitter::function_type(const FunctionType& function) {
  std::vector<Id> key{type(function.getReturnType())};
  for (Type* parameter : function.params())
    if (!parameter->isMetadataTy())
      key.push_back(type(parameter));
  return function_type_of(key);
}

Id ModuleEmitter::function_type(const Function& function) {
  std::vector<Id> key{type(function.getReturnType())};
  for (const Argument& argument : function.args())
    if (!argument.getType()->isMetadataTy())
      key.push_back(
          type(argument.getType(), is_pointer(argument.getType()) ? pointers(function).natural(&argument) : nullptr));
  return function_type_of(key);
}

Id ModuleEmitter::function_type_of(ArrayRef<Id> key) {
  Id& id = function_types_[key.vec()];
  if (!id) {
    id = new_id();
    globals.begin(Op::OpTypeFunction).word(id).words(key).end();
  }
  return id;
}

std::string mangle(Type* type) {
  if (auto* pointer = dyn_cast<PointerType>(type))
    return "p" + std::to_string(pointer->getAddressSpace());
  if (auto* vector = dyn_cast<FixedVectorType>(type))
    return "v" + std::to_string(vector->getNumElements()) + mangle(vector->getElementType());
  if (type->isBFloatTy())
    return "bf16";
  return (type->isIntegerTy() ? "i" : "f") + std::to_string(type->getScalarSizeInBits());
}

} // namespace kiln::translate
