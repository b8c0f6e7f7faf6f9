// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's intrinsics, which SPIR-V calls by LLVM's name. They are declared through LLVM's own tables, not by the name at
// hand, because the address spaces may have changed since the name was made: "llvm.memcpy.p4.p2.i64" is
// "llvm.memcpy.p0.p4.i64" for AMDGPU. Where the tables fix an address space (llvm.amdgcn.dispatch.ptr gives one of
// addrspace(4), which is generic in the portable numbering and constant on AMDGPU), the call casts; and where they want
// metadata, which SPIR-V cannot pass, it comes from Kiln's MetadataOperand.
#include "translate/read_module.h"

namespace kiln::translate::reading {
namespace {

using Descriptor = llvm::Intrinsic::IITDescriptor;

// Past one type in LLVM's flat list of descriptors.
void skip(llvm::ArrayRef<Descriptor>& infos) {
  uint64_t left = 1;
  while (left && !infos.empty()) {
    Descriptor first = infos.front();
    infos = infos.drop_front();
    --left;
    if (first.Kind == Descriptor::Vector || first.Kind == Descriptor::SameVecWidthArgument)
      ++left;
    else if (first.Kind == Descriptor::Struct)
      left += first.Struct_NumElements;
  }
}

// `type`, or the pointer type that the tables fix at this place.
llvm::Type* adapt(llvm::Type* type, const Descriptor& info) {
  if (info.Kind == Descriptor::Pointer && type->isPointerTy())
    return llvm::PointerType::get(type->getContext(), info.Pointer_AddressSpace);
  return type;
}

llvm::FunctionType* adapt(llvm::FunctionType* type, llvm::ArrayRef<Descriptor> infos) {
  if (infos.empty())
    return type;
  llvm::Type* result = adapt(type->getReturnType(), infos.front());
  skip(infos);
  llvm::SmallVector<llvm::Type*, 8> parameters;
  bool variadic = false;
  auto given = type->params();
  while (!infos.empty()) {
    if (infos.front().Kind == Descriptor::VarArg) {
      variadic = true;
      break;
    }
    if (infos.front().Kind == Descriptor::Metadata) {
      parameters.push_back(llvm::Type::getMetadataTy(type->getContext()));
    } else {
      if (given.empty())
        return type; // too few: the match fails
      parameters.push_back(adapt(given.front(), infos.front()));
      given = given.drop_front();
    }
    skip(infos);
  }
  if (!variadic)
    parameters.append(given.begin(), given.end()); // too many: the match fails
  return llvm::FunctionType::get(result, parameters, variadic);
}

} // namespace

namespace {

// The types for which an intrinsic is overloaded, if it can have this function type.
std::optional<llvm::SmallVector<llvm::Type*, 4>> match(llvm::Intrinsic::ID id, llvm::FunctionType* type) {
  llvm::SmallVector<Descriptor, 8> infos;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(id, infos);
  llvm::SmallVector<llvm::Type*, 4> overloads;
  if (!llvm::Intrinsic::getIntrinsicSignature(id, adapt(type, infos), overloads))
    return std::nullopt;
  return overloads;
}

// What LLVM's SPIR-V back end makes of a name: '.' is '_', so that "llvm.a.b" and "llvm.a_b" are one. Is `name` the
// intrinsic called `base`, perhaps with the types of an overload behind it ("_i32", "_p1_v2f16")?
bool is_flattened(llvm::StringRef name, llvm::StringRef base, bool overloaded) {
  if (name.size() < base.size() || (name.size() > base.size() && (!overloaded || name[base.size()] != '_')))
    return false;
  for (size_t i = 0; i < base.size(); ++i)
    if (name[i] != (base[i] == '.' ? '_' : base[i]))
      return false;
  llvm::SmallVector<llvm::StringRef, 4> types;
  name.drop_front(std::min(name.size(), base.size() + 1)).split(types, '_', -1, false);
  return std::all_of(types.begin(), types.end(), [](llvm::StringRef type) {
    if (type.consume_front("v"))
      type = type.drop_while(llvm::isDigit);
    return (type.consume_front("bf") || type.consume_front("i") || type.consume_front("f") ||
            type.consume_front("p")) &&
           !type.empty() && llvm::all_of(type, llvm::isDigit);
  });
}

Result<llvm::Intrinsic::ID> find_flattened(ModuleReader& reader, const Inst& inst, llvm::FunctionType* type,
                                           llvm::StringRef name) {
  llvm::StringRef flat = name.drop_front(llvm::StringRef("spirv.").size());
  std::vector<llvm::Intrinsic::ID> found;
  bool known = false;
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
    auto candidate = llvm::Intrinsic::ID(id);
    if (!is_flattened(flat, llvm::Intrinsic::getBaseName(candidate), llvm::Intrinsic::isOverloaded(candidate)))
      continue;
    known = true;
    if (match(candidate, type))
      found.push_back(candidate);
  }
  if (found.size() == 1)
    return found.front();
  if (!known)
    return reader.unsupported(inst, "function " + name.str() + ", which stands for no intrinsic that this LLVM knows");
  if (found.empty())
    return reader.malformed(inst, "function " + name.str() + " does not have the types of the intrinsic it stands for");
  return reader.unsupported(inst, "function " + name.str() + ", which may stand for " +
                                      llvm::Intrinsic::getBaseName(found[0]).str() + " or " +
                                      llvm::Intrinsic::getBaseName(found[1]).str());
}

} // namespace

Result<void> declare_intrinsic(ModuleReader& reader, const Inst& inst, FunctionInfo& info, llvm::StringRef name) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (name.starts_with(flattened_prefix)) {
    KILN_ASSIGN(id, find_flattened(reader, inst, info.type, name));
  }
  if (id == llvm::Intrinsic::not_intrinsic || name.starts_with("llvm.dbg."))
    return reader.unsupported(inst, "intrinsic " + name.str() + ", which this LLVM does not know");
  auto overloads = match(id, info.type);
  if (!overloads)
    return reader.malformed(inst, "intrinsic " + name.str() + " does not have these types");
  info.callee = Callee::intrinsic;
  info.function = llvm::Intrinsic::getOrInsertDeclaration(reader.module.get(), id, *overloads);
  return {};
}

Result<llvm::Function*> ModuleReader::intrinsic(const Inst&, llvm::Intrinsic::ID id,
                                                llvm::ArrayRef<llvm::Type*> overloads) {
  return llvm::Intrinsic::getOrInsertDeclaration(module.get(), id, overloads);
}

} // namespace kiln::translate::reading
