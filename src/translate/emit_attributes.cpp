// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's attributes as NonSemantic.Kiln.1 values: one per attribute, one per set of attributes, shared by all who have
// it.
#include "translate/emit_module.h"

namespace kiln::translate {

using namespace llvm;
using spirv::Kiln;

namespace {

// The portable union of all GPUs' features, wrong on every single one of them.
constexpr StringRef dropped[] = {"target-features", "target-cpu", "tune-cpu"};

} // namespace

Id ModuleEmitter::attribute(Attribute attribute) {
  if (attribute.isStringAttribute()) {
    if (is_contained(dropped, attribute.getKindAsString()))
      return 0;
    Id key = string(attribute.getKindAsString());
    if (attribute.getValueAsString().empty())
      return kiln_value(Kiln::AttrString, {key});
    return kiln_value(Kiln::AttrString, {key, string(attribute.getValueAsString())});
  }
  Id name = string(Attribute::getNameFromAttrKind(attribute.getKindAsEnum()));
  if (attribute.isIntAttribute()) {
    uint64_t value = attribute.getValueAsInt();
    Id low = u32(uint32_t(value)), high = u32(uint32_t(value >> 32));
    return kiln_value(Kiln::AttrInt, {name, low, high});
  }
  if (attribute.isTypeAttribute())
    return kiln_value(Kiln::AttrType, {name, type(attribute.getValueAsType())});
  if (attribute.isConstantRangeAttribute()) {
    const ConstantRange& range = attribute.getRange();
    Id low = constant(ConstantInt::get(context(), range.getLower()));
    Id high = constant(ConstantInt::get(context(), range.getUpper()));
    return kiln_value(Kiln::AttrRange, {name, low, high});
  }
  if (attribute.isEnumAttribute())
    return kiln_value(Kiln::AttrEnum, {name});
  return 0; // `initializes`, a list of ranges: only a hint
}

Id ModuleEmitter::attribute_set(AttributeSet set) {
  if (auto found = attribute_sets_.find(set); found != attribute_sets_.end())
    return found->second;
  std::vector<Id> members;
  for (Attribute member : set)
    if (Id id = attribute(member))
      members.push_back(id);
  Id id = members.empty() ? 0 : kiln_value(Kiln::AttrSet, members);
  attribute_sets_[set] = id;
  return id;
}

std::vector<Id> ModuleEmitter::attribute_list(const AttributeList& list) {
  std::vector<Id> operands;
  if (!aux_data())
    return operands;
  for (unsigned index : list.indexes())
    if (Id set = attribute_set(list.getAttributes(index))) {
      operands.push_back(u32(index + 1)); // the function's own index is ~0
      operands.push_back(set);
    }
  return operands;
}

} // namespace kiln::translate
