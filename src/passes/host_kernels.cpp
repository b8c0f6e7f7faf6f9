// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host_kernels.h"

#include "passes/host_coroutines.h"
#include "passes/host_entry.h"
#include "passes/host_primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::passes {
using namespace llvm;
using host_abi::Shape;

namespace {

constexpr const char* waiting[] = {host_primitive::cross_lane, host_primitive::rendezvous, host_primitive::end};

} // namespace

bool calls_waiting_primitive(const Function& function) {
  for (const char* name : waiting)
    if (const Function* primitive = function.getParent()->getFunction(name))
      for (const User* user : primitive->users())
        if (auto* call = dyn_cast<CallBase>(user); call && call->getFunction() == &function)
          return true;
  return false;
}

HostArguments lay_out_arguments(const HostKernel& kernel) {
  const DataLayout& layout = kernel.body->getParent()->getDataLayout();
  HostArguments result;
  for (const Argument& parameter : drop_begin(kernel.body->args())) {
    Type* type = parameter.getType();
    uint64_t size = layout.getTypeAllocSize(type);
    Align alignment = layout.getABITypeAlign(type);
    HostArgument argument{parameter.getName().str(), "by_value", "", 0, 0};
    Type* pointee = parameter.getParamByRefType() ? parameter.getParamByRefType() : parameter.getParamByValType();
    if (pointee) {
      size = layout.getTypeAllocSize(pointee);
      alignment = parameter.getParamAlign().value_or(layout.getABITypeAlign(pointee));
    } else if (auto* pointer = dyn_cast<PointerType>(type)) {
      static constexpr const char* spaces[] = {"generic", "global", "", "local", "constant"};
      unsigned space = pointer->getAddressSpace();
      argument.address_space = space < std::size(spaces) ? spaces[space] : "";
      argument.value_kind = space == 3 ? "dynamic_shared_pointer" : "global_buffer";
      if (space == 3) { // an offset in local memory
        size = 4;
        alignment = Align(4);
      }
    }
    result.alignment = std::max<uint32_t>(result.alignment, alignment.value());
    argument.offset = uint32_t(alignTo(result.size, alignment));
    argument.size = uint32_t(size);
    result.size = argument.offset + argument.size;
    result.list.push_back(std::move(argument));
  }
  result.size = uint32_t(alignTo(result.size, 8));
  return result;
}

void inline_waiting_functions(Module& module) {
  SmallVector<Function*, 16> work;
  SmallPtrSet<Function*, 16> seen;
  auto add_callers = [&](Function& callee) {
    for (User* user : callee.users())
      if (auto* call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &callee)
        if (Function* caller = call->getFunction(); seen.insert(caller).second)
          work.push_back(caller);
  };
  for (const char* name : waiting)
    if (Function* primitive = module.getFunction(name))
      add_callers(*primitive);
  while (!work.empty()) {
    Function* function = work.pop_back_val();
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    if (function->hasLocalLinkage())
      function->addFnAttr(Attribute::AlwaysInline);
    function->addFnAttr(Attribute::Convergent);
    for (User* user : function->users())
      if (auto* call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == function) {
        call->removeFnAttr(Attribute::NoInline);
        call->setConvergent();
      }
    add_callers(*function);
  }
}

Result<void> check_waiting_functions(const Module& module, ArrayRef<HostKernel> kernels) {
  for (const Function& function : module) {
    if (any_of(kernels, [&](const HostKernel& kernel) { return kernel.body == &function; }) ||
        !calls_waiting_primitive(function))
      continue;
    std::string where = kernels.size() == 1 ? "kernel '" + kernels[0].name + "' reaches" : "the module has";
    return Error{ErrorCode::unsupported,
                 where + " a barrier or cross-lane operation in '" + function.getName().str() +
                     "', which calls itself or is called through a pointer; the host device can suspend a work-item "
                     "only in functions that are called directly"};
  }
  return {};
}

