// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host_coroutines.h"

#include "passes/host_entry.h"
#include "passes/host_primitives.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

namespace kiln::passes {
using namespace llvm;
using host_abi::Operation;
using host_abi::Slot;
using host_abi::WorkItem;

namespace {

constexpr char site_kind[] = "kiln.site";

bool is_site(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == host_primitive::cross_lane || callee->getName() == host_primitive::rendezvous);
}

// Reads memory in the hope that somebody else changes it, or tries to take a lock: other waves must get their turn.
bool may_spin(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic();
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return isa<Constant>(exchange->getNewValOperand());
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getOperation() == AtomicRMWInst::Xchg || update->getOperation() == AtomicRMWInst::Or ||
           (isa<Constant>(update->getValOperand()) && cast<Constant>(update->getValOperand())->isNullValue());
  return false;
}

template <class Test> bool any_in(const Loop& loop, Test test) {
  return any_of(loop.blocks(), [&](BasicBlock* block) { return any_of(*block, test); });
}

// Was the value computed inside of the loop from what may_spin()?
bool comes_from_spinning(const Value* value, const Loop& loop) {
  SmallVector<const Value*, 16> work{value};
  SmallPtrSet<const Value*, 16> seen{value};
  while (!work.empty()) {
    auto* instruction = dyn_cast<Instruction>(work.pop_back_val());
    if (!instruction || !loop.contains(instruction))
      continue;
    if (may_spin(*instruction))
      return true;
    for (const Value* operand : instruction->operands())
      if (seen.insert(operand).second)
        work.push_back(operand);
  }
  return false;
}

void add_latch_sites(Function& body, LoopInfo& loops) {
  Module& module = *body.getParent();
  IRBuilder<> b(module.getContext());
  FunctionCallee meet =
      module.getOrInsertFunction(host_primitive::rendezvous, FunctionType::get(b.getVoidTy(), {b.getInt32Ty()}, false));
  for (Loop* loop : loops.getLoopsInPreorder()) {
    bool spins = any_in(*loop, may_spin);
    if (!spins && !any_in(*loop, is_site))
      continue;
    b.SetInsertPoint(loop->getLoopLatch()->getTerminator());
    b.CreateCall(meet, {b.getInt32(uint32_t(spins ? Operation::yield : Operation::rendezvous))});
  }
}

// Blocks of `loop` (of the function, if null) in an order where inner loops are contiguous.
void order_blocks(Loop* loop, ArrayRef<BasicBlock*> blocks, LoopInfo& loops, std::vector<BasicBlock*>& order) {
  for (BasicBlock* block : blocks) {
    Loop* inner = loops.getLoopFor(block);
    if (inner == loop) {
      order.push_back(block);
      continue;
    }
    if (inner && inner->getHeader() == block && inner->getParentLoop() == loop) {
      SmallVector<BasicBlock*, 16> inside;
      copy_if(blocks, std::back_inserter(inside), [&](BasicBlock* b) { return inner->contains(b); });
      order_blocks(inner, inside, loops, order);
    }
  }
}

// The coroutine around the body: everything is in `item`'s function.
class Builder {
public:
  explicit Builder(const HostKernel& kernel) : kernel_(kernel), b_(kernel.body->getContext()) {}

