// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primitives on the host: calls of the functions of host_primitives.h.
#include "passes/amdgcn_intrinsics_lowering.h"
#include "passes/host_primitives.h"

#include <cstddef>

namespace kiln::passes {
using namespace llvm;
using host_abi::Operation;

namespace {

class HostPrimitives final : public Primitives {
public:
  explicit HostPrimitives(Module& module) : module_(module), context_(module.getContext()) {
    i32_ = Type::getInt32Ty(context_);
    i64_ = Type::getInt64Ty(context_);
    ptr_ = PointerType::get(context_, 0);
    void_ = Type::getVoidTy(context_);
  }

  Value* local_id(Builder& b, unsigned dimension) override {
    CallInst* id = pure(b, host_primitive::local_id, i32_, {b.getInt32(dimension)});
    id->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, 1024)));
    return id;
  }
  Value* group_id(Builder& b, unsigned dimension) override {
    return pure(b, host_primitive::group_id, i32_, {b.getInt32(dimension)});
  }
  Value* linear_id(Builder& b) override {
    CallInst* id = pure(b, host_primitive::linear_id, i32_, {});
    id->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, 1024)));
    return id;
  }
  Value* dispatch_ptr(Builder& b) override { return pure(b, host_primitive::launch, ptr_, {}); }
  Value* implicitarg_ptr(Builder& b) override { return launch_field(b, offsetof(host_abi::Launch, implicit)); }
  Value* kernarg_ptr(Builder& b) override {
    return b.CreateLoad(ptr_, launch_field(b, offsetof(host_abi::Launch, kernarg)));
  }
  Value* dispatch_id(Builder& b) override {
    return b.CreateLoad(i64_, launch_field(b, offsetof(host_abi::Launch, dispatch_id)));
  }
  Value* static_local_size(Builder& b) override { return pure(b, host_primitive::static_local_size, i32_, {}); }

  Value* is_shared(Builder& b, Value* pointer) override {
    Value* low = load_group(b, offsetof(host_abi::Group, local));
    Value* group = pure(b, host_primitive::group, ptr_, {});
    Value* size =
        b.CreateLoad(i32_, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), group, offsetof(host_abi::Group, local_size)));
    Value* offset = b.CreateSub(b.CreatePtrToInt(pointer, i64_), b.CreatePtrToInt(low, i64_));
    return b.CreateICmpULT(offset, b.CreateZExt(size, i64_));
  }
  Value* is_private(Builder& b, Value* pointer) override {
    Value* address = b.CreatePtrToInt(pointer, i64_);
    auto inside = [&](size_t low, size_t high) {
      return b.CreateAnd(b.CreateICmpUGE(address, b.CreatePtrToInt(load_group(b, low), i64_)),
                         b.CreateICmpULT(address, b.CreatePtrToInt(load_group(b, high), i64_)));
    };
    return b.CreateOr(inside(offsetof(host_abi::Group, private_low), offsetof(host_abi::Group, private_high)),
                      inside(offsetof(host_abi::Group, frames_low), offsetof(host_abi::Group, frames_high)));
  }

  Value* ballot(Builder& b, Value* condition) override {
    return cross_lane(b, Operation::ballot, b.CreateZExt(condition, i64_), b.getInt32(0), b.getInt64(0));
  }
  Value* first(Builder& b, Value* value) override {
    return like(b, value, cross_lane(b, Operation::first, wide(b, value), b.getInt32(0), b.getInt64(0)));
  }
  Value* gather(Builder& b, Value* value, Value* index, Value* fallback) override {
    return like(b, value, cross_lane(b, Operation::gather, wide(b, value), index, wide(b, fallback)));
  }
  Value* scatter(Builder& b, Value* value, Value* index) override {
    return like(b, value, cross_lane(b, Operation::scatter, wide(b, value), index, b.getInt64(0)));
  }
  Value* reduce(Builder& b, Value* value, Reduction operation) override {
    Value* kind = b.getInt32(uint32_t(operation));
    return like(b, value, cross_lane(b, Operation::reduce, wide(b, value), kind, b.getInt64(0)));
  }
  void barrier(Builder& b) override { meet(b, Operation::barrier); }
  void wave_barrier(Builder& b) override { meet(b, Operation::rendezvous); }
  void yield(Builder& b) override { meet(b, Operation::yield); }

  void trap(Builder& b) override {
    FunctionCallee callee = declare(host_primitive::trap, void_, {i32_});
    CallInst* call = b.CreateCall(callee, {b.getInt32(uint32_t(host_abi::Trap::trap))});
    call->setDoesNotReturn();
  }
  void end_program(Builder& b) override {
    CallInst* call = b.CreateCall(declare(host_primitive::end, void_, {}));
    call->setConvergent();
  }
  Value* cycle_counter(Builder& b) override { return b.CreateIntrinsic(i64_, Intrinsic::readcyclecounter, {}); }
  Value* steady_counter(Builder& b) override { return b.CreateCall(declare(host_primitive::clock, i64_, {})); }

private:
  FunctionCallee declare(StringRef name, Type* result, ArrayRef<Type*> parameters) {
    FunctionCallee callee = module_.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
    cast<Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  }
  CallInst* pure(Builder& b, StringRef name, Type* result, ArrayRef<Value*> arguments) {
    SmallVector<Type*, 2> types;
    for (Value* argument : arguments)
      types.push_back(argument->getType());
    FunctionCallee callee = declare(name, result, types);
    auto* function = cast<Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    function->setSpeculatable();
    return b.CreateCall(callee, arguments);
  }
  Value* launch_field(Builder& b, uint64_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), pure(b, host_primitive::launch, ptr_, {}), offset);
  }
  Value* load_group(Builder& b, uint64_t offset) {
    Value* group = pure(b, host_primitive::group, ptr_, {});
    return b.CreateLoad(ptr_, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), group, offset));
  }
  Value* wide(Builder& b, Value* value) { return b.CreateZExt(value, i64_); }
  Value* like(Builder& b, Value* value, Value* result) { return b.CreateTrunc(result, value->getType()); }

  // Convergent: not to be made dependent on other conditions. No merge: two sites stay two. It reads and writes no
  // memory of the program's, as on AMD: what other lanes did in between is seen only after a barrier or fence.
  Value* cross_lane(Builder& b, Operation operation, Value* value, Value* index, Value* result) {
    FunctionCallee callee = declare(host_primitive::cross_lane, i64_, {i32_, i64_, i32_, i64_});
    auto* function = cast<Function>(callee.getCallee());
    function->setConvergent();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    CallInst* call = b.CreateCall(callee, {b.getInt32(uint32_t(operation)), value, index, result});
    call->addFnAttr(Attribute::NoMerge);
    return call;
  }
  void meet(Builder& b, Operation operation) {
    FunctionCallee callee = declare(host_primitive::rendezvous, void_, {i32_});
    cast<Function>(callee.getCallee())->setConvergent();
    CallInst* call = b.CreateCall(callee, {b.getInt32(uint32_t(operation))});
    call->addFnAttr(Attribute::NoMerge);
  }

  Module& module_;
  LLVMContext& context_;
  Type *i32_, *i64_, *ptr_, *void_;
};

} // namespace

std::unique_ptr<Primitives> make_host_primitives(Module& module) {
  return std::make_unique<HostPrimitives>(module);
}

} // namespace kiln::passes
