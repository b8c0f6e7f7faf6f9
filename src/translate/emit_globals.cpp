// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, functions as symbols, linkage, entry points and what else a module consists of besides code.
#include "translate/emit_module.h"

#include <llvm/IR/Operator.h>

namespace kiln::translate {

using namespace llvm;
using spv::Op;

Id ModuleEmitter::variable(const GlobalVariable& variable) {
  if (auto found = variables_.find(&variable); found != variables_.end())
    return found->second;
  if (!in_progress_.insert(&variable).second)
    return fail(
        "the initialiser of this variable refers to itself, which SPIR-V cannot say; set the pointer at run time",
        &variable);
  if (variable.isThreadLocal())
    return fail("thread-local variables do not exist on a GPU", &variable);
  auto storage = storage_class(variable.getAddressSpace());
  if (storage && (*storage == spv::StorageClass::Generic || *storage == spv::StorageClass::Function))
    return fail("a variable cannot live in address space " + Twine(variable.getAddressSpace()), &variable);
  if (!storage)
    return 0;
  Id initializer = 0;
  if (variable.hasInitializer() && !isa<UndefValue>(variable.getInitializer()))
    initializer = constant(variable.getInitializer(), Type::getInt8Ty(context()));
  Id pointer = pointer_type(*storage, type(variable.getValueType()));
  Id id = new_id();
  globals.begin(Op::OpVariable).word(pointer).word(id).word(uint32_t(*storage));
  if (initializer)
    globals.word(initializer);
  globals.end();
  variables_[&variable] = id;
  in_progress_.erase(&variable);
  emit_linkage(variable, id);
  if (variable.isConstant())
    decorate(id, spv::Decoration::Constant);
  if (auto align = variable.getAlign())
    decorate(id, spv::Decoration::Alignment, {uint32_t(align->value())});
  return id;
}

Id ModuleEmitter::function(const Function& function) {
  if (auto found = functions_.find(&function); found != functions_.end())
    return found->second;
  Id id = functions_[&function] = new_id();
  if (function.isDeclaration())
    emit_declaration(function);
  else
    emit_linkage(function, id);
  return id;
}

const PointerPlan& ModuleEmitter::pointers(const Function& function) {
  auto& plan = plans_[&function];
  if (!plan)
    plan = std::make_unique<PointerPlan>(function);
  return *plan;
}

void ModuleEmitter::emit_declaration(const Function& function) {
  Id id = this->function(function);
  Id result = type(function.getReturnType());
  Id signature = function_type(function);
  declarations_.add(Op::OpFunction, {result, id, 0, signature});
  for (const Argument& argument : function.args())
    if (!argument.getType()->isMetadataTy())
      parameter(declarations_, argument);
  declarations_.add(Op::OpFunctionEnd, {});
  emit_linkage(function, id);
}

Id ModuleEmitter::parameter(spirv::Section& section, const Argument& argument) {
  constexpr std::pair<Attribute::AttrKind, spv::FunctionParameterAttribute> rows[] = {
      {Attribute::ByVal, spv::FunctionParameterAttribute::ByVal},
      {Attribute::ByRef, spv::FunctionParameterAttribute::ByVal},
      {Attribute::StructRet, spv::FunctionParameterAttribute::Sret},
      {Attribute::NoAlias, spv::FunctionParameterAttribute::NoAlias},
  };
  Type* pointee = is_pointer(argument.getType()) ? pointers(*argument.getParent()).natural(&argument) : nullptr;
  Id type_id = type(argument.getType(), pointee);
  Id id = new_id();
  section.add(Op::OpFunctionParameter, {type_id, id});
  if (!argument.getParent()->isIntrinsic())
    for (auto [kind, attribute] : rows)
      if (argument.hasAttribute(kind))
        decorate(id, spv::Decoration::FuncParamAttr, {uint32_t(attribute)});
  return id;
}

Id ModuleEmitter::imported(StringRef name, FunctionType* function) {
  if (auto found = imported_.find(name); found != imported_.end())
    return found->second;
  Id id = imported_[name] = new_id();
  Id result = type(function->getReturnType());
  Id signature = function_type(*function);
  declarations_.add(Op::OpFunction, {result, id, 0, signature});
  for (Type* parameter : function->params()) {
    Id parameter_type = type(parameter);
    declarations_.add(Op::OpFunctionParameter, {parameter_type, new_id()});
  }
  declarations_.add(Op::OpFunctionEnd, {});
  std::vector<uint32_t> operands;
  spirv::append_string(operands, name);
  operands.push_back(uint32_t(spv::LinkageType::Import));
  capability(spv::Capability::Linkage);
  linkage_.begin(Op::OpDecorate).word(id).word(uint32_t(spv::Decoration::LinkageAttributes)).words(operands).end();
  return id;
}

// An internal symbol has an OpName, an external one its linkage name, a kernel its entry point's.
void ModuleEmitter::emit_linkage(const GlobalValue& value, Id id) {
  auto* function = dyn_cast<Function>(&value);
  if (function && function->getCallingConv() == CallingConv::SPIR_KERNEL && !function->isDeclaration())
    return;
  if (value.hasLocalLinkage())
    return name(id, value.getName());
  if (value.hasAppendingLinkage()) {
    fail("a variable with appending linkage has no meaning on a device", &value);
    return;
  }
  spv::LinkageType linkage = spv::LinkageType::Export;
  if (value.isDeclaration())
    linkage = spv::LinkageType::Import;
  else if (value.hasLinkOnceLinkage() || value.hasAvailableExternallyLinkage()) {
    linkage = spv::LinkageType::LinkOnceODR;
    extensions_.insert("SPV_KHR_linkonce_odr");
  }
  capability(spv::Capability::Linkage);
  linkage_.begin(Op::OpDecorate).word(id).word(uint32_t(spv::Decoration::LinkageAttributes)).string(value.getName());
  linkage_.word(uint32_t(linkage)).end();
}

void ModuleEmitter::emit_global_row(const GlobalObject& value, Id id) {
  auto* function = dyn_cast<Function>(&value);
  auto* variable = dyn_cast<GlobalVariable>(&value);
  uint32_t flags = 0;
  if (value.getUnnamedAddr() == GlobalValue::UnnamedAddr::Local)
    flags |= global_flag::local_unnamed_addr;
  else if (value.getUnnamedAddr() == GlobalValue::UnnamedAddr::Global)
    flags |= global_flag::unnamed_addr;
  if (value.isDSOLocal() && !value.isImplicitDSOLocal())
    flags |= global_flag::dso_local;
  if (variable && variable->isExternallyInitialized())
    flags |= global_flag::externally_initialized;
  if (function && function->isVarArg())
    flags |= global_flag::variadic;
  if (function && function->getCallingConv() == CallingConv::C)
    flags |= global_flag::c_calling_convention;
  auto implied = value.hasLinkOnceLinkage() || value.hasAvailableExternallyLinkage() ? GlobalValue::LinkOnceODRLinkage
                 : value.hasLocalLinkage()                                           ? GlobalValue::InternalLinkage
                                                                                     : GlobalValue::ExternalLinkage;
  if (value.getLinkage() == implied && value.hasDefaultVisibility() && !flags && !value.hasSection())
    return;
  if (!aux_data())
    return;
  std::vector<Id> operands{id, u32(value.getLinkage()), u32(value.getVisibility()), u32(flags)};
  if (value.hasSection())
    operands.push_back(string(value.getSection()));
  kiln(module_facts_, spirv::Kiln::Global, operands);
}

void ModuleEmitter::emit_function_rows(const Function& function) {
  Id id = this->function(function);
  emit_global_row(function, id);
  if (!aux_data())
    return;
  if (auto sets = attribute_list(function.getAttributes()); !sets.empty()) {
    sets.insert(sets.begin(), id);
    kiln(module_facts_, spirv::Kiln::FunctionAttributes, sets);
  }
  emit_global_attachments(function, id);
}

namespace {

// The three numbers of !max_work_group_size and !reqd_work_group_size.
std::optional<std::array<uint32_t, 3>> three(const MDNode* node) {
  std::array<uint32_t, 3> sizes{};
  if (!node || node->getNumOperands() != 3)
    return std::nullopt;
  for (unsigned i = 0; i < 3; ++i) {
    auto* size = mdconst::dyn_extract_or_null<ConstantInt>(node->getOperand(i));
    if (!size)
      return std::nullopt;
    sizes[i] = uint32_t(size->getZExtValue());
  }
  return sizes;
}

} // namespace

void ModuleEmitter::emit_entry_point(const Function& function) {
  Id id = this->function(function);
  // Depth first over what the kernel reaches; the interface is in module order.
  DenseSet<const Function*> seen{&function};
  DenseSet<const GlobalVariable*> reached;
  std::vector<const Function*> work{&function};
  while (!work.empty()) {
    const Reach& next = reach(*work.back());
    work.pop_back();
    reached.insert_range(next.variables);
    for (const Function* callee : next.functions)
      if (seen.insert(callee).second)
        work.push_back(callee);
  }
  entry_points_.begin(Op::OpEntryPoint).word(uint32_t(spv::ExecutionModel::Kernel)).word(id).string(function.getName());
  for (const GlobalVariable& variable : module_.globals())
    if (reached.contains(&variable))
      entry_points_.word(variables_.lookup(&variable));
  entry_points_.end();

  if (auto size = three(function.getMetadata("max_work_group_size"))) {
    capability(spv::Capability::KernelAttributesINTEL, "SPV_INTEL_kernel_attributes");
    execution_modes_.add(Op::OpExecutionMode,
                         {id, uint32_t(spv::ExecutionMode::MaxWorkgroupSizeINTEL), (*size)[0], (*size)[1], (*size)[2]});
  }
  if (auto size = three(function.getMetadata("reqd_work_group_size")))
    execution_modes_.add(Op::OpExecutionMode,
                         {id, uint32_t(spv::ExecutionMode::LocalSize), (*size)[0], (*size)[1], (*size)[2]});
}

const ModuleEmitter::Reach& ModuleEmitter::reach(const Function& function) {
  auto& entry = reach_[&function];
  if (entry)
    return *entry;
  entry = std::make_unique<Reach>();
  DenseSet<const Constant*> seen;
  std::vector<const Constant*> work;
  auto push = [&](const Value* value) {
    if (auto* constant = dyn_cast<Constant>(value);
        constant && !isa<ConstantData>(constant) && seen.insert(constant).second)
      work.push_back(constant);
  };
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block)
      for (const Value* operand : instruction.operands())
        push(operand);
  while (!work.empty()) {
    const Constant* constant = work.back();
    work.pop_back();
    if (auto* callee = dyn_cast<Function>(constant)) {
      entry->functions.push_back(callee);
      continue;
    }
    if (auto* variable = dyn_cast<GlobalVariable>(constant))
      entry->variables.push_back(variable);
    for (const Value* operand : constant->operands())
      push(operand);
  }
  return *entry;
}