  Result<Function*> run() {
    for (const Instruction& instruction : instructions(*kernel_.body))
      if (auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && !alloca->isStaticAlloca())
        return Error{ErrorCode::unsupported, "kernel '" + kernel_.name +
                                                 "' has a variable-length array and a barrier or cross-lane operation; "
                                                 "give the array a constant size"};
    begin();
    InlineFunctionInfo info;
    CallInst* call = call_body();
    InlineFunction(*call, info);
    SmallVector<CallInst*, 32> sites, ends;
    for (Instruction& instruction : instructions(*entry_)) {
      auto* inner = dyn_cast<CallInst>(&instruction);
      if (is_site(instruction))
        sites.push_back(inner);
      else if (inner && inner->getCalledFunction() && inner->getCalledFunction()->getName() == host_primitive::end)
        ends.push_back(inner);
    }
    for (CallInst* site : sites)
      suspend(*site);
    for (CallInst* end : ends)
      leave(*end);
    return entry_;
  }

private:
  void begin() {
    Type* ptr = b_.getPtrTy();
    Type* word = b_.getInt32Ty();
    entry_ = host_entry::create(kernel_, ".item", ptr, {ptr, ptr, ptr, word, word, word});
    entry_->setPresplitCoroutine();
    slot_ = entry_->getArg(2);
    entry_->addParamAttr(2, Attribute::NoAlias);
    b_.SetInsertPoint(BasicBlock::Create(b_.getContext(), "entry", entry_));
    finish_ = BasicBlock::Create(b_.getContext(), "finish", entry_);
    exit_ = BasicBlock::Create(b_.getContext(), "exit", entry_);

    Value *launch = entry_->getArg(0), *group = entry_->getArg(1), *none = ConstantPointerNull::get(b_.getPtrTy());
    item_ = b_.CreateAlloca(ArrayType::get(b_.getInt64Ty(), sizeof(WorkItem) / 8));
    Value* id =
        b_.CreateIntrinsic(Intrinsic::coro_id, ArrayRef<Type*>{}, ArrayRef<Value*>{b_.getInt32(16), none, none, none});
    Value* size = b_.CreateIntrinsic(Intrinsic::coro_size, ArrayRef<Type*>{b_.getInt64Ty()}, ArrayRef<Value*>{});
    Value* alignment = b_.CreateIntrinsic(Intrinsic::coro_align, ArrayRef<Type*>{b_.getInt64Ty()}, ArrayRef<Value*>{});
    Value* callbacks = host_entry::load_constant(b_, ptr, launch, offsetof(host_abi::Launch, callbacks));
    Value* allocate = host_entry::load_constant(b_, ptr, callbacks, offsetof(host_abi::Callbacks, frame));
    auto* type = FunctionType::get(ptr, {ptr, b_.getInt64Ty(), b_.getInt64Ty()}, false);
    Value* frame = b_.CreateCall(type, allocate, {group, size, alignment});
    Value* handle = b_.CreateIntrinsic(Intrinsic::coro_begin, ArrayRef<Type*>{}, ArrayRef<Value*>{id, frame});

    IRBuilder<> tail(finish_);
    tail.CreateStore(tail.getInt32(host_abi::finished), host_entry::field(tail, slot_, offsetof(Slot, site)));
    tail.CreateBr(exit_);
    tail.SetInsertPoint(exit_);
    tail.CreateIntrinsic(Intrinsic::coro_end, ArrayRef<Type*>{},
                         ArrayRef<Value*>{handle, tail.getFalse(), ConstantTokenNone::get(tail.getContext())});
    tail.CreateRet(handle);
  }

  CallInst* call_body() {
    Value *launch = entry_->getArg(0), *group = entry_->getArg(1);
    auto set = [&](uint64_t offset, Value* value) { b_.CreateStore(value, host_entry::field(b_, item_, offset)); };
    set(offsetof(WorkItem, launch), launch);
    set(offsetof(WorkItem, group), group);
    set(offsetof(WorkItem, slot), slot_);
    for (unsigned d = 0; d < 3; ++d)
      set(offsetof(WorkItem, id) + 4 * d, entry_->getArg(3 + d));
    auto size = [&](unsigned d) {
      uint64_t offset = offsetof(host_abi::Launch, packet) + offsetof(host_abi::DispatchPacket, workgroup_size) + 2 * d;
      return b_.CreateZExt(host_entry::load_constant(b_, b_.getInt16Ty(), launch, offset), b_.getInt32Ty());
    };
    Value* row = b_.CreateAdd(entry_->getArg(4), b_.CreateMul(entry_->getArg(5), size(1)));
    set(offsetof(WorkItem, linear), b_.CreateAdd(entry_->getArg(3), b_.CreateMul(row, size(0))));
    std::vector<Value*> arguments{item_};
    for (Value* value : host_entry::load_arguments(b_, kernel_, launch, group))
      arguments.push_back(value);
    CallInst* call = b_.CreateCall(kernel_.body, arguments);
    b_.CreateBr(finish_);
    return call;
  }

