// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kiln's rows outside of functions (docs/spirv-mapping.md section 7). Poison and Freeze were noted by the scan, Global
// when its subject was made. A row of another form than expected is passed over, as a consumer may do with all of them.
#include "translate/read_module.h"

#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InlineAsm.h>

namespace kiln::translate::reading {
namespace {

using RowReader = void (*)(ModuleReader&, const Inst&, Def&);

void function_attributes(ModuleReader& reader, const Inst& inst, Def&) {
  Def* def = inst.count() > 5 ? reader.find(inst[5]) : nullptr;
  if (!def || def->kind != Kind::function)
    return;
  FunctionInfo& info = reader.functions[def->extra];
  if (!info.function)
    return;
  info.function->setAttributes(attribute_list(reader, inst, 6, unsigned(info.function->arg_size())));
  info.exact_attributes = true;
}

void global_attach(ModuleReader& reader, const Inst& inst, Def&) {
  if (inst.count() < 8)
    return;
  Def* subject = reader.find(inst[5]);
  Def* node = reader.find(inst[7]);
  Result<llvm::StringRef> name = reader.string(inst, inst[6]);
  if (!subject || !node || !name || !node->metadata || !llvm::isa<llvm::MDNode>(node->metadata))
    return;
  llvm::GlobalObject* object = llvm::dyn_cast_or_null<llvm::GlobalVariable>(subject->value);
  if (subject->kind == Kind::function)
    object = reader.functions[subject->extra].function;
  auto* tuple = llvm::cast<llvm::MDNode>(node->metadata);
  if (object)
    if (std::optional<unsigned> kind = attachable(reader, *name, tuple))
      object->addMetadata(*kind, *tuple);
}

// {behaviour, name, value}
bool is_module_flag(llvm::Metadata* metadata) {
  auto* flag = llvm::dyn_cast_or_null<llvm::MDNode>(metadata);
  return flag && flag->getNumOperands() == 3 && flag->getOperand(0) && flag->getOperand(1) && flag->getOperand(2) &&
         llvm::isa<llvm::ConstantAsMetadata>(flag->getOperand(0)) && llvm::isa<llvm::MDString>(flag->getOperand(1));
}

void named_metadata(ModuleReader& reader, const Inst& inst, Def&) {
  if (inst.count() < 6)
    return;
  Result<llvm::StringRef> name = reader.string(inst, inst[5]);
  if (!name || name->empty())
    return;
  const bool flags = *name == "llvm.module.flags", errno_tags = *name == "llvm.errno.tbaa";
  if (name->starts_with("llvm.") && !flags && !errno_tags)
    return; // the others that LLVM reads say nothing of a device
  for (uint32_t id : inst.from(6)) {
    Def* def = reader.find(id);
    auto* node = def ? llvm::dyn_cast_or_null<llvm::MDNode>(def->metadata) : nullptr;
    if (!node || (flags && !is_module_flag(node)) || (errno_tags && !attachable(reader, "tbaa", node)))
      return;
  }
  llvm::NamedMDNode* named = reader.module->getOrInsertNamedMetadata(*name);
  for (uint32_t id : inst.from(6))
    if (Def* node = reader.find(id); node && node->metadata && llvm::isa<llvm::MDNode>(node->metadata))
      named->addOperand(llvm::cast<llvm::MDNode>(node->metadata));
}

void alias(ModuleReader& reader, const Inst& inst, Def&) {
  if (inst.count() < 10)
    return;
  Result<llvm::StringRef> name = reader.string(inst, inst[5]);
  Result<llvm::Constant*> target = reader.constant(inst, inst[6]);
  Result<uint32_t> linkage = reader.u32(inst, inst[7]), visibility = reader.u32(inst, inst[8]);
  Result<llvm::Type*> type = reader.type(inst, inst[9]);
  if (!name || !target || !linkage || !visibility || !type || name->starts_with("llvm.") || (*type)->isVoidTy() ||
      !(*target)->getType()->isPointerTy() || *linkage > llvm::GlobalValue::CommonLinkage ||
      *visibility > llvm::GlobalValue::ProtectedVisibility)
    return;
  // In a slice the target may be a mere declaration, which no alias may name.
  auto* base = llvm::dyn_cast_or_null<llvm::GlobalValue>((*target)->stripPointerCasts());
  if (!base)
    return;
  if (auto* function = llvm::dyn_cast<llvm::Function>(base))
    for (const FunctionInfo& info : reader.functions)
      if (info.function == function && !info.has_body)
        return;
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base); variable && variable->isDeclaration())
    return;
  auto* result =
      llvm::GlobalAlias::create(*type, (*target)->getType()->getPointerAddressSpace(),
                                llvm::GlobalValue::LinkageTypes(*linkage), *name, *target, reader.module.get());
  if (!result->hasLocalLinkage())
    result->setVisibility(llvm::GlobalValue::VisibilityTypes(*visibility));
}

void assembly_flags(ModuleReader& reader, const Inst& inst, Def&) {
  if (inst.count() < 7)
    return;
  Def* def = reader.find(inst[5]);
  Result<uint32_t> flags = reader.u32(inst, inst[6]);
  if (!def || !flags || def->kind != Kind::assembly || !def->value)
    return;
  auto* old = llvm::cast<llvm::InlineAsm>(def->value);
  auto dialect = *flags & asm_flag::intel_dialect ? llvm::InlineAsm::AD_Intel : llvm::InlineAsm::AD_ATT;
  def->value = llvm::InlineAsm::get(old->getFunctionType(), old->getAsmString(), old->getConstraintString(),
                                    old->hasSideEffects(), *flags & asm_flag::align_stack, dialect,
                                    *flags & asm_flag::can_throw);
}

constexpr RowReader readers[] = {
    nullptr,             // 0
    nullptr,             // Poison: by the scan
    nullptr,             // Global: with its subject
    read_attribute_row,  // AttrEnum
    read_attribute_row,  // AttrInt
    read_attribute_row,  // AttrString
    read_attribute_row,  // AttrType
    read_attribute_row,  // AttrRange
    read_attribute_row,  // AttrSet
    function_attributes, // FunctionAttributes
    nullptr,             // CallAttributes: in blocks
    nullptr,             // Flags: in blocks
    nullptr,             // Freeze: by the scan
    read_metadata_row,   // MDString
    read_metadata_row,   // MDNode
    read_metadata_row,   // MDDistinct
    read_metadata_row,   // MDConstant
    read_metadata_row,   // MDNull
    read_metadata_row,   // MDSelf
    nullptr,             // Attach: in blocks
    global_attach,       // GlobalAttach
    named_metadata,      // NamedMetadata
    nullptr,             // SyncScope: in blocks
    nullptr,             // MetadataOperand: in blocks
    assembly_flags,      // AsmFlags
    alias,               // Alias
    nullptr,             // Alloca: in blocks
};

} // namespace

Result<void> read_row(ModuleReader& reader, const Inst& inst) {
  Def* set = reader.find(inst[3]);
  if (InstSet(set->extra) == InstSet::opencl || InstSet(set->extra) == InstSet::unknown)
    return reader.unsupported(inst, "an instruction of this set outside of functions");
  if (InstSet(set->extra) == InstSet::kiln && inst[4] < std::size(readers) && readers[inst[4]])
    readers[inst[4]](reader, inst, *reader.find(inst[2]));
  return {};
}

} // namespace kiln::translate::reading
