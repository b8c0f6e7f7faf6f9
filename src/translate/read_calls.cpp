// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls (SPIR-V specification 3.42.9): of functions, of intrinsics by name, through pointers; assume and expect.
#include "translate/read_body.h"

namespace kiln::translate::reading {

Result<void> call_atomic(FunctionReader& f, const Inst& inst, const FunctionInfo& callee); // read_atomics.cpp

namespace {

// An address space that an intrinsic fixes. The portable form may have cast to the number that its own numbering gives
// it; such a cast is undone, because going through private memory and back is not the same pointer.
llvm::Value* fix_address_space(FunctionReader& f, llvm::Value* pointer, llvm::Type* type) {
  if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer);
      cast && cast->getPointerOperand()->getType() == type)
    return cast->getPointerOperand();
  return f.cast_address_space(pointer, type);
}

Result<llvm::Value*> metadata_operand(FunctionReader& f, const Inst& inst, unsigned index) {
  for (uint32_t offset : f.pending.metadata_operands) {
    Inst row = f.module.at(offset);
    Result<uint32_t> at = f.module.u32(row, row[5]);
    Def* node = f.module.find(row[6]);
    if (at && *at == index && node && node->metadata)
      return llvm::cast<llvm::Value>(llvm::MetadataAsValue::get(f.context, node->metadata));
  }
  return f.malformed(inst, "its metadata operand " + std::to_string(index) + " is not there");
}

// The operands from word `first` for a function of this type.
Result<llvm::SmallVector<llvm::Value*, 8>> arguments(FunctionReader& f, const Inst& inst, uint32_t first,
                                                     llvm::FunctionType* type, Callee kind) {
  llvm::SmallVector<llvm::Value*, 8> result;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    llvm::Type* wanted = type->getParamType(i);
    if (wanted->isMetadataTy()) {
      KILN_ASSIGN(llvm::Value * node, metadata_operand(f, inst, i));
      result.push_back(node);
      continue;
    }
    if (first >= inst.count())
      return f.malformed(inst, "fewer arguments than parameters");
    KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[first]));
    if (kind == Callee::intrinsic && value->getType() != wanted && value->getType()->isPointerTy() &&
        wanted->isPointerTy())
      value = fix_address_space(f, value, wanted);
    if (value->getType() != wanted)
      return f.malformed(inst, "argument " + f.module.describe(inst[first]) + " is not of the parameter's type");
    result.push_back(value);
    ++first;
  }
  if (first < inst.count() && !type->isVarArg())
    return f.malformed(inst, "more arguments than parameters");
  for (; first < inst.count(); ++first) {
    KILN_ASSIGN(llvm::Value * value, f.value(inst, inst[first]));
    result.push_back(value);
  }
  return result;
}

// Attributes that belong to how arguments are passed must be at both ends.
void copy_abi_attributes(llvm::CallInst* call, const llvm::Function& callee) {
  constexpr llvm::Attribute::AttrKind kinds[] = {llvm::Attribute::ByVal, llvm::Attribute::ByRef,
                                                 llvm::Attribute::StructRet, llvm::Attribute::ZExt,
                                                 llvm::Attribute::SExt};
  for (unsigned i = 0; i < callee.arg_size(); ++i)
    for (llvm::Attribute::AttrKind kind : kinds)
      if (llvm::Attribute attribute = callee.getAttributes().getParamAttr(i, kind); attribute.isValid())
        call->addParamAttr(i, attribute);
}

Result<void> define_call(FunctionReader& f, const Inst& inst, llvm::CallInst* call) {
  if (f.pending.call_attributes)
    call->setAttributes(
        attribute_list(f.module, f.module.at(f.pending.call_attributes), 5, unsigned(call->arg_size())));
  f.decorate(inst, call);
  KILN_ASSIGN(llvm::Type * type, f.module.type(inst, inst[1]));
  llvm::Value* result = call;
  if (call->getType() != type && call->getType()->isPointerTy() && type->isPointerTy()) {
    result = f.cast_address_space(call, type);
    f.made = call;
  }
  return f.define(inst, result);
}

Result<void> call(FunctionReader& f, const Inst& inst, uint32_t) {
  Def* def = f.module.find(inst[3]);
  if (!def || def->kind != Kind::function)
    return f.malformed(inst, "%" + std::to_string(inst[3]) + " is not a function");
  const FunctionInfo& callee = f.module.functions[def->extra];
  if (!callee.function)
    return call_atomic(f, inst, callee);
  llvm::FunctionType* type = callee.function->getFunctionType();
  KILN_ASSIGN(auto values, arguments(f, inst, 4, type, callee.callee));
  auto* result = f.insert(llvm::CallInst::Create(type, callee.function, values));
  result->setCallingConv(callee.function->getCallingConv());
  if (callee.callee == Callee::plain && !callee.exact_attributes)
    copy_abi_attributes(result, *callee.function);
  return define_call(f, inst, result);
}

Result<void> call_pointer(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * callee, f.pointer(inst, inst[3]));
  KILN_ASSIGN(uint32_t pointee, f.module.pointee(inst, inst[3]));
  KILN_ASSIGN(llvm::FunctionType * type, f.module.function_type(inst, pointee));
  if (inst.count() - 4 > type->getNumParams())
    type = llvm::FunctionType::get(type->getReturnType(), type->params(), true);
  KILN_ASSIGN(auto values, arguments(f, inst, 4, type, Callee::plain));
  auto* result = f.insert(llvm::CallInst::Create(type, callee, values));
  result->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return define_call(f, inst, result);
}

Result<void> assume(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Value * condition, f.value(inst, inst[1]));
  if (!condition->getType()->isIntegerTy(1))
    return f.malformed(inst, "the condition is not a bool");
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, llvm::Intrinsic::assume, {}));
  auto* result = f.call_intrinsic(callee, {condition});
  if (f.pending.call_attributes)
    result->setAttributes(attribute_list(f.module, f.module.at(f.pending.call_attributes), 5, 1));
  return {};
}

Result<void> expect(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(auto pair, f.operands(inst, inst[3], inst[4]));
  if (!pair.left->getType()->isIntegerTy())
    return f.malformed(inst, "the operands are not integers");
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, llvm::Intrinsic::expect, {pair.left->getType()}));
  return define_call(f, inst, f.call_intrinsic(callee, {pair.left, pair.right}));
}

constexpr Row rows[] = {
    {spv::Op::OpFunctionCall, "OpFunctionCall", 4, Layout::typed, Phase::block, nullptr, call},
    {spv::Op::OpFunctionPointerCallINTEL, "OpFunctionPointerCallINTEL", 4, Layout::typed, Phase::block, nullptr,
     call_pointer},
    {spv::Op::OpAssumeTrueKHR, "OpAssumeTrueKHR", 2, Layout::plain, Phase::block, nullptr, assume},
    {spv::Op::OpExpectKHR, "OpExpectKHR", 5, Layout::typed, Phase::block, nullptr, expect},
};

} // namespace

Rows call_rows() {
  return rows;
}

} // namespace kiln::translate::reading
