// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A data flow analysis: which accesses to local memory may have happened since the lanes last met (`pending`). A load
// through another pointer than a pending store's may read what another lane is to store, so the lanes meet before it.
// If that occurs anywhere, or the program says `volatile` of local memory, the kernel is one that counts on lockstep,
// and then the lanes meet before its other conflicts too: a store after a load, a store after a store.
//
// Only the identity of pointers is compared. "Is it another address" is a question within one work-item, and it would
// be no answer: s[i] and s[i + 1] differ for one lane and are the same bytes for two.
#include "passes/host_lockstep.h"

#include "passes/host_primitives.h"
#include "support/host_abi.h"

#include <array>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace kiln::passes {
using namespace llvm;

namespace {

enum Kind : unsigned { load, store, update, kinds };

// Accesses of one kind by pointer; null: a pointer that has got another value since.
using Pointers = SmallPtrSet<const Value*, 8>;
struct Pending {
  std::array<Pointers, kinds> of;

  // Returns whether there was anything new.
  bool add(const Pending& other) {
    bool grew = false;
    for (unsigned kind = 0; kind < kinds; ++kind)
      for (const Value* pointer : other.of[kind])
        grew |= of[kind].insert(pointer).second;
    return grew;
  }
  void redefine(const Value* pointer) {
    for (Pointers& pointers : of)
      if (pointers.erase(pointer))
        pointers.insert(nullptr);
  }
};

// The read of Group::local (host_memory.cpp), where it has lost its address space: place 0 in the group's block.
bool is_start_of_local_memory(const Value* value, const DataLayout& layout) {
  auto* read = dyn_cast<LoadInst>(value);
  if (!read || !read->hasMetadata(LLVMContext::MD_invariant_load) || !read->hasMetadata(LLVMContext::MD_align))
    return false;
  APInt offset(layout.getIndexTypeSizeInBits(read->getPointerOperandType()), 0);
  (void)read->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  return offset == offsetof(host_abi::Group, local);
}

// Does the pointer come from local memory? Volatile accesses keep their generic pointers.
bool points_to_local(const Value* pointer, unsigned space, const DataLayout& layout) {
  SmallVector<const Value*, 8> work{pointer};
  SmallPtrSet<const Value*, 8> seen{pointer};
  while (!work.empty()) {
    const Value* value = work.pop_back_val();
    if (value->getType()->getPointerAddressSpace() == space || is_start_of_local_memory(value, layout))
      return true;
    auto* user = dyn_cast<User>(value);
    if (!user || !(isa<GEPOperator, AddrSpaceCastOperator, PHINode, SelectInst>(user)))
      continue;
    for (const Value* operand : user->operands())
      if (operand->getType()->isPointerTy() && seen.insert(operand).second)
        work.push_back(operand);
  }
  return false;
}

// A variable or a fixed element of an array: the same for all lanes.
bool is_fixed(const Value* pointer) {
  while (auto* step = dyn_cast<GEPOperator>(pointer)) {
    if (!step->hasAllConstantIndices())
      return false;
    pointer = step->getPointerOperand();
  }
  return !isa<PHINode, SelectInst>(pointer);
}

bool others_than(const Pointers& pointers, const Value* pointer) {
  return pointers.size() > (pointers.contains(pointer) && !is_fixed(pointer) ? 1 : 0);
}

struct Access {
  Kind kind;
  const Value* pointer;
};

bool is_meeting(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == host_primitive::cross_lane || callee->getName() == host_primitive::rendezvous);
}

class Lockstep {
public:
  Lockstep(Function& body, const AddressSpaces& spaces) : body_(body), spaces_(spaces) {}

