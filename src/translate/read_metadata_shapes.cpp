// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM takes the shape of metadata of its own kinds for granted, in its verifier and more so in its passes. So a node
// that comes from outside is attached only if it has the shape of its kind; one that has not is dropped, because
// metadata is advice. Kinds that only others know (and LLVM never looks into) have any shape.
#include "translate/read_module.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Metadata.h>

namespace kiln::translate::reading {
namespace {

using llvm::LLVMContext;
using llvm::MDNode;
using llvm::Metadata;

llvm::ConstantInt* integer(const Metadata* metadata) {
  auto* constant = llvm::dyn_cast_or_null<llvm::ConstantAsMetadata>(metadata);
  return constant ? llvm::dyn_cast<llvm::ConstantInt>(constant->getValue()) : nullptr;
}
bool is_string(const Metadata* metadata) {
  return metadata && llvm::isa<llvm::MDString>(metadata);
}
MDNode* node(const Metadata* metadata) {
  return llvm::dyn_cast_or_null<MDNode>(const_cast<Metadata*>(metadata));
}

bool empty(MDNode* tuple) {
  return tuple->getNumOperands() == 0;
}

bool integers(MDNode* tuple) {
  return llvm::all_of(tuple->operands(), [](const llvm::MDOperand& operand) { return integer(operand); });
}
bool one_integer(MDNode* tuple) {
  return tuple->getNumOperands() == 1 && integers(tuple);
}
bool three_integers(MDNode* tuple) {
  return tuple->getNumOperands() == 3 && integers(tuple);
}

// Pairs of integers of one type.
bool ranges(MDNode* tuple) {
  if (tuple->getNumOperands() == 0 || tuple->getNumOperands() % 2 || !integers(tuple))
    return false;
  return llvm::all_of(tuple->operands(), [&](const llvm::MDOperand& operand) {
    return integer(operand)->getType() == integer(tuple->getOperand(0))->getType();
  });
}

bool accuracy(MDNode* tuple) {
  auto* constant = tuple->getNumOperands() == 1
                       ? llvm::dyn_cast_or_null<llvm::ConstantAsMetadata>(tuple->getOperand(0).get())
                       : nullptr;
  return constant && llvm::isa<llvm::ConstantFP>(constant->getValue());
}

// "branch_weights" or another name, perhaps a second string, then integers.
bool profile(MDNode* tuple) {
  unsigned at = 0;
  while (at < tuple->getNumOperands() && at < 2 && is_string(tuple->getOperand(at)))
    ++at;
  if (at == 0 || at == tuple->getNumOperands())
    return false;
  for (; at < tuple->getNumOperands(); ++at)
    if (!integer(tuple->getOperand(at)))
      return false;
  return true;
}

// A type in a tree of types: {name}, {name, parent, offset 0} or {name, (member type, offset)...}.
bool tbaa_type(MDNode* type, llvm::SmallPtrSetImpl<MDNode*>& open, llvm::SmallPtrSetImpl<MDNode*>& good) {
  if (!type || type->getNumOperands() == 0 || !is_string(type->getOperand(0)))
    return false;
  if (good.contains(type))
    return true;
  if (!open.insert(type).second)
    return false; // a circle
  const unsigned count = type->getNumOperands();
  if (count == 2 && !tbaa_type(node(type->getOperand(1)), open, good))
    return false;
  if (count > 2 && count % 2 == 0)
    return false;
  for (unsigned i = 1; count > 2 && i + 1 < count; i += 2)
    if (!integer(type->getOperand(i + 1)) || !tbaa_type(node(type->getOperand(i)), open, good))
      return false;
  open.erase(type);
  good.insert(type);
  return true;
}

// {base type, access type, offset, [constant]}
bool tbaa(MDNode* tag) {
  if (tag->getNumOperands() < 3 || tag->getNumOperands() > 4 || !integer(tag->getOperand(2)))
    return false;
  if (tag->getNumOperands() == 4 && !integer(tag->getOperand(3)))
    return false;
  llvm::SmallPtrSet<MDNode*, 8> open, good;
  return tbaa_type(node(tag->getOperand(0)), open, good) && tbaa_type(node(tag->getOperand(1)), open, good);
}

// (offset, size, tag)...
bool tbaa_struct(MDNode* tuple) {
  if (tuple->getNumOperands() % 3)
    return false;
  for (unsigned i = 0; i < tuple->getNumOperands(); i += 3)
    if (!integer(tuple->getOperand(i)) || !integer(tuple->getOperand(i + 1)) || !node(tuple->getOperand(i + 2)) ||
        !tbaa(node(tuple->getOperand(i + 2))))
      return false;
  return true;
}

bool named_or_self(MDNode* tuple) {
  return tuple->getOperand(0).get() == tuple || is_string(tuple->getOperand(0));
}

// A list of scopes {self or name, domain, [name]}; a domain is {self or name, [name]}.
bool alias_scopes(MDNode* list) {
  return llvm::all_of(list->operands(), [](const llvm::MDOperand& operand) {
    MDNode* scope = node(operand);
    if (!scope || scope->getNumOperands() < 2 || scope->getNumOperands() > 3 || !named_or_self(scope))
      return false;
    MDNode* domain = node(scope->getOperand(1));
    if (scope->getNumOperands() == 3 && !is_string(scope->getOperand(2)))
      return false;
    return domain && domain->getNumOperands() >= 1 && domain->getNumOperands() <= 2 && named_or_self(domain) &&
           (domain->getNumOperands() == 1 || is_string(domain->getOperand(1)));
  });
}

// {self, node...}; the nodes are {name, anything}.
bool loop(MDNode* tuple) {
  if (tuple->getNumOperands() == 0 || tuple->getOperand(0).get() != tuple)
    return false;
  for (unsigned i = 1; i < tuple->getNumOperands(); ++i) {
    MDNode* option = node(tuple->getOperand(i));
    if (!option || option->getNumOperands() == 0 || !is_string(option->getOperand(0)))
      return false;
    for (unsigned j = 1; j < option->getNumOperands(); ++j)
      if (!option->getOperand(j))
        return false;
  }
  return true;
}

// One empty distinct node, or a list of such.
bool access_group(MDNode* group) {
  auto is_group = [](MDNode* one) { return one && one->isDistinct() && one->getNumOperands() == 0; };
  return is_group(group) ||
         (group->getNumOperands() &&
          llvm::all_of(group->operands(), [&](const llvm::MDOperand& operand) { return is_group(node(operand)); }));
}

// {name, name}, or a list of such.
bool memory_relaxation(MDNode* tuple) {
  auto is_leaf = [](MDNode* one) {
    return one && one->getNumOperands() == 2 && is_string(one->getOperand(0)) && is_string(one->getOperand(1));
  };
  return is_leaf(tuple) ||
         llvm::all_of(tuple->operands(), [&](const llvm::MDOperand& operand) { return is_leaf(node(operand)); });
}

bool strings(MDNode* tuple) {
  return tuple->getNumOperands() &&
         llvm::all_of(tuple->operands(), [](const llvm::MDOperand& operand) { return is_string(operand); });
}

struct Shape {
  unsigned kind;
  bool (*fits)(MDNode*);
};
constexpr Shape shapes[] = {
    {LLVMContext::MD_tbaa, tbaa},
    {LLVMContext::MD_tbaa_struct, tbaa_struct},
    {LLVMContext::MD_prof, profile},
    {LLVMContext::MD_fpmath, accuracy},
    {LLVMContext::MD_range, ranges},
    {LLVMContext::MD_absolute_symbol, ranges},
    {LLVMContext::MD_noalias_addrspace, ranges},
    {LLVMContext::MD_invariant_load, empty},
    {LLVMContext::MD_alias_scope, alias_scopes},
    {LLVMContext::MD_noalias, alias_scopes},
    {LLVMContext::MD_nontemporal, one_integer},
    {LLVMContext::MD_nonnull, empty},
    {LLVMContext::MD_noundef, empty},
    {LLVMContext::MD_dereferenceable, one_integer},
    {LLVMContext::MD_dereferenceable_or_null, one_integer},
    {LLVMContext::MD_align, one_integer},
    {LLVMContext::MD_unpredictable, empty},
    {LLVMContext::MD_invariant_group, empty},
    {LLVMContext::MD_make_implicit, empty},
    {LLVMContext::MD_loop, loop},
    {LLVMContext::MD_access_group, access_group},
    {LLVMContext::MD_annotation, strings},
    {LLVMContext::MD_mmra, memory_relaxation},
    {LLVMContext::MD_nosanitize, empty},
    {LLVMContext::MD_exclude, empty},
    {LLVMContext::MD_nofree, empty},
    {LLVMContext::MD_irr_loop, profile},
};

// Kinds without a number of their own that code generators read.
struct NamedShape {
  llvm::StringRef name;
  bool (*fits)(MDNode*);
};
constexpr NamedShape named_shapes[] = {
    {"reqd_work_group_size", three_integers},
    {"max_work_group_size", three_integers},
    {"work_group_size_hint", three_integers},
    {"intel_reqd_sub_group_size", one_integer},
    {"srcloc", integers},
};

constexpr unsigned last_numbered = LLVMContext::MD_implicit_ref;

bool fits(unsigned kind, llvm::StringRef name, MDNode* tuple) {
  for (const Shape& shape : shapes)
    if (shape.kind == kind)
      return shape.fits(tuple);
  for (const NamedShape& shape : named_shapes)
    if (shape.name == name)
      return shape.fits(tuple);
  return kind > last_numbered;
}

} // namespace

std::optional<unsigned> attachable(ModuleReader& reader, llvm::StringRef name, MDNode* tuple) {
  if (name.empty())
    return std::nullopt;
  const unsigned kind = reader.context.getMDKindID(name);
  auto [known, added] = reader.attachable_nodes.try_emplace({kind, tuple}, false);
  if (added)
    known->second = fits(kind, name, tuple);
  return known->second ? std::optional(kind) : std::nullopt;
}

} // namespace kiln::translate::reading
