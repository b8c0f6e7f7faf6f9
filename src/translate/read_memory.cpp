// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory instructions (SPIR-V specification 3.42.8): loads, stores, copies, access chains, dynamic allocas.
#include "translate/read_body.h"

namespace kiln::translate::reading {
namespace {

struct MemoryOperands {
  bool is_volatile = false;
  bool nontemporal = false;
  llvm::MaybeAlign alignment;
};

Result<MemoryOperands> memory_operands(FunctionReader& f, const Inst& inst, uint32_t first, uint32_t* next = nullptr) {
  using Mask = spv::MemoryAccessMask;
  MemoryOperands result;
  if (first >= inst.count())
    return result;
  const uint32_t mask = inst[first++];
  constexpr uint32_t known = uint32_t(Mask::Volatile) | uint32_t(Mask::Aligned) | uint32_t(Mask::Nontemporal) |
                             uint32_t(Mask::AliasScopeINTELMask) | uint32_t(Mask::NoAliasINTELMask);
  if (mask & ~known)
    return f.unsupported(inst, "memory operands " + std::to_string(mask));
  result.is_volatile = mask & uint32_t(Mask::Volatile);
  result.nontemporal = mask & uint32_t(Mask::Nontemporal);
  if (mask & uint32_t(Mask::Aligned)) {
    if (first >= inst.count())
      return f.malformed(inst, "memory operands without the alignment");
    KILN_ASSIGN(result.alignment, f.module.to_alignment(inst, inst[first]));
    ++first;
  }
  if (next)
    *next = first + bool(mask & uint32_t(Mask::AliasScopeINTELMask)) + bool(mask & uint32_t(Mask::NoAliasINTELMask));
  return result;
}

void mark_nontemporal(FunctionReader& f, llvm::Instruction* instruction) {
  auto* one = llvm::ConstantInt::get(llvm::Type::getInt32Ty(f.context), 1);
  instruction->setMetadata(llvm::LLVMContext::MD_nontemporal,
                           llvm::MDNode::get(f.context, llvm::ConstantAsMetadata::get(one)));
}

llvm::Align natural(FunctionReader& f, llvm::Type* type) {
  return f.module.module->getDataLayout().getABITypeAlign(type);
}

Result<void> load(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, inst[1]));
  KILN_ASSIGN(llvm::Value * from, f.pointer(inst, inst[3]));
  KILN_ASSIGN(MemoryOperands how, memory_operands(f, inst, 4));
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(from)) {
    if (auto flag = f.module.flag_variables.find(variable); flag != f.module.flag_variables.end()) {
      const ModuleReader::Predicate& predicate = f.module.predicates[flag->second - 1];
      if (!type->isIntegerTy())
        return f.malformed(inst, "feature predicate " + predicate.name + " is not loaded as an integer");
      if (predicate.decided)
        return f.define(inst, llvm::ConstantInt::get(type, *predicate.decided));
      llvm::FunctionCallee callee = f.module.predicate_function(flag->second - 1);
      auto* call = f.insert(llvm::CallInst::Create(callee));
      call->setCallingConv(llvm::cast<llvm::Function>(callee.getCallee())->getCallingConv());
      return f.define(inst, type->isIntegerTy(1) ? static_cast<llvm::Value*>(call)
                                                 : f.insert(new llvm::ZExtInst(call, type)));
    }
  }
  auto* result =
      f.insert(new llvm::LoadInst(type, from, "", how.is_volatile, how.alignment.value_or(natural(f, type))));
  if (how.nontemporal)
    mark_nontemporal(f, result);
  return f.define(inst, result);
}

Result<void> store(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * to, f.pointer(inst, inst[1]));
  KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[2]));
  KILN_ASSIGN(MemoryOperands how, memory_operands(f, inst, 3));
  if (!value->getType()->isSized())
    return f.malformed(inst, "the object has no size");
  auto* result =
      f.insert(new llvm::StoreInst(value, to, how.is_volatile, how.alignment.value_or(natural(f, value->getType()))));
  if (how.nontemporal)
    mark_nontemporal(f, result);
  return {};
}

// Memory operands of the destination; then those of the source, if they are others.
struct CopyOperands {
  MemoryOperands to, from;
};

Result<CopyOperands> copy_operands(FunctionReader& f, const Inst& inst, uint32_t first) {
  uint32_t next = inst.count();
  KILN_ASSIGN(MemoryOperands to, memory_operands(f, inst, first, &next));
  if (next >= inst.count())
    return CopyOperands{to, to};
  KILN_ASSIGN(MemoryOperands from, memory_operands(f, inst, next));
  return CopyOperands{to, from};
}

