// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One form for what does not survive the way through SPIR-V (docs/spirv-mapping.md section 8). A list of small
// rewrites; each is a fact about the mapping.
#include "translate/compare.h"
#include "translate/op_table.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::translate {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr StringRef dropped_attributes[] = {"target-features", "target-cpu", "tune-cpu"};

void drop_globals(Module& module) {
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.cmdline", "llvm.embedded.module"})
    if (GlobalVariable* variable = module.getNamedGlobal(name)) {
      variable->removeDeadConstantUsers();
      if (variable->use_empty())
        variable->eraseFromParent();
    }
  for (StringRef name : {"llvm.ident", "llvm.commandline", "llvm.dbg.cu"})
    if (NamedMDNode* node = module.getNamedMetadata(name))
      node->eraseFromParent();
  SmallVector<NamedMDNode*> opencl;
  for (NamedMDNode& node : module.named_metadata())
    if (node.getName().starts_with("opencl."))
      opencl.push_back(&node);
  for (NamedMDNode* node : opencl)
    node->eraseFromParent();
  if (NamedMDNode* flags = module.getModuleFlagsMetadata()) {
    SmallVector<MDNode*> kept;
    for (MDNode* flag : flags->operands())
      if (auto* key = dyn_cast_or_null<MDString>(flag->getOperand(1)); !key || key->getString() != "Debug Info Version")
        kept.push_back(flag);
    flags->clearOperands();
    for (MDNode* flag : kept)
      flags->addOperand(flag);
    if (kept.empty())
      flags->eraseFromParent();
  }
}

void drop_attributes(Function& function) {
  for (StringRef name : dropped_attributes)
    function.removeFnAttr(name);
  for (Argument& argument : function.args())
    argument.removeAttr(Attribute::Initializes);
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      for (StringRef name : dropped_attributes)
        call->removeFnAttr(name);
      for (unsigned i = 0; i < call->arg_size(); ++i)
        call->removeParamAttr(i, Attribute::Initializes);
    }
}

// Calls of a predicate stand at its uses.
void move_predicate_call(CallInst& call) {
  for (Use& use : make_early_inc_range(call.uses())) {
    auto* user = cast<Instruction>(use.getUser());
    Instruction* before = user;
    if (auto* phi = dyn_cast<PHINode>(user))
      before = phi->getIncomingBlock(use)->getTerminator();
    auto* copy = CallInst::Create(call.getFunctionType(), call.getCalledOperand());
    copy->insertBefore(before->getIterator());
    use.set(copy);
  }
  call.eraseFromParent();
}

bool is_predicate(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(predicate_prefix);
}

void replace(Instruction& old, Instruction* made) {
  made->insertBefore(old.getIterator());
  for (auto [kind, node] : [&] {
         SmallVector<std::pair<unsigned, MDNode*>> all;
         old.getAllMetadataOtherThanDebugLoc(all);
         return all;
       }())
    made->setMetadata(kind, node);
  old.replaceAllUsesWith(made);
  old.eraseFromParent();
}

// i1 has the logical operations only.
bool rewrite_bool(Instruction& instruction) {
  Value *left, *right;
  if (match(&instruction, m_SpecificICmp(CmpInst::ICMP_NE, m_Value(left), m_Value(right))) ||
      match(&instruction, m_Add(m_Value(left), m_Value(right))) ||
      match(&instruction, m_Sub(m_Value(left), m_Value(right)))) {
    if (!left->getType()->isIntOrIntVectorTy(1))
      return false;
    replace(instruction, BinaryOperator::CreateXor(left, right));
    return true;
  }
  if (match(&instruction, m_Mul(m_Value(left), m_Value(right))) && left->getType()->isIntOrIntVectorTy(1)) {
    replace(instruction, BinaryOperator::CreateAnd(left, right));
    return true;
  }
  return false;
}