Shape choose_shape(const HostKernel& kernel) {
  return calls_waiting_primitive(*kernel.body) || waits_for_memory(*kernel.body) ? Shape::coroutines : Shape::loops;
}

namespace host_entry {

Value* field(IRBuilder<>& b, Value* base, uint64_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset);
}

Value* load_constant(IRBuilder<>& b, Type* type, Value* base, uint64_t offset) {
  LoadInst* load = b.CreateAlignedLoad(type, field(b, base, offset), MaybeAlign(1));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return load;
}

std::vector<Value*> load_arguments(IRBuilder<>& b, const HostKernel& kernel, Value* launch, Value* group) {
  HostArguments layout = lay_out_arguments(kernel);
  std::vector<Value*> values;
  Value* block = load_constant(b, b.getPtrTy(), launch, offsetof(host_abi::Launch, kernarg));
  for (const Argument& parameter : drop_begin(kernel.body->args())) {
    const HostArgument& argument = layout.list[parameter.getArgNo() - 1];
    Type* type = parameter.getType();
    if (parameter.hasByRefAttr() || parameter.hasByValAttr()) {
      values.push_back(b.CreateAddrSpaceCast(field(b, block, argument.offset), type));
    } else if (argument.value_kind == "dynamic_shared_pointer") {
      Value* base = load_constant(b, b.getPtrTy(), group, offsetof(host_abi::Group, local));
      Value* offset = load_constant(b, b.getInt32Ty(), block, argument.offset);
      Value* place = b.CreateGEP(b.getInt8Ty(), base, b.CreateZExt(offset, b.getInt64Ty()));
      values.push_back(b.CreateAddrSpaceCast(place, type));
    } else if (type->isIntegerTy() && type->getIntegerBitWidth() % 8) {
      Value* whole = load_constant(b, b.getIntNTy(argument.size * 8), block, argument.offset);
      values.push_back(b.CreateTrunc(whole, type));
    } else {
      values.push_back(load_constant(b, type, block, argument.offset));
    }
  }
  return values;
}

Function* create(const HostKernel& kernel, const std::string& suffix, Type* result, ArrayRef<Type*> parameters) {
  Module& module = *kernel.body->getParent();
  Function* entry = Function::Create(FunctionType::get(result, parameters, false), GlobalValue::InternalLinkage,
                                     kernel.name + suffix, module);
  entry->addFnAttr(Attribute::NoUnwind);
  entry->setUWTableKind(UWTableKind::Async);
  for (unsigned i = 0; i < 2; ++i) {
    entry->addParamAttr(i, Attribute::NonNull);
    entry->addParamAttr(i, Attribute::NoAlias);
  }
  entry->addParamAttr(0, Attribute::ReadOnly);
  entry->getArg(0)->setName("launch");
  entry->getArg(1)->setName("group");
  return entry;
}

void describe(const HostKernel& kernel, Function* entry, Shape shape, unsigned wave_size) {
  Module& module = *entry->getParent();
  IRBuilder<> b(module.getContext());
  Constant* fields[] = {b.getInt32(host_abi::version), b.getInt32(uint32_t(shape)), b.getInt32(wave_size),
                        b.getInt32(0), entry};
  Constant* value = ConstantStruct::getAnon(fields);
  auto* descriptor = new GlobalVariable(module, value->getType(), true, GlobalValue::ExternalLinkage, value,
                                        host_abi::kernel_prefix + kernel.name);
  descriptor->setVisibility(GlobalValue::ProtectedVisibility);
  descriptor->setDSOLocal(true);
}

} // namespace host_entry

Result<void> make_entry(const HostKernel& kernel, Shape shape, const EntryOptions& options) {
  Function* entry = shape == Shape::loops ? make_loops(kernel, options) : nullptr;
  if (shape == Shape::coroutines) {
    KILN_ASSIGN(entry, make_coroutine(kernel));
  }
  kernel.body->eraseFromParent();
  host_entry::describe(kernel, entry, shape, options.wave_size);
  return {};
}

} // namespace kiln::passes