// Section 6 of docs/spirv-mapping.md.
Id ModuleEmitter::predicate(StringRef name) {
  for (const auto& [known, id] : predicates_)
    if (known == name)
      return id;
  Id type_id = type(Type::getInt1Ty(context()));
  Id id = new_id();
  globals.add(Op::OpSpecConstantFalse, {type_id, id});
  decorate(id, spv::Decoration::SpecId, {uint32_t(predicates_.size())});
  predicates_.emplace_back(name, id);
  return id;
}

void ModuleEmitter::emit_predicate_table() {
  if (predicates_.empty())
    return;
  std::string table;
  for (size_t i = 0; i < predicates_.size(); ++i) {
    table += predicates_[i].first + " " + std::to_string(i);
    table.push_back('\0');
  }
  Constant* bytes = ConstantDataArray::getString(context(), table, true);
  Id initializer = constant(bytes);
  Id pointer = pointer_type(spv::StorageClass::CrossWorkgroup, type(bytes->getType()));
  Id id = new_id();
  globals.add(Op::OpVariable, {pointer, id, uint32_t(spv::StorageClass::CrossWorkgroup), initializer});
  decorate(id, spv::Decoration::Constant);
  name(id, predicate_ids_name);
}

void ModuleEmitter::emit_aliases() {
  for (const GlobalAlias& alias : module_.aliases()) {
    Id aliasee = constant(alias.getAliasee());
    Id value_type = type(alias.getValueType());
    if (aux_data())
      kiln(module_facts_, spirv::Kiln::Alias,
           {string(alias.getName()), aliasee, u32(alias.getLinkage()), u32(alias.getVisibility()), value_type});
  }
  for (const GlobalIFunc& ifunc : module_.ifuncs())
    fail("ifuncs do not exist on a device", &ifunc);
}

} // namespace kiln::translate
