// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declaring functions (SPIR-V specification 3.42.9), their calling convention, and the attributes that core SPIR-V can
// say.
#include "translate/read_module.h"

namespace kiln::translate::reading {
namespace {

// FunctionParameterAttribute (3.19) -> LLVM. ByVal and Sret name the pointee.
llvm::Attribute parameter_attribute(ModuleReader& reader, const Inst& parameter, uint32_t kind) {
  llvm::LLVMContext& context = reader.context;
  switch (spv::FunctionParameterAttribute(kind)) {
  case spv::FunctionParameterAttribute::Zext:
    return llvm::Attribute::get(context, llvm::Attribute::ZExt);
  case spv::FunctionParameterAttribute::Sext:
    return llvm::Attribute::get(context, llvm::Attribute::SExt);
  case spv::FunctionParameterAttribute::NoAlias:
    return llvm::Attribute::get(context, llvm::Attribute::NoAlias);
  case spv::FunctionParameterAttribute::NoWrite:
    return llvm::Attribute::get(context, llvm::Attribute::ReadOnly);
  case spv::FunctionParameterAttribute::NoReadWrite:
    return llvm::Attribute::get(context, llvm::Attribute::ReadNone);
  case spv::FunctionParameterAttribute::ByVal:
  case spv::FunctionParameterAttribute::Sret: {
    Result<uint32_t> pointee = reader.pointee(parameter, parameter[2]);
    Result<llvm::Type*> type = pointee ? reader.sized_type(parameter, *pointee) : Result<llvm::Type*>(pointee.error());
    if (!type)
      return {};
    bool sret = spv::FunctionParameterAttribute(kind) == spv::FunctionParameterAttribute::Sret;
    return llvm::Attribute::get(context, sret ? llvm::Attribute::StructRet : llvm::Attribute::ByVal, *type);
  }
  default:
    return {};
  }
}

void core_attributes(ModuleReader& reader, const Inst& inst, FunctionInfo& info) {
  const uint32_t control = inst[3];
  using Mask = spv::FunctionControlMask;
  llvm::Function& function = *info.function;
  if (control & uint32_t(Mask::Inline))
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  else if (control & uint32_t(Mask::DontInline))
    function.addFnAttr(llvm::Attribute::NoInline);
  if (control & uint32_t(Mask::Const))
    function.setDoesNotAccessMemory();
  else if (control & uint32_t(Mask::Pure))
    function.setOnlyReadsMemory();
  for (unsigned i = 0; i < info.parameters.size(); ++i) {
    const Def& def = *reader.find(info.parameters[i]);
    auto kind = reader.decoration(def, spv::Decoration::FuncParamAttr);
    if (!kind || kind->empty())
      continue;
    llvm::Attribute attribute = parameter_attribute(reader, reader.at(def.offset), (*kind)[0]);
    const bool fits =
        function.getArg(i)->getType()->isPointerTy() ||
        (attribute.isValid() && attribute.isEnumAttribute() &&
         (attribute.hasAttribute(llvm::Attribute::ZExt) || attribute.hasAttribute(llvm::Attribute::SExt)));
    if (attribute.isValid() && fits)
      function.addParamAttr(i, attribute);
  }
}

// Imported functions that stand for an atomic access without an opcode; read_atomics.cpp reads their calls.
struct AtomicName {
  llvm::StringRef prefix;
  Callee callee;
  unsigned parameters;
};
constexpr AtomicName atomic_names[] = {
    {atomic_call_prefix, Callee::atomic_rmw, 6}, // then the operation
    {"llvm:load.", Callee::atomic_load, 5},
    {"llvm:store.", Callee::atomic_store, 6},
    {"llvm:cmpxchg.", Callee::atomic_exchange, 9},
};

Result<void> declare_atomic(ModuleReader& reader, const Inst& inst, FunctionInfo& info, llvm::StringRef name) {
  for (const AtomicName& row : atomic_names) {
    if (!name.starts_with(row.prefix))
      continue;
    if (info.type->getNumParams() != row.parameters)
      return reader.malformed(inst, name.str() + " does not have " + std::to_string(row.parameters) + " parameters");
    info.callee = row.callee;
    if (row.callee != Callee::atomic_rmw)
      return {};
    llvm::StringRef operation = name.drop_front(row.prefix.size()).split('.').first;
    for (unsigned op = llvm::AtomicRMWInst::FIRST_BINOP; op <= llvm::AtomicRMWInst::LAST_BINOP; ++op)
      if (llvm::AtomicRMWInst::getOperationName(llvm::AtomicRMWInst::BinOp(op)) == operation)
        info.atomic = llvm::AtomicRMWInst::BinOp(op);
    if (info.atomic != llvm::AtomicRMWInst::BAD_BINOP)
      return {};
  }
  return reader.unsupported(inst, "operation " + name.str());
}

Result<void> check_parameters(ModuleReader& reader, const Inst& inst, const FunctionInfo& info) {
  KILN_ASSIGN(llvm::Type * result, reader.type(inst, inst[1]));
  if (result != info.type->getReturnType())
    return reader.malformed(inst, "the result type is not that of the function type");
  if (info.parameters.size() != info.type->getNumParams())
    return reader.malformed(inst, "the function type has " + std::to_string(info.type->getNumParams()) +
                                      " parameters, the function " + std::to_string(info.parameters.size()));
  for (unsigned i = 0; i < info.parameters.size(); ++i) {
    Inst parameter = reader.at(reader.find(info.parameters[i])->offset);
    KILN_ASSIGN(llvm::Type * type, reader.value_type(parameter, parameter[1]));
    if (type != info.type->getParamType(i))
      return reader.malformed(parameter, "its type is not the one in the function type");
  }
  return {};
}

} // namespace

Result<void> declare_function(ModuleReader& reader, FunctionInfo& info) {
  Inst inst = reader.at(info.begin);
  Def& def = *reader.find(info.id);
  KILN_ASSIGN(info.type, reader.function_type(inst, inst[4]));
  KILN_TRY(check_parameters(reader, inst, info));
  KILN_ASSIGN(Linkage link, linkage_of(reader, inst, def));
  if (link.name.starts_with("llvm.") || link.name.starts_with("llvm:")) {
    if (info.has_body)
      return reader.malformed(inst, "a body for " + link.name.str() + ", which is LLVM's own");
    if (link.name.starts_with("llvm:"))
      return declare_atomic(reader, inst, info, link.name);
    return declare_intrinsic(reader, inst, info, link.name);
  }
  if (link.name.starts_with(flattened_prefix) && !info.has_body)
    return declare_intrinsic(reader, inst, info, link.name);
  uint32_t flags = 0;
  if (def.global_row) {
    KILN_ASSIGN(flags, reader.u32(inst, reader.at(def.global_row)[8]));
  }
  llvm::FunctionType* type = info.type;
  if (flags & global_flag::variadic)
    type = llvm::FunctionType::get(type->getReturnType(), type->params(), true);
  auto linkage = info.entry_point && !link.type ? llvm::GlobalValue::ExternalLinkage : to_llvm(link.type);
  if (!info.has_body)
    linkage = llvm::GlobalValue::ExternalLinkage;
  info.function =
      llvm::Function::Create(type, linkage, reader.options.address_spaces.function, link.name, reader.module.get());
  info.function->setCallingConv(flags & global_flag::c_calling_convention ? llvm::CallingConv::C
                                : info.entry_point                        ? llvm::CallingConv::SPIR_KERNEL
                                                                          : llvm::CallingConv::SPIR_FUNC);
  core_attributes(reader, inst, info);
  if (def.global_row)
    KILN_TRY(reader.apply_global_row(reader.at(def.global_row), *info.function, !info.has_body));
  return {};
}

// A kernel has the name of its entry point. Other producers also write a function of that name, which the entry point
// calls: it stays, under another one.
void name_kernels(ModuleReader& reader) {
  for (FunctionInfo& info : reader.functions) {
    if (!info.entry_point || !info.function)
      continue;
    Result<llvm::StringRef> name = reader.literal_string(reader.at(info.entry_point), 3);
    if (!name || info.function->getName() == *name || name->starts_with("llvm."))
      continue;
    if (llvm::GlobalValue* other = reader.module->getNamedValue(*name)) {
      other->setName(*name + ".body");
      for (const FunctionInfo& body : reader.functions)
        if (body.function == other && body.has_body)
          other->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
    info.function->setName(*name);
  }
}

llvm::FunctionCallee ModuleReader::predicate_function(uint32_t index) {
  std::string name = predicate_prefix + predicates[index].name;
  auto* type = llvm::FunctionType::get(llvm::Type::getInt1Ty(context), false);
  if (llvm::Function* existing = module->getFunction(name); existing && existing->getFunctionType() == type)
    return existing;
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, options.address_spaces.function,
                                          name, module.get());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return function;
}

Rows structure_rows() {
  static constexpr Row rows[] = {
      {spv::Op::OpFunction, "OpFunction", 5, Layout::typed, Phase::function},
      {spv::Op::OpFunctionParameter, "OpFunctionParameter", 3, Layout::typed, Phase::parameter},
      {spv::Op::OpFunctionEnd, "OpFunctionEnd", 1, Layout::plain, Phase::function_end},
      {spv::Op::OpLabel, "OpLabel", 2, Layout::result, Phase::label},
  };
  return rows;
}

} // namespace kiln::translate::reading
