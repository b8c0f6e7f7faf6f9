// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host_context.h"

#include "passes/host_memory.h"
#include "passes/host_primitives.h"
#include "support/host_abi.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace kiln::passes {
using namespace llvm;
using namespace host_abi;

namespace {

// A service: the name a program uses, its name while it must not be linked, and its place among the callbacks.
struct Service {
  const char* name;
  const char* claimed;
  size_t offset;
  bool returns; // false: the call never comes back
};
constexpr Service services[] = {
    {host_primitive::trap, nullptr, offsetof(Callbacks, trap), false},
    {host_primitive::clock, nullptr, offsetof(Callbacks, clock), true},
    {"__kiln_assert_fail", "kiln.host.assert_fail", offsetof(Callbacks, assert_fail), false},
    {"__ockl_printf_begin", "kiln.host.printf_begin", offsetof(Callbacks, output_begin), true},
    {"__ockl_printf_append_args", "kiln.host.printf_append_args", offsetof(Callbacks, printf_append_args), true},
    {"__ockl_printf_append_string_n", "kiln.host.printf_append_string", offsetof(Callbacks, printf_append_string),
     true},
    {"__ockl_fprintf_stdout_begin", "kiln.host.output_begin", offsetof(Callbacks, output_begin), true},
    {"__ockl_fprintf_stderr_begin", "kiln.host.error_begin", offsetof(Callbacks, error_begin), true},
    {"__ockl_fprintf_append_args", "kiln.host.fprintf_append_args", offsetof(Callbacks, printf_append_args), true},
    {"__ockl_fprintf_append_string_n", "kiln.host.fprintf_append_string", offsetof(Callbacks, printf_append_string),
     true},
    {"__ockl_dm_alloc", "kiln.host.allocate", offsetof(Callbacks, allocate), true},
    {"__ockl_dm_dealloc", "kiln.host.deallocate", offsetof(Callbacks, deallocate), true},
};
const Service* find_service(StringRef name) {
  for (const Service& service : services)
    if (name == (service.claimed ? service.claimed : service.name))
      return &service;
  return nullptr;
}

// The product of the launch bounds, whichever way they were written; 1024 without any.
unsigned max_block_size(const Function& kernel) {
  for (const char* kind : {"reqd_work_group_size", "max_work_group_size"})
    if (MDNode* node = kernel.getMetadata(kind)) {
      uint64_t product = 1;
      for (const MDOperand& operand : node->operands())
        if (auto* number = mdconst::dyn_extract_or_null<ConstantInt>(operand))
          product *= number->getZExtValue();
      return unsigned(std::min<uint64_t>(product, 1024));
    }
  Attribute range = kernel.getFnAttribute("amdgpu-flat-work-group-size");
  unsigned most = 1024;
  if (range.isStringAttribute())
    (void)range.getValueAsString().split(',').second.getAsInteger(10, most);
  return std::min(most, 1024u);
}

class ContextPass {
public:
  ContextPass(Module& module, std::optional<uint32_t> static_local_size)
      : module_(module), static_local_size_(static_local_size), ptr_(PointerType::get(module.getContext(), 0)) {}

  Result<std::vector<HostKernel>> run() {
    SmallVector<Function*, 32> defined;
    for (Function& function : module_)
      if (!function.isDeclaration())
        defined.push_back(&function);
    std::vector<HostKernel> kernels;
    for (Function* function : defined) {
      bool kernel = is_host_kernel(*function);
      unsigned bound = kernel ? max_block_size(*function) : 0;
      std::string name = function->getName().str();
      Function* with_item = add_parameter(*function);
      if (kernel) {
        with_item->setName(name + ".body");
        with_item->setLinkage(GlobalValue::ExternalLinkage);
        kernels.push_back({name, with_item, bound});
      }
      done_.push_back(with_item);
    }
    for (Function* function : done_)
      KILN_TRY(rewrite_calls(*function));
    return kernels;
  }

private:
  Function* add_parameter(Function& old) {
    SmallVector<Type*, 8> parameters{ptr_};
    append_range(parameters, old.getFunctionType()->params());
    auto* type = FunctionType::get(old.getReturnType(), parameters, old.isVarArg());
    Function* made = Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", &module_);
    made->takeName(&old);
    made->copyAttributesFrom(&old);
    made->setAttributes(shift(old.getAttributes(), old.arg_size()));
    made->setCallingConv(CallingConv::C);
    made->setComdat(nullptr);
    made->setVisibility(GlobalValue::DefaultVisibility);
    made->splice(made->begin(), &old);
    auto argument = made->arg_begin();
    argument->setName("item");
    for (Argument& parameter : old.args()) {
      (++argument)->takeName(&parameter);
      parameter.replaceAllUsesWith(&*argument);
    }
    old.replaceAllUsesWith(made);
    old.eraseFromParent();
    return made;
  }

  AttributeList shift(AttributeList attributes, unsigned count) {
    LLVMContext& context = module_.getContext();
    SmallVector<AttributeSet, 8> parameters{AttributeSet()};
    for (unsigned i = 0; i < count; ++i)
      parameters.push_back(attributes.getParamAttrs(i));
    // What the function said about its memory leaves the item and the callbacks out; allocsize counts parameters.
    AttributeSet function = attributes.getFnAttrs()
                                .removeAttribute(context, Attribute::Memory)
                                .removeAttribute(context, Attribute::AllocSize);
    return AttributeList::get(context, function, attributes.getRetAttrs(), parameters);
  }

