// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the module, and linkage. What core SPIR-V says (LinkageAttributes) comes first; Kiln's Global row, where
// there is one, has LLVM's exact words for it.
#include "translate/read_body.h"

namespace kiln::translate::reading {
namespace {

constexpr llvm::StringRef flag_variable_prefixes[] = {"llvm.amdgcn.is.", "llvm.amdgcn.has."};

// AMD's encoding of a feature predicate: a variable that is only ever loaded.
bool note_flag_variable(ModuleReader& reader, llvm::GlobalVariable& variable) {
  llvm::StringRef name = variable.getName();
  for (llvm::StringRef prefix : flag_variable_prefixes) {
    if (!name.starts_with(prefix))
      continue;
    std::string predicate = name.drop_front(sizeof("llvm.amdgcn.") - 1).str();
    std::optional<bool> decided;
    if (reader.options.decide_predicate)
      decided = reader.options.decide_predicate(predicate);
    reader.predicates.push_back({UINT32_MAX, predicate, decided});
    reader.flag_variables[&variable] = uint32_t(reader.predicates.size());
    return true;
  }
  return false;
}

Result<void> variable(ModuleReader& reader, const Inst& inst) {
  Def* def = reader.find(inst[2]);
  KILN_ASSIGN(llvm::Type * pointer, reader.value_type(inst, inst[1]));
  KILN_ASSIGN(uint32_t pointee, reader.pointee(inst, inst[2]));
  KILN_ASSIGN(unsigned space, reader.address_space(inst, inst[3]));
  KILN_ASSIGN(llvm::Type * type, reader.sized_type(inst, pointee));
  if (pointer != llvm::PointerType::get(reader.context, space))
    return reader.malformed(inst, "the storage class is not that of the result type");
  if (spv::StorageClass(inst[3]) == spv::StorageClass::Function)
    return reader.malformed(inst, "a variable of storage class Function outside of functions");
  if (reader.decoration(*def, spv::Decoration::BuiltIn))
    return reader.unsupported(inst, "a built-in variable (" + reader.describe(inst[2]) + ")");
  if (reader.name(*def) == predicate_ids_name) {
    def->kind = Kind::other; // the scan has read it
    return {};
  }
  KILN_ASSIGN(Linkage link, linkage_of(reader, inst, *def));
  if (llvm::Intrinsic::lookupIntrinsicID(link.name) != llvm::Intrinsic::not_intrinsic)
    return reader.malformed(inst, "a variable with the name of an intrinsic, " + link.name.str());
  const bool constant = reader.decoration(*def, spv::Decoration::Constant) ||
                        (!reader.kiln_module && spv::StorageClass(inst[3]) == spv::StorageClass::UniformConstant);
  auto* result = new llvm::GlobalVariable(*reader.module, type, constant, to_llvm(link.type), nullptr, link.name,
                                          nullptr, llvm::GlobalValue::NotThreadLocal, space);
  KILN_ASSIGN(llvm::MaybeAlign alignment, reader.alignment(inst, *def));
  result->setAlignment(alignment);
  def->value = result;
  if (inst.count() > 4)
    reader.initialisers.emplace_back(result, inst.offset);
  else if (link.type != spv::LinkageType::Import)
    result->setInitializer(llvm::UndefValue::get(type));
  if (def->global_row)
    KILN_TRY(reader.apply_global_row(reader.at(def->global_row), *result, false));
  note_flag_variable(reader, *result);
  return {};
}

Result<void> variable_in_block(FunctionReader& f, const Inst& inst, uint32_t) {
  KILN_ASSIGN(llvm::Type * pointer, f.result_type(inst));
  KILN_ASSIGN(uint32_t pointee, f.module.pointee(inst, inst[2]));
  KILN_ASSIGN(llvm::Type * type, f.module.sized_type(inst, pointee));
  if (spv::StorageClass(inst[3]) != spv::StorageClass::Function)
    return f.malformed(inst, "a variable inside of a function whose storage class is not Function");
  const unsigned space = f.module.options.address_spaces.private_;
  if (pointer != llvm::PointerType::get(f.context, space))
    return f.malformed(inst, "the storage class is not that of the result type");
  KILN_ASSIGN(llvm::MaybeAlign alignment, f.module.alignment(inst, *f.module.find(inst[2])));
  llvm::Align align = alignment.value_or(f.module.module->getDataLayout().getPrefTypeAlign(type));
  auto* alloca = f.insert(new llvm::AllocaInst(type, space, nullptr, align));
  if (inst.count() > 4) {
    KILN_ASSIGN(llvm::Constant * value, f.module.constant(inst, inst[4]));
    if (value->getType() != type)
      return f.malformed(inst, "the initialiser is not of the variable's type");
    f.insert(new llvm::StoreInst(value, alloca, false, align));
    f.made = alloca;
  }
  return f.define(inst, alloca);
}

} // namespace

Result<Linkage> linkage_of(ModuleReader& reader, const Inst& inst, const Def& def) {
  Linkage result{reader.name(def), std::nullopt};
  auto literals = reader.decoration(def, spv::Decoration::LinkageAttributes);
  if (!literals || literals->size() < 2)
    return result;
  // The literals lie in the module's words, so the string is read from there.
  uint32_t start = uint32_t(literals->data() - reader.words.data());
  Inst words{nullptr, start, *literals};
  uint32_t next = 0;
  KILN_ASSIGN(result.name, reader.literal_string(words, 0, &next));
  if (next >= literals->size())
    return reader.malformed(inst, "LinkageAttributes without a linkage type");
  result.type = spv::LinkageType((*literals)[next]);
  return result;
}

llvm::GlobalValue::LinkageTypes to_llvm(std::optional<spv::LinkageType> type) {
  if (!type)
    return llvm::GlobalValue::InternalLinkage;
  if (*type == spv::LinkageType::LinkOnceODR)
    return llvm::GlobalValue::LinkOnceODRLinkage;
  if (*type == spirv::linkage::WeakAMD)
    return llvm::GlobalValue::WeakAnyLinkage;
  return llvm::GlobalValue::ExternalLinkage;
}

Result<void> ModuleReader::apply_global_row(const Inst& row, llvm::GlobalValue& global, bool declaration) {
  KILN_ASSIGN(uint32_t linkage, u32(row, row[6]));
  KILN_ASSIGN(uint32_t visibility, u32(row, row[7]));
  KILN_ASSIGN(uint32_t flags, u32(row, row[8]));
  if (linkage > llvm::GlobalValue::CommonLinkage || visibility > llvm::GlobalValue::ProtectedVisibility)
    return malformed(row, "Global with an unknown linkage or visibility");
  auto type = llvm::GlobalValue::LinkageTypes(linkage);
  // A slice keeps only the declaration of what it does not need.
  if (declaration && type != llvm::GlobalValue::ExternalWeakLinkage)
    type = llvm::GlobalValue::ExternalLinkage;
  if (!global.getName().starts_with("llvm.") || !llvm::isa<llvm::Function>(global))
    global.setLinkage(type);
  if (!global.hasLocalLinkage())
    global.setVisibility(llvm::GlobalValue::VisibilityTypes(visibility));
  global.setDSOLocal(flags & global_flag::dso_local || global.isImplicitDSOLocal());
  global.setUnnamedAddr(flags & global_flag::unnamed_addr         ? llvm::GlobalValue::UnnamedAddr::Global
                        : flags & global_flag::local_unnamed_addr ? llvm::GlobalValue::UnnamedAddr::Local
                                                                  : llvm::GlobalValue::UnnamedAddr::None);
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global))
    variable->setExternallyInitialized(flags & global_flag::externally_initialized);
  if (row.count() > 9) {
    KILN_ASSIGN(llvm::StringRef section, string(row, row[9]));
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&global))
      object->setSection(section);
  }
  return {};
}

Rows global_rows() {
  static constexpr Row rows[] = {
      {spv::Op::OpVariable, "OpVariable", 4, Layout::typed, Phase::variable, variable, variable_in_block},
  };
  return rows;
}

} // namespace kiln::translate::reading
