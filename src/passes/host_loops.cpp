// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose work-items never wait for each other: three loops over the work-items of a group around the body, x
// innermost. Work-items are independent by the rules of the language, so the innermost loop is marked parallel for
// LLVM's vectoriser, unless they have private memory left or use atomics that became plain operations.
#include "passes/host_entry.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace kiln::passes {
using namespace llvm;
using host_abi::WorkItem;

namespace {

// Marks the plain accesses of the body as belonging to `accesses`. False: the loop must not be called parallel.
bool mark_accesses(Function& body, MDNode* accesses) {
  for (Instruction& instruction : instructions(body)) {
    if (isa<AllocaInst>(instruction))
      return false; // shared by all iterations once inlined
    bool plain = (isa<LoadInst>(instruction) || isa<StoreInst>(instruction)) && !instruction.isVolatile() &&
                 !instruction.isAtomic();
    if (plain)
      instruction.setMetadata(LLVMContext::MD_access_group, accesses);
  }
  return true;
}

// for (i = 0; i < end; ++i) with the builder inside; returns i. `finish` closes it and leaves the builder behind.
struct Loop {
  BasicBlock *header, *exit;
  PHINode* index;
  Loop(IRBuilder<>& b, Value* end, const Twine& name) {
    Function* function = b.GetInsertBlock()->getParent();
    BasicBlock* before = b.GetInsertBlock();
    header = BasicBlock::Create(b.getContext(), name, function);
    exit = BasicBlock::Create(b.getContext(), name + ".end", function);
    b.CreateBr(header);
    b.SetInsertPoint(header);
    index = b.CreatePHI(b.getInt32Ty(), 2, name);
    index->addIncoming(b.getInt32(0), before);
    end_ = end;
  }
  BranchInst* finish(IRBuilder<>& b) {
    Value* next = b.CreateAdd(index, b.getInt32(1), "", true, true);
    index->addIncoming(next, b.GetInsertBlock());
    BranchInst* latch = b.CreateCondBr(b.CreateICmpULT(next, end_), header, exit);
    b.SetInsertPoint(exit);
    return latch;
  }

private:
  Value* end_;
};

} // namespace

Function* make_loops(const HostKernel& kernel, const EntryOptions& options) {
  LLVMContext& context = kernel.body->getContext();
  IRBuilder<> b(context);
  Function* entry = host_entry::create(kernel, ".group", b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()});
  Value *launch = entry->getArg(0), *group = entry->getArg(1);
  MDNode* accesses = MDNode::getDistinct(context, {});
  bool parallel = options.parallel && mark_accesses(*kernel.body, accesses);

  b.SetInsertPoint(BasicBlock::Create(context, "entry", entry));
  Value* item = b.CreateAlloca(ArrayType::get(b.getInt64Ty(), sizeof(WorkItem) / 8));
  auto set = [&](uint64_t offset, Value* value) { b.CreateStore(value, host_entry::field(b, item, offset)); };
  set(offsetof(WorkItem, launch), launch);
  set(offsetof(WorkItem, group), group);
  set(offsetof(WorkItem, slot), ConstantPointerNull::get(b.getPtrTy()));
  Value* size[3];
  for (unsigned d = 0; d < 3; ++d) {
    uint64_t offset = offsetof(host_abi::Launch, packet) + offsetof(host_abi::DispatchPacket, workgroup_size) + 2 * d;
    size[d] = b.CreateZExt(host_entry::load_constant(b, b.getInt16Ty(), launch, offset), b.getInt32Ty());
  }
  std::vector<Value*> arguments{item};
  for (Value* value : host_entry::load_arguments(b, kernel, launch, group))
    arguments.push_back(value);

  Loop z(b, size[2], "z");
  Loop y(b, size[1], "y");
  set(offsetof(WorkItem, id) + 4, y.index);
  set(offsetof(WorkItem, id) + 8, z.index);
  b.CreateStore(y.index, host_entry::field(b, group, offsetof(host_abi::Group, row)));
  b.CreateStore(z.index, host_entry::field(b, group, offsetof(host_abi::Group, row) + 4));
  Value* row = b.CreateMul(b.CreateAdd(y.index, b.CreateMul(z.index, size[1])), size[0]);
  Loop x(b, size[0], "x");
  set(offsetof(WorkItem, id), x.index);
  set(offsetof(WorkItem, linear), b.CreateAdd(row, x.index));
  CallInst* call = b.CreateCall(kernel.body, arguments);
  BranchInst* latch = x.finish(b);
  y.finish(b);
  z.finish(b);
  b.CreateRetVoid();

  if (parallel) {
    Metadata* property[] = {MDString::get(context, "llvm.loop.parallel_accesses"), accesses};
    MDNode* loop = MDNode::getDistinct(context, {nullptr, MDNode::get(context, property)});
    loop->replaceOperandWith(0, loop);
    latch->setMetadata(LLVMContext::MD_loop, loop);
  }
  InlineFunctionInfo info;
  InlineFunction(*call, info);
  return entry;
}

} // namespace kiln::passes
