// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/remap_address_spaces.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace kiln::passes {
namespace {

// Rewrites types. Identified structs that contain a renumbered pointer become new structs of the same name.
class TypeMap final : public llvm::ValueMapTypeRemapper {
public:
  TypeMap(const AddressSpaces& from, const AddressSpaces& to) : from_(from), to_(to) {}

  [[nodiscard]] unsigned space(unsigned number) const {
    static constexpr unsigned AddressSpaces::* const spaces[] = {
        &AddressSpaces::private_, &AddressSpaces::global,  &AddressSpaces::constant,
        &AddressSpaces::local,    &AddressSpaces::generic, &AddressSpaces::function,
    };
    for (auto member : spaces)
      if (from_.*member == number)
        return to_.*member;
    return number;
  }

  llvm::Type* remapType(llvm::Type* type) override {
    if (auto found = done_.find(type); found != done_.end())
      return found->second;
    llvm::Type* result = type;
    if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(type)) {
      result = llvm::PointerType::get(type->getContext(), space(pointer->getAddressSpace()));
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      result = llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    } else if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) {
      result = llvm::VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    } else if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      llvm::SmallVector<llvm::Type*> parameters;
      for (llvm::Type* parameter : function->params())
        parameters.push_back(remapType(parameter));
      result = llvm::FunctionType::get(remapType(function->getReturnType()), parameters, function->isVarArg());
    } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type); structure && !structure->isOpaque()) {
      llvm::SmallVector<llvm::Type*> elements;
      bool same = true;
      for (llvm::Type* element : structure->elements()) {
        elements.push_back(remapType(element));
        same &= elements.back() == element;
      }
      if (!same)
        result = structure->isLiteral() ? llvm::StructType::get(type->getContext(), elements, structure->isPacked())
                                        : llvm::StructType::create(type->getContext(), elements, structure->getName(),
                                                                   structure->isPacked());
    }
    done_[type] = result;
    return result;
  }

private:
  AddressSpaces from_, to_;
  llvm::DenseMap<llvm::Type*, llvm::Type*> done_;
};

// Two spaces may have become one; a cast between them is then no cast.
void drop_identity_casts(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
          cast && cast->getSrcTy() == cast->getDestTy()) {
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      }
}

// llvm.memcpy.p0.p5.i64 must follow its operand types to llvm.memcpy.p0.p0.i64.
void rename_intrinsics(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.isIntrinsic())
      if (auto right = llvm::Intrinsic::remangleIntrinsicFunction(&function)) {
        function.replaceAllUsesWith(*right);
        function.eraseFromParent();
      }
}

} // namespace

Result<std::unique_ptr<llvm::Module>> remap_address_spaces(const llvm::Module& module, const AddressSpaces& from,
                                                           const AddressSpaces& to, const std::string& triple,
                                                           const std::string& data_layout) {
  auto result = std::make_unique<llvm::Module>(module.getModuleIdentifier(), module.getContext());
  result->setTargetTriple(llvm::Triple(triple));
  result->setDataLayout(data_layout);
  TypeMap types(from, to);
  llvm::ValueToValueMapTy values;

  // First all globals without their bodies, so that bodies may refer to any of them.
  for (const llvm::GlobalVariable& variable : module.globals()) {
    auto* copy = new llvm::GlobalVariable(*result, types.remapType(variable.getValueType()), variable.isConstant(),
                                          variable.getLinkage(), nullptr, variable.getName(), nullptr,
                                          variable.getThreadLocalMode(), types.space(variable.getAddressSpace()));
    copy->copyAttributesFrom(&variable);
    values[&variable] = copy;
  }
  for (const llvm::Function& function : module) {
    auto* copy = llvm::Function::Create(llvm::cast<llvm::FunctionType>(types.remapType(function.getFunctionType())),
                                        function.getLinkage(), types.space(function.getAddressSpace()),
                                        function.getName(), result.get());
    copy->copyAttributesFrom(&function);
    values[&function] = copy;
  }
  if (!module.alias_empty() || !module.ifunc_empty())
    return Error{ErrorCode::unsupported, "renumbering address spaces of '" + module.getModuleIdentifier() +
                                             "': aliases are not handled, replace each by what it stands for"};

  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.hasInitializer())
      llvm::cast<llvm::GlobalVariable>(values[&variable])
          ->setInitializer(llvm::MapValue(variable.getInitializer(), values, llvm::RF_None, &types));
  for (const llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    auto* copy = llvm::cast<llvm::Function>(values[&function]);
    for (auto [argument, new_argument] : llvm::zip(function.args(), copy->args())) {
      new_argument.setName(argument.getName());
      values[&argument] = &new_argument;
    }
    llvm::SmallVector<llvm::ReturnInst*> returns;
    llvm::CloneFunctionInto(copy, &function, values, llvm::CloneFunctionChangeType::DifferentModule, returns, "",
                            nullptr, &types);
  }
  for (const llvm::NamedMDNode& node : module.named_metadata()) {
    llvm::NamedMDNode* copy = result->getOrInsertNamedMetadata(node.getName());
    for (const llvm::MDNode* operand : node.operands())
      copy->addOperand(llvm::MapMetadata(operand, values, llvm::RF_None, &types));
  }
  // Cloning a function leaves an empty list of debug information, of which LLVM would say that it has no version.
  if (llvm::NamedMDNode* units = result->getNamedMetadata("llvm.dbg.cu"); units && units->getNumOperands() == 0)
    units->eraseFromParent();
  drop_identity_casts(*result);
  rename_intrinsics(*result);

  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*result, &stream))
    return Error{ErrorCode::unsupported,
                 "renumbering address spaces of '" + module.getModuleIdentifier() + "' gave invalid code: " + problem};
  return result;
}

} // namespace kiln::passes