bool rewrite_extension(Instruction& instruction) {
  Type* type = instruction.getType();
  Value* condition;
  if (auto* select = dyn_cast<SelectInst>(&instruction);
      select && type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 1 &&
      match(select->getFalseValue(), m_Zero()) &&
      select->getCondition()->getType()->isVectorTy() == type->isVectorTy()) {
    condition = select->getCondition();
    const bool one = match(select->getTrueValue(), m_One());
    if (one || match(select->getTrueValue(), m_AllOnes())) {
      instruction.dropUnknownNonDebugMetadata(); // an extension has no branch weights
      replace(instruction, CastInst::Create(one ? Instruction::ZExt : Instruction::SExt, condition, type));
      return true;
    }
  }
  if ((match(&instruction, m_UIToFP(m_Value(condition))) || match(&instruction, m_SIToFP(m_Value(condition)))) &&
      condition->getType()->isIntOrIntVectorTy(1)) {
    double one = isa<UIToFPInst>(instruction) ? 1.0 : -1.0;
    replace(instruction, SelectInst::Create(condition, ConstantFP::get(type, one), ConstantFP::get(type, 0.0)));
    return true;
  }
  return false;
}

bool rewrite_truncation(Instruction& instruction) {
  Value* whole;
  if (!match(&instruction, m_SpecificICmp(CmpInst::ICMP_NE, m_And(m_Value(whole), m_One()), m_Zero())))
    return false;
  Value* mask = instruction.getOperand(0);
  replace(instruction, new TruncInst(whole, CmpInst::makeCmpResultType(whole->getType())));
  if (auto* dead = dyn_cast<Instruction>(mask); dead && dead->use_empty())
    dead->eraseFromParent();
  return true;
}

bool rewrite_switch(Instruction& instruction) {
  auto* choice = dyn_cast<SwitchInst>(&instruction);
  if (!choice || !choice->getCondition()->getType()->isIntegerTy(1) || choice->getNumCases() != 1)
    return false;
  auto only = *choice->case_begin();
  BasicBlock *yes = only.getCaseSuccessor(), *no = choice->getDefaultDest();
  if (yes == no) {
    yes->removePredecessor(choice->getParent(), /*KeepOneInputPHIs=*/true);
    replace(instruction, BranchInst::Create(yes));
    return true;
  }
  if (only.getCaseValue()->isZero())
    std::swap(yes, no);
  replace(instruction, BranchInst::Create(yes, no, choice->getCondition()));
  return true;
}

// Two ways to the same block are one.
bool rewrite_branch(Instruction& instruction) {
  auto* branch = dyn_cast<BranchInst>(&instruction);
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) != branch->getSuccessor(1))
    return false;
  BasicBlock* to = branch->getSuccessor(0);
  to->removePredecessor(branch->getParent(), /*KeepOneInputPHIs=*/true);
  replace(instruction, BranchInst::Create(to));
  return true;
}

SyncScope::ID canonical_scope(LLVMContext& context, SyncScope::ID scope) {
  SmallVector<StringRef> names;
  context.getSyncScopeNames(names);
  if (names[scope] == "device")
    return context.getOrInsertSyncScopeID("agent");
  if (names[scope] == "subgroup")
    return context.getOrInsertSyncScopeID("wavefront");
  return scope;
}

void rewrite_atomic(Instruction& instruction) {
  if (std::optional<SyncScope::ID> scope = getAtomicSyncScopeID(&instruction))
    setAtomicSyncScopeID(&instruction, canonical_scope(instruction.getContext(), *scope));
  if (auto* load = dyn_cast<LoadInst>(&instruction); load && load->getOrdering() == AtomicOrdering::Unordered)
    load->setOrdering(AtomicOrdering::Monotonic);
  if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->getOrdering() == AtomicOrdering::Unordered)
    store->setOrdering(AtomicOrdering::Monotonic);
}

// Says nothing that SPIR-V keeps: an assume with bundles, a lifetime of what is no alloca.
bool is_dropped(const Instruction& instruction) {
  if (auto* assume = dyn_cast<AssumeInst>(&instruction))
    return assume->hasOperandBundles();
  if (auto* lifetime = dyn_cast<LifetimeIntrinsic>(&instruction))
    return !isa<AllocaInst>(lifetime->getArgOperand(0));
  return isa<DbgInfoIntrinsic>(instruction);
}

