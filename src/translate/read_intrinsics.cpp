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

Result<void> declare_intrinsic(ModuleReader& reader, const Inst& inst, FunctionInfo& info, llvm::StringRef name) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic || name.starts_with("llvm.dbg."))
    return reader.unsupported(inst, "intrinsic " + name.str() + ", which this LLVM does not know");
  llvm::SmallVector<Descriptor, 8> infos;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(id, infos);
  llvm::FunctionType* type = adapt(info.type, infos);
  llvm::SmallVector<llvm::Type*, 4> overloads;
  if (!llvm::Intrinsic::getIntrinsicSignature(id, type, overloads))
    return reader.malformed(inst, "intrinsic " + name.str() + " does not have these types");
  info.callee = Callee::intrinsic;
  info.function = llvm::Intrinsic::getOrInsertDeclaration(reader.module.get(), id, overloads);
  return {};
}

Result<llvm::Function*> ModuleReader::intrinsic(const Inst&, llvm::Intrinsic::ID id,
                                                llvm::ArrayRef<llvm::Type*> overloads) {
  return llvm::Intrinsic::getOrInsertDeclaration(module.get(), id, overloads);
}

} // namespace kiln::translate::reading