  void run() {
    find_accesses();
    if (accesses_.empty())
      return;
    insert_meetings();
    if (strict_)
      return;
    if (added_) { // a load met a pending store: the kernel counts on lockstep
      strict_ = true;
      insert_meetings();
    }
  }

private:
  void find_accesses() {
    auto note = [&](Instruction& at, Kind kind, const Value* pointer, bool is_volatile) {
      if (!points_to_local(pointer, spaces_.local, body_.getDataLayout()))
        return;
      accesses_[&at].push_back({kind, pointer->stripPointerCasts()});
      strict_ |= is_volatile;
    };
    for (Instruction& instruction : instructions(body_)) {
      if (auto* access = dyn_cast<LoadInst>(&instruction))
        note(instruction, load, access->getPointerOperand(), access->isVolatile());
      else if (auto* access = dyn_cast<StoreInst>(&instruction))
        note(instruction, store, access->getPointerOperand(), access->isVolatile());
      else if (auto* access = dyn_cast<AtomicRMWInst>(&instruction))
        note(instruction, update, access->getPointerOperand(), false);
      else if (auto* access = dyn_cast<AtomicCmpXchgInst>(&instruction))
        note(instruction, update, access->getPointerOperand(), false);
      else if (auto* access = dyn_cast<MemIntrinsic>(&instruction)) {
        if (auto* transfer = dyn_cast<MemTransferInst>(access))
          note(instruction, load, transfer->getRawSource(), transfer->isVolatile());
        note(instruction, store, access->getRawDest(), access->isVolatile());
      }
    }
  }

  [[nodiscard]] bool conflicts(const Pending& pending, const Access& access) const {
    auto after = [&](Kind kind) { return others_than(pending.of[kind], access.pointer); };
    switch (access.kind) {
    case load:
      return after(store) || after(update);
    case update: // among themselves they may come in any order
      return after(store) || (strict_ && after(load));
    default:
      return strict_ && (after(load) || after(store) || after(update));
    }
  }

  // The state behind the block. `at_conflict` is called with instructions before which lanes must meet.
  template <class Function> Pending walk(BasicBlock& block, Pending pending, Function at_conflict) const {
    for (Instruction& instruction : block) {
      if (is_meeting(instruction))
        pending = {};
      else if (auto found = accesses_.find(&instruction); found != accesses_.end()) {
        if (any_of(found->second, [&](const Access& access) { return conflicts(pending, access); })) {
          at_conflict(instruction);
          pending = {};
        }
        for (const Access& access : found->second)
          pending.of[access.kind].insert(access.pointer);
      }
      if (instruction.getType()->isPointerTy())
        pending.redefine(&instruction);
    }
    return pending;
  }

  void insert_meetings() {
    // Without the meetings that this very walk would add: these only make less pending.
    DenseMap<const BasicBlock*, Pending> before;
    ReversePostOrderTraversal<llvm::Function*> order(&body_);
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock* block : order) {
        Pending after = walk(*block, before[block], [](Instruction&) {});
        for (const BasicBlock* next : successors(block))
          changed |= before[next].add(after);
      }
    }
    SmallVector<Instruction*, 16> places;
    for (BasicBlock* block : order)
      walk(*block, before[block], [&](Instruction& place) { places.push_back(&place); });
    for (Instruction* place : places)
      meet_before(*place);
    added_ |= !places.empty();
  }

  void meet_before(Instruction& place) {
    IRBuilder<> b(&place);
    auto* type = FunctionType::get(b.getVoidTy(), {b.getInt32Ty()}, false);
    FunctionCallee meet = body_.getParent()->getOrInsertFunction(host_primitive::rendezvous, type);
    b.CreateCall(meet, {b.getInt32(uint32_t(host_abi::Operation::rendezvous))});
  }

  llvm::Function& body_;
  const AddressSpaces& spaces_;
  DenseMap<const Instruction*, SmallVector<Access, 1>> accesses_;
  bool strict_ = false; // all conflicts count, not only that of a load after a store
  bool added_ = false;
};

} // namespace

void keep_lockstep(Function& body, const AddressSpaces& spaces) {
  Lockstep(body, spaces).run();
}

} // namespace kiln::passes