  // site: tell the slot, suspend; on resumption the result is in the slot.
  void suspend(CallInst& call) {
    b_.SetInsertPoint(&call);
    auto* number = mdconst::extract<ConstantInt>(call.getMetadata(site_kind)->getOperand(0));
    auto set = [&](uint64_t offset, Value* value) { b_.CreateStore(value, host_entry::field(b_, slot_, offset)); };
    set(offsetof(Slot, site), number);
    set(offsetof(Slot, operation), call.getArgOperand(0));
    if (call.arg_size() > 1) {
      set(offsetof(Slot, value), call.getArgOperand(1));
      set(offsetof(Slot, index), call.getArgOperand(2));
      set(offsetof(Slot, result), call.getArgOperand(3));
    }
    Value* none = ConstantTokenNone::get(b_.getContext());
    Value* state =
        b_.CreateIntrinsic(Intrinsic::coro_suspend, ArrayRef<Type*>{}, ArrayRef<Value*>{none, b_.getFalse()});
    BasicBlock* before = call.getParent();
    BasicBlock* after = before->splitBasicBlock(call.getIterator());
    before->getTerminator()->eraseFromParent();
    b_.SetInsertPoint(before);
    SwitchInst* choice = b_.CreateSwitch(state, exit_, 2);
    choice->addCase(b_.getInt8(0), after);
    choice->addCase(b_.getInt8(1), exit_); // destruction: the executor never asks for it
    if (!call.getType()->isVoidTy()) {
      b_.SetInsertPoint(&call);
      call.replaceAllUsesWith(b_.CreateLoad(call.getType(), host_entry::field(b_, slot_, offsetof(Slot, result))));
    }
    call.eraseFromParent();
  }

  void leave(CallInst& call) {
    BasicBlock* block = call.getParent();
    block->splitBasicBlock(call.getIterator()); // what follows is unreachable and goes
    block->getTerminator()->eraseFromParent();
    b_.SetInsertPoint(block);
    b_.CreateBr(finish_);
    call.eraseFromParent();
  }

  const HostKernel& kernel_;
  IRBuilder<> b_;
  Function* entry_ = nullptr;
  Value *slot_ = nullptr, *item_ = nullptr;
  BasicBlock *finish_ = nullptr, *exit_ = nullptr;
};

} // namespace

bool waits_for_memory(const Function& body) {
  DominatorTree tree(const_cast<Function&>(body)); // only reads
  LoopInfo loops(tree);
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting)
      if (any_of(block->getTerminator()->operands(), [&](const Value* operand) {
            return !isa<BasicBlock>(operand) && comes_from_spinning(operand, *loop);
          }))
        return true;
  }
  return false;
}

void number_sites(Function& body, FunctionAnalysisManager& analyses) {
  FunctionPassManager passes;
  {
    LoopInfo loops{DominatorTree(body)};
    ReversePostOrderTraversal<Function*> order(&body);
    if (containsIrreducibleCFG<const BasicBlock*>(order, loops)) {
      passes.addPass(LowerSwitchPass());
      passes.addPass(FixIrreduciblePass());
    }
  }
  passes.addPass(LoopSimplifyPass());
  passes.run(body, analyses);
  analyses.invalidate(body, PreservedAnalyses::none());

  LoopInfo loops{DominatorTree(body)};
  add_latch_sites(body, loops);
  ReversePostOrderTraversal<Function*> traversal(&body);
  std::vector<BasicBlock*> blocks(traversal.begin(), traversal.end()), order;
  order_blocks(nullptr, blocks, loops, order);
  uint32_t site = 0;
  LLVMContext& context = body.getContext();
  auto* i32 = Type::getInt32Ty(context);
  for (BasicBlock* block : order)
    for (Instruction& instruction : *block)
      if (is_site(instruction))
        instruction.setMetadata(site_kind,
                                MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(i32, site++))));
}

Result<Function*> make_coroutine(const HostKernel& kernel) {
  return Builder(kernel).run();
}

} // namespace kiln::passes
