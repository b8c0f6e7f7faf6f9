// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes from Kiln's rows. A name or value that this LLVM does not know gives no attribute: attributes are promises
// that may be forgotten (the ones that must not be, such as byref, are checked by LLVM's verifier at the end).
#include "translate/read_module.h"

#include <llvm/IR/ConstantRange.h>

#include <bit>

namespace kiln::translate::reading {
namespace {

using llvm::Attribute;

Attribute int_attribute(ModuleReader& reader, Attribute::AttrKind kind, uint64_t value) {
  if (!Attribute::isIntAttrKind(kind))
    return {};
  const bool is_alignment = kind == Attribute::Alignment || kind == Attribute::StackAlignment;
  if (is_alignment && (!std::has_single_bit(value) || value > llvm::Value::MaximumAlignment))
    return {};
  const bool is_size = kind == Attribute::Dereferenceable || kind == Attribute::DereferenceableOrNull;
  if (is_size && value == 0)
    return {};
  return Attribute::get(reader.context, kind, value);
}

Attribute range_attribute(ModuleReader& reader, const Inst& inst, Attribute::AttrKind kind) {
  Result<llvm::Constant*> low = reader.constant(inst, inst[6]), high = reader.constant(inst, inst[7]);
  if (!low || !high || kind != Attribute::Range)
    return {};
  auto* from = llvm::dyn_cast<llvm::ConstantInt>(*low);
  auto* to = llvm::dyn_cast<llvm::ConstantInt>(*high);
  if (!from || !to || from->getType() != to->getType() || from->getValue() == to->getValue())
    return {};
  return Attribute::get(reader.context, kind, llvm::ConstantRange(from->getValue(), to->getValue()));
}

Attribute type_attribute(ModuleReader& reader, const Inst& inst, Attribute::AttrKind kind) {
  Result<llvm::Type*> type = reader.sized_type(inst, inst[6]);
  return type && Attribute::isTypeAttrKind(kind) ? Attribute::get(reader.context, kind, *type) : Attribute();
}

Attribute make(ModuleReader& reader, const Inst& inst) {
  Result<llvm::StringRef> name = reader.string(inst, inst[5]);
  if (!name)
    return {};
  const auto row = spirv::Kiln(inst[4]);
  if (row == spirv::Kiln::AttrString) {
    Result<llvm::StringRef> value =
        inst.count() > 6 ? reader.string(inst, inst[6]) : Result<llvm::StringRef>(llvm::StringRef());
    return value ? Attribute::get(reader.context, *name, *value) : Attribute();
  }
  const Attribute::AttrKind kind = Attribute::getAttrKindFromName(*name);
  if (kind == Attribute::None)
    return {};
  if (row == spirv::Kiln::AttrEnum)
    return Attribute::isEnumAttrKind(kind) ? Attribute::get(reader.context, kind) : Attribute();
  if (row == spirv::Kiln::AttrType && inst.count() > 6)
    return type_attribute(reader, inst, kind);
  if (row == spirv::Kiln::AttrRange && inst.count() > 7)
    return range_attribute(reader, inst, kind);
  if (row != spirv::Kiln::AttrInt || inst.count() <= 7)
    return {};
  Result<uint32_t> low = reader.u32(inst, inst[6]), high = reader.u32(inst, inst[7]);
  return low && high ? int_attribute(reader, kind, uint64_t(*high) << 32 | *low) : Attribute();
}

} // namespace

void read_attribute_row(ModuleReader& reader, const Inst& inst, Def& def) {
  if (inst.count() <= 5)
    return;
  if (spirv::Kiln(inst[4]) == spirv::Kiln::AttrSet) {
    llvm::AttrBuilder set(reader.context);
    for (uint32_t id : inst.from(5)) {
      Def* member = reader.find(id);
      if (member && member->kind == Kind::other && member->extra && member->extra <= reader.attributes.size() &&
          reader.attributes[member->extra - 1].isValid())
        set.addAttribute(reader.attributes[member->extra - 1]);
    }
    reader.attribute_sets.push_back(llvm::AttributeSet::get(reader.context, set));
    def.attribute_set = uint32_t(reader.attribute_sets.size());
    return;
  }
  reader.attributes.push_back(make(reader, inst));
  def.extra = uint32_t(reader.attributes.size());
}

llvm::AttributeList attribute_list(ModuleReader& reader, const Inst& inst, uint32_t first, unsigned parameters) {
  llvm::AttributeSet function, result;
  llvm::SmallVector<llvm::AttributeSet, 8> arguments(parameters);
  for (; first + 1 < inst.count(); first += 2) {
    Result<uint32_t> index = reader.u32(inst, inst[first]);
    Def* set = reader.find(inst[first + 1]);
    if (!index || !set || !set->attribute_set)
      continue;
    llvm::AttributeSet attributes = reader.attribute_sets[set->attribute_set - 1];
    if (*index == 0)
      function = attributes;
    else if (*index == 1)
      result = attributes;
    else if (*index - 2 < parameters)
      arguments[*index - 2] = attributes;
  }
  return llvm::AttributeList::get(reader.context, function, result, arguments);
}

} // namespace kiln::translate::reading
