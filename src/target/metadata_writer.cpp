// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/metadata_writer.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace kiln::target {
namespace {

// Bytes of the LDS variables that a kernel reaches through calls.
uint64_t static_local_size(const llvm::Function& kernel, unsigned local_space) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  llvm::SmallVector<const llvm::Value*, 32> work{&kernel};
  llvm::SmallPtrSet<const llvm::Value*, 32> seen{&kernel};
  uint64_t size = 0;
  auto visit = [&](const llvm::Value* value) {
    if (llvm::isa<llvm::Constant>(value) && seen.insert(value).second)
      work.push_back(value);
  };
  while (!work.empty()) {
    const llvm::Value* value = work.pop_back_val();
    if (auto* function = llvm::dyn_cast<llvm::Function>(value)) {
      for (const llvm::Instruction& instruction : llvm::instructions(*function))
        for (const llvm::Use& operand : instruction.operands())
          visit(operand.get());
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
      if (variable->getAddressSpace() == local_space) {
        llvm::Align align = variable->getAlign().value_or(layout.getABITypeAlign(variable->getValueType()));
        size = llvm::alignTo(size, align) + layout.getTypeAllocSize(variable->getValueType());
      }
    } else if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
      for (const llvm::Use& operand : constant->operands())
        visit(operand.get());
    }
  }
  return size;
}

unsigned max_block_size(const llvm::Function& kernel) {
  for (const char* kind : {"reqd_work_group_size", "max_work_group_size"})
    if (const llvm::MDNode* node = kernel.getMetadata(kind)) {
      uint64_t size = 1;
      for (const llvm::MDOperand& operand : node->operands())
        if (auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand))
          size *= value->getZExtValue();
      if (size >= 1 && size <= 1024)
        return static_cast<unsigned>(size);
    }
  return 1024;
}

} // namespace

KernelDescription describe_kernel(const llvm::Function& kernel, unsigned local_space) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  KernelDescription description;
  description.name = description.symbol = kernel.getName().str();
  uint64_t offset = 0;
  llvm::Align most(4);
  for (const llvm::Argument& argument : kernel.args()) {
    llvm::Type* type = argument.getType();
    llvm::MaybeAlign asked;
    llvm::Type* pointee = argument.getParamByRefType() ? argument.getParamByRefType() : argument.getParamByValType();
    if (pointee) {
      type = pointee;
      asked = argument.getParamAlign();
    }
    llvm::Align align = asked.value_or(layout.getABITypeAlign(type));
    most = std::max(most, align);
    offset = llvm::alignTo(offset, align);
    ArgumentDescription one;
    one.name = argument.getName().str();
    one.offset = offset;
    one.size = layout.getTypeAllocSize(type);
    one.value_kind = "by_value";
    if (!pointee && type->isPointerTy()) {
      bool local = type->getPointerAddressSpace() == local_space;
      one.value_kind = local ? "dynamic_shared_pointer" : "global_buffer";
      one.address_space = local ? "local" : type->getPointerAddressSpace() == 0 ? "generic" : "global";
    }
    offset += one.size;
    description.arguments.push_back(std::move(one));
  }
  description.kernarg_size = llvm::alignTo(offset, most);
  description.kernarg_align = std::max<uint64_t>(most.value(), 8);
  description.group_size = static_local_size(kernel, local_space);
  description.max_block_size = max_block_size(kernel);
  return description;
}

Bytes write_kernel_metadata(const std::string& target, const std::vector<KernelDescription>& kernels) {
  llvm::msgpack::Document document;
  auto text = [&](const std::string& value) { return document.getNode(value, /*Copy=*/true); };
  auto number = [&](uint64_t value) { return document.getNode(value); };
  auto root = document.getRoot().getMap(/*Convert=*/true);
  auto version = document.getArrayNode();
  version.push_back(number(1));
  version.push_back(number(2));
  root["amdhsa.version"] = version;
  root["amdhsa.target"] = text(target);
  auto list = document.getArrayNode();
  for (const KernelDescription& kernel : kernels) {
    auto map = document.getMapNode();
    map[".name"] = text(kernel.name);
    map[".symbol"] = text(kernel.symbol);
    map[".kernarg_segment_size"] = number(kernel.kernarg_size);
    map[".kernarg_segment_align"] = number(kernel.kernarg_align);
    map[".group_segment_fixed_size"] = number(kernel.group_size);
    map[".private_segment_fixed_size"] = number(kernel.private_size);
    map[".wavefront_size"] = number(kernel.wave_size);
    map[".max_flat_workgroup_size"] = number(kernel.max_block_size);
    auto arguments = document.getArrayNode();
    for (const ArgumentDescription& argument : kernel.arguments) {
      auto one = document.getMapNode();
      if (!argument.name.empty())
        one[".name"] = text(argument.name);
      one[".offset"] = number(argument.offset);
      one[".size"] = number(argument.size);
      one[".value_kind"] = text(argument.value_kind);
      if (!argument.address_space.empty())
        one[".address_space"] = text(argument.address_space);
      arguments.push_back(one);
    }
    map[".args"] = arguments;
    list.push_back(map);
  }
  root["amdhsa.kernels"] = list;
  std::string bytes;
  document.writeToBlob(bytes);
  auto view = as_bytes(bytes);
  return {view.begin(), view.end()};
}

} // namespace kiln::target