Result<void> build_copy(FunctionReader& f, const Inst& inst, llvm::Value* length, const CopyOperands& how) {
  KILN_ASSIGN(llvm::Value * to, f.pointer(inst, inst[1]));
  KILN_ASSIGN(llvm::Value * from, f.pointer(inst, inst[2]));
  KILN_ASSIGN(llvm::Function * callee,
              f.module.intrinsic(inst, llvm::Intrinsic::memcpy, {to->getType(), from->getType(), length->getType()}));
  const bool is_volatile = how.to.is_volatile || how.from.is_volatile;
  auto* call = f.call_intrinsic(callee, {to, from, length, llvm::ConstantInt::getBool(f.context, is_volatile)});
  if (f.pending.call_attributes) {
    Inst row = f.module.at(f.pending.call_attributes);
    call->setAttributes(attribute_list(f.module, row, 5, 4));
    return {};
  }
  if (how.to.alignment)
    call->addParamAttr(0, llvm::Attribute::getWithAlignment(f.context, *how.to.alignment));
  if (how.from.alignment)
    call->addParamAttr(1, llvm::Attribute::getWithAlignment(f.context, *how.from.alignment));
  return {};
}

Result<void> copy_memory_sized(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * length, f.value(inst, inst[3]));
  if (!length->getType()->isIntegerTy(32) && !length->getType()->isIntegerTy(64))
    return f.malformed(inst, "the size is not an integer of 32 or 64 bits");
  KILN_ASSIGN(CopyOperands how, copy_operands(f, inst, 4));
  return build_copy(f, inst, length, how);
}

Result<void> copy_memory(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(uint32_t pointee, f.module.pointee(inst, inst[1]));
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, pointee));
  KILN_ASSIGN(CopyOperands how, copy_operands(f, inst, 3));
  for (MemoryOperands* side : {&how.to, &how.from})
    if (!side->alignment)
      side->alignment = natural(f, type);
  const uint64_t size = f.module.module->getDataLayout().getTypeStoreSize(type).getFixedValue();
  return build_copy(f, inst, llvm::ConstantInt::get(llvm::Type::getInt64Ty(f.context), size), how);
}

constexpr uint32_t has_element = 1, inbounds = 2, untyped = 4;

Result<void> access_chain(FunctionReader& f, const Inst& inst, uint32_t form) {
  const uint32_t base_at = form & untyped ? 4 : 3;
  KILN_ASSIGN(llvm::Value * base, f.value(inst, inst[base_at]));
  if (!base->getType()->isPtrOrPtrVectorTy())
    return f.malformed(inst, "the base is not a pointer");
  uint32_t pointee = inst[3];
  if (!(form & untyped)) {
    KILN_ASSIGN(pointee, f.module.pointee(inst, inst[base_at]));
  }
  KILN_ASSIGN(llvm::Type * source, f.module.sized_type(inst, pointee));
  llvm::SmallVector<llvm::Value*, 8> indices;
  if (!(form & has_element))
    indices.push_back(llvm::ConstantInt::get(llvm::Type::getInt32Ty(f.context), 0));
  llvm::Type* type = source;
  for (uint32_t id : inst.from(base_at + 1)) {
    KILN_ASSIGN(llvm::Value * index, f.value(inst, id));
    if (!index->getType()->isIntOrIntVectorTy())
      return f.malformed(inst, "index " + f.module.describe(id) + " is not an integer");
    if (!indices.empty()) {
      // LLVM counts the members of structures in i32.
      if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(index); number && type->isStructTy())
        if (number->getValue().ult(type->getStructNumElements()))
          index = llvm::ConstantInt::get(llvm::Type::getInt32Ty(f.context), number->getZExtValue());
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, index);
      if (!type)
        return f.malformed(inst, "index " + f.module.describe(id) + " does not fit the type that the base points to");
    }
    indices.push_back(index);
  }
  for (llvm::Value* index : indices)
    if (auto* lanes = llvm::dyn_cast<llvm::VectorType>(index->getType()))
      if (auto* others = llvm::dyn_cast<llvm::VectorType>(base->getType());
          others && others->getElementCount() != lanes->getElementCount())
        return f.malformed(inst, "vectors of several lengths");
  auto flags = form & inbounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none();
  return f.define(inst, f.insert(llvm::GetElementPtrInst::Create(source, base, indices, flags)));
}

Result<void> variable_length_array(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(uint32_t pointee, f.module.pointee(inst, inst[2]));
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, pointee));
  KILN_ASSIGN(llvm::Value * length, f.value(inst, inst[3]));
  if (!length->getType()->isIntegerTy())
    return f.malformed(inst, "the length is not an integer");
  KILN_ASSIGN(llvm::MaybeAlign alignment, f.module.alignment(inst, *f.module.find(inst[2])));
  llvm::Align align = alignment.value_or(f.module.module->getDataLayout().getPrefTypeAlign(type));
  return f.define(inst, f.insert(new llvm::AllocaInst(type, f.module.options.address_spaces.private_, length, align)));
}