  Result<void> rewrite_calls(Function& function) {
    Value* item = function.getArg(0);
    SmallVector<CallBase*, 16> calls;
    for (Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<CallBase>(&instruction))
        calls.push_back(call);
    for (CallBase* call : calls) {
      if (isa<InlineAsm>(call->getCalledOperand()))
        continue;
      auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
      if (!callee || !callee->isDeclaration()) {
        call_with_item(*call, item, call->getCalledOperand());
        continue;
      }
      if (callee->isIntrinsic())
        continue;
      IRBuilder<> b(call);
      if (const Service* service = find_service(callee->getName()))
        call_service(*call, b, item, *service);
      else if (Value* value = read_item(*call, b, item, callee->getName())) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
    }
    return {};
  }

  CallInst* call_with_item(CallBase& call, Value* item, Value* callee) {
    SmallVector<Type*, 8> parameters{ptr_};
    append_range(parameters, call.getFunctionType()->params());
    auto* type = FunctionType::get(call.getType(), parameters, call.getFunctionType()->isVarArg());
    SmallVector<Value*, 8> arguments{item};
    append_range(arguments, call.args());
    IRBuilder<> b(&call);
    CallInst* made = b.CreateCall(type, callee, arguments);
    made->setAttributes(shift(call.getAttributes(), call.arg_size()));
    made->copyMetadata(call);
    if (isa<FPMathOperator>(made))
      made->copyFastMathFlags(&call);
    made->setCallingConv(CallingConv::C);
    call.replaceAllUsesWith(made);
    call.eraseFromParent();
    return made;
  }

  void call_service(CallBase& call, IRBuilder<>& b, Value* item, const Service& service) {
    Value* table = invariant(b, ptr_, field(b, launch(b, item), offsetof(Launch, callbacks)));
    Value* entry = invariant(b, ptr_, field(b, table, service.offset));
    for (Use& argument : call.args()) // the executor knows plain pointers only
      if (argument->getType()->isPointerTy())
        argument.set(b.CreateAddrSpaceCast(argument.get(), ptr_));
    SmallVector<Type*, 8> parameters; // more of them than the callback takes do no harm: printf's version
    for (Use& argument : call.args())
      parameters.push_back(argument->getType());
    call.mutateFunctionType(FunctionType::get(call.getType(), parameters, false));
    call.setAttributes({});
    CallInst* made = call_with_item(call, item, entry);
    made->setDoesNotThrow();
    if (!service.returns)
      made->setDoesNotReturn();
  }

  // What a primitive that only reads the item is replaced by; null for the others.
  Value* read_item(CallBase& call, IRBuilder<>& b, Value* item, StringRef name) {
    auto dimension = [&] { return cast<ConstantInt>(call.getArgOperand(0))->getZExtValue(); };
    auto below = [&](Value* value) {
      cast<LoadInst>(value)->setMetadata(LLVMContext::MD_range,
                                         MDBuilder(b.getContext()).createRange(APInt(32, 0), APInt(32, 1024)));
      return value;
    };
    if (name == host_primitive::item)
      return item;
    if (name == host_primitive::launch)
      return launch(b, item);
    if (name == host_primitive::group)
      return group(b, item);
    if (name == host_primitive::local_id)
      return below(b.CreateLoad(b.getInt32Ty(), field(b, item, offsetof(WorkItem, id) + 4 * dimension())));
    if (name == host_primitive::linear_id)
      return below(b.CreateLoad(b.getInt32Ty(), field(b, item, offsetof(WorkItem, linear))));
    if (name == host_primitive::group_id)
      return invariant(b, b.getInt32Ty(), field(b, group(b, item), offsetof(Group, id) + 4 * dimension()));
    if (name == host_primitive::static_local_size)
      return static_local_size_ ? b.getInt32(*static_local_size_) : launch_local_size(b, launch(b, item));
    return nullptr;
  }

  Value* field(IRBuilder<>& b, Value* base, uint64_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset);
  }
  Value* invariant(IRBuilder<>& b, Type* type, Value* address) {
    LoadInst* load = b.CreateLoad(type, address);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
    return load;
  }
  Value* launch(IRBuilder<>& b, Value* item) { return b.CreateLoad(ptr_, field(b, item, offsetof(WorkItem, launch))); }
  Value* group(IRBuilder<>& b, Value* item) { return b.CreateLoad(ptr_, field(b, item, offsetof(WorkItem, group))); }

  Module& module_;
  std::optional<uint32_t> static_local_size_;
  PointerType* ptr_;
  SmallVector<Function*, 32> done_;
};

} // namespace

void claim_host_services(Module& module) {
  for (const Service& service : services)
    if (Function* function = service.claimed ? module.getFunction(service.name) : nullptr;
        function && function->isDeclaration())
      function->setName(service.claimed);
}

bool is_host_kernel(const Function& function) {
  return function.getCallingConv() == CallingConv::SPIR_KERNEL ||
         function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

Result<std::vector<HostKernel>> thread_work_item(Module& module, std::optional<uint32_t> static_local_size) {
  return ContextPass(module, static_local_size).run();
}

} // namespace kiln::passes