// Only equality is asked of pointers; the constant comparisons are constants.
bool rewrite_compare(Instruction& instruction) {
  auto* compare = dyn_cast<CmpInst>(&instruction);
  if (!compare)
    return false;
  if (compare->getPredicate() == CmpInst::FCMP_TRUE || compare->getPredicate() == CmpInst::FCMP_FALSE) {
    compare->replaceAllUsesWith(ConstantInt::get(compare->getType(), compare->getPredicate() == CmpInst::FCMP_TRUE));
    compare->eraseFromParent();
    return true;
  }
  Type* type = compare->getOperand(0)->getType();
  if (!type->isPtrOrPtrVectorTy() || compare->isEquality())
    return false;
  for (Use& use : compare->operands()) {
    auto* number = new PtrToIntInst(use.get(), type->getWithNewType(IntegerType::get(type->getContext(), 64)));
    number->insertBefore(compare->getIterator());
    use.set(number);
  }
  return false;
}

CallingConv::ID canonical_convention(CallingConv::ID convention) {
  bool local = convention == CallingConv::Fast || convention == CallingConv::Cold;
  return local ? CallingConv::ID(CallingConv::SPIR_FUNC) : convention;
}

void rewrite_call(CallInst& call) {
  if (!call.isMustTailCall())
    call.setTailCallKind(CallInst::TCK_None);
  call.setCallingConv(call.isIndirectCall() ? CallingConv::ID(CallingConv::SPIR_FUNC)
                                            : canonical_convention(call.getCallingConv()));
}

void drop_metadata(Instruction& instruction) {
  auto* alloca = dyn_cast<AllocaInst>(&instruction);
  if (isa<PHINode>(instruction) || (alloca && alloca->isStaticAlloca()))
    instruction.dropUnknownNonDebugMetadata();
}

// A pointer that is called is one to the functions' address space.
void cast_callee(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || isa<Constant, InlineAsm>(call->getCalledOperand()))
    return;
  unsigned space = instruction.getModule()->getDataLayout().getProgramAddressSpace();
  Value* callee = call->getCalledOperand();
  if (callee->getType()->getPointerAddressSpace() == space)
    return;
  auto* cast = new AddrSpaceCastInst(callee, PointerType::get(instruction.getContext(), space));
  cast->insertBefore(call->getIterator());
  call->setCalledOperand(cast);
}

// Variables stand first in the entry block.
void move_allocas(Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  SmallVector<AllocaInst*> allocas;
  for (Instruction& instruction : entry)
    if (auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && isa<ConstantInt>(alloca->getArraySize()))
      allocas.push_back(alloca);
  for (AllocaInst* alloca : reverse(allocas))
    alloca->moveBefore(entry, entry.begin());
}

void canonicalize(Function& function) {
  drop_attributes(function);
  function.setCallingConv(canonical_convention(function.getCallingConv()));
  if (function.isDeclaration())
    return;
  EliminateUnreachableBlocks(function);
  for (BasicBlock& block : function)
    for (Instruction& instruction : make_early_inc_range(block)) {
      if (is_dropped(instruction)) {
        instruction.eraseFromParent();
        continue;
      }
      if (is_predicate(instruction)) {
        move_predicate_call(cast<CallInst>(instruction));
        continue;
      }
      rewrite_atomic(instruction);
      cast_callee(instruction);
      drop_metadata(instruction);
      if (auto* call = dyn_cast<CallInst>(&instruction))
        rewrite_call(*call);
      if (rewrite_truncation(instruction) || rewrite_bool(instruction) || rewrite_extension(instruction) ||
          rewrite_switch(instruction) || rewrite_branch(instruction) || rewrite_compare(instruction))
        continue;
    }
  move_allocas(function);
}

} // namespace

void canonicalize(Module& module) {
  StripDebugInfo(module);
  for (GlobalAlias& alias : module.aliases()) {
    Constant* target = alias.getAliasee();
    if (target->getType() == alias.getType())
      alias.replaceAllUsesWith(target);
  }
  drop_globals(module);
  for (Function& function : module)
    canonicalize(function);
  for (Function& function : make_early_inc_range(module)) {
    function.removeDeadConstantUsers();
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  }
}

} // namespace kiln::translate