Result<void> save_memory(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  auto* own = llvm::PointerType::get(f.context, f.module.options.address_spaces.private_);
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, llvm::Intrinsic::stacksave, {own}));
  if (!type->isPointerTy())
    return f.malformed(inst, "the result type is not a pointer");
  llvm::Value* mark = f.call_intrinsic(callee, {});
  return f.define(inst, f.cast_address_space(mark, type));
}

Result<void> restore_memory(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * mark, f.pointer(inst, inst[1]));
  auto* own = llvm::PointerType::get(f.context, f.module.options.address_spaces.private_);
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, llvm::Intrinsic::stackrestore, {own}));
  f.call_intrinsic(callee, {f.cast_address_space(mark, own)});
  return {};
}

// LLVM accepts these on allocas only; on anything else they say nothing that may be relied on.
Result<void> lifetime(FunctionReader& f, const Inst& inst, uint32_t id) {
  KILN_ASSIGN(llvm::Value * object, f.pointer(inst, inst[1]));
  if (!llvm::isa<llvm::AllocaInst>(object))
    return {};
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, id, {object->getType()}));
  auto* call = f.call_intrinsic(callee, {object});
  if (f.pending.call_attributes)
    call->setAttributes(attribute_list(f.module, f.module.at(f.pending.call_attributes), 5, 1));
  return {};
}

Result<void> pointer_difference(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(auto pair, f.operands(inst, inst[3], inst[4]));
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  KILN_ASSIGN(uint32_t pointee, f.module.pointee(inst, inst[3]));
  KILN_ASSIGN(llvm::Type * element, f.module.sized_type(inst, pointee));
  if (!pair.left->getType()->isPointerTy() || !type->isIntegerTy())
    return f.malformed(inst, "the operands are not pointers or the result is not an integer");
  const uint64_t size = f.module.module->getDataLayout().getTypeAllocSize(element).getFixedValue();
  if (size == 0)
    return f.malformed(inst, "elements of no size");
  auto* left = f.insert(new llvm::PtrToIntInst(pair.left, type));
  auto* right = f.insert(new llvm::PtrToIntInst(pair.right, type));
  auto* bytes = f.insert(llvm::BinaryOperator::CreateSub(left, right));
  auto* count = llvm::BinaryOperator::CreateExactSDiv(bytes, llvm::ConstantInt::get(type, size));
  return f.define(inst, f.insert(count));
}

#define TYPED(op, words, handler, extra) {spv::Op::op, #op, words, Layout::typed, Phase::block, nullptr, handler, extra}
#define PLAIN(op, words, handler, extra) {spv::Op::op, #op, words, Layout::plain, Phase::block, nullptr, handler, extra}
#define UNTYPED(name, words, extra)                                                                                    \
  {spirv::op::name, "Op" #name, words, Layout::typed, Phase::block, nullptr, access_chain, extra}
constexpr Row rows[] = {
    TYPED(OpLoad, 4, load, 0),
    PLAIN(OpStore, 3, store, 0),
    PLAIN(OpCopyMemory, 3, copy_memory, 0),
    PLAIN(OpCopyMemorySized, 4, copy_memory_sized, 0),
    TYPED(OpAccessChain, 4, access_chain, 0),
    TYPED(OpInBoundsAccessChain, 4, access_chain, inbounds),
    TYPED(OpPtrAccessChain, 5, access_chain, has_element),
    TYPED(OpInBoundsPtrAccessChain, 5, access_chain, has_element | inbounds),
    UNTYPED(UntypedAccessChainKHR, 5, untyped),
    UNTYPED(UntypedInBoundsAccessChainKHR, 5, untyped | inbounds),
    UNTYPED(UntypedPtrAccessChainKHR, 6, untyped | has_element),
    UNTYPED(UntypedInBoundsPtrAccessChainKHR, 6, untyped | has_element | inbounds),
    TYPED(OpPtrDiff, 5, pointer_difference, 0),
    TYPED(OpVariableLengthArrayINTEL, 4, variable_length_array, 0),
    TYPED(OpSaveMemoryINTEL, 3, save_memory, 0),
    PLAIN(OpRestoreMemoryINTEL, 2, restore_memory, 0),
    PLAIN(OpLifetimeStart, 3, lifetime, llvm::Intrinsic::lifetime_start),
    PLAIN(OpLifetimeStop, 3, lifetime, llvm::Intrinsic::lifetime_end),
};

} // namespace

Rows memory_rows() {
  return rows;
}

} // namespace kiln::translate::reading
