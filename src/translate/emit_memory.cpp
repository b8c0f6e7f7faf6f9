// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory (specification 3.49.8): variables, loads, stores, addresses, copies.
#include "translate/emit_function.h"

namespace kiln::translate {

using namespace llvm;
using spv::Op;

namespace {

constexpr uint32_t volatile_access = uint32_t(spv::MemoryAccessMask::Volatile);
constexpr uint32_t aligned_access = uint32_t(spv::MemoryAccessMask::Aligned);
constexpr uint32_t nontemporal_access = uint32_t(spv::MemoryAccessMask::Nontemporal);

template <class Access> void memory_operands(std::vector<uint32_t>& words, const Access& access) {
  uint32_t mask = aligned_access;
  if (access.isVolatile())
    mask |= volatile_access;
  if (access.hasMetadata(LLVMContext::MD_nontemporal))
    mask |= nontemporal_access;
  words.push_back(mask);
  words.push_back(uint32_t(access.getAlign().value()));
}

} // namespace

// Static ones are OpVariables of the entry block (emit_functions.cpp).
void FunctionEmitter::alloca_(const Instruction& instruction) {
  auto& alloca = cast<AllocaInst>(instruction);
  if (alloca.getAddressSpace() != 0 || alloca.isUsedWithInAlloca() || alloca.isSwiftError()) {
    m_.fail("an alloca of this kind has no SPIR-V form");
    return;
  }
  m_.capability(spv::Capability::VariableLengthArrayINTEL, "SPV_INTEL_variable_length_array");
  op(Op::OpVariableLengthArrayINTEL, alloca, operands(alloca));
  m_.decorate(id(&alloca), spv::Decoration::Alignment, {uint32_t(alloca.getAlign().value())});
}

void FunctionEmitter::load(const Instruction& instruction) {
  auto& load = cast<LoadInst>(instruction);
  if (load.isAtomic())
    return atomic_load(load);
  std::vector<uint32_t> words{operand(load, 0)};
  memory_operands(words, load);
  op(Op::OpLoad, load, words);
  fast_math(load, false); // LLVM has none on loads today
}

void FunctionEmitter::store(const Instruction& instruction) {
  auto& store = cast<StoreInst>(instruction);
  if (store.isAtomic())
    return atomic_store(store);
  Id stored = operand(store, 0);
  std::vector<uint32_t> words{operand(store, 1), stored};
  memory_operands(words, store);
  out_.add(Op::OpStore, words);
}

void FunctionEmitter::get_element_ptr(const Instruction& instruction) {
  auto& chain = cast<GetElementPtrInst>(instruction);
  std::vector<uint32_t> words = operands(chain);
  // LLVM lets a scalar base stand for a vector of equal ones.
  auto* lanes = dyn_cast<FixedVectorType>(chain.getType());
  if (lanes && !chain.getPointerOperandType()->isVectorTy()) {
    Id type_id = m_.type(FixedVectorType::get(chain.getPointerOperandType(), lanes->getNumElements()),
                         chain.getSourceElementType());
    Id splat = m_.new_id();
    std::vector<Id> parts(lanes->getNumElements(), words[0]);
    out_.begin(Op::OpCompositeConstruct).word(type_id).word(splat).words(parts).end();
    words[0] = splat;
  }
  op(chain.isInBounds() ? Op::OpInBoundsPtrAccessChain : Op::OpPtrAccessChain, chain, words);
  uint32_t bits = 0;
  if (chain.hasNoUnsignedWrap())
    bits |= flag::nuw;
  if (chain.hasNoUnsignedSignedWrap() && !chain.isInBounds())
    bits |= flag::nusw;
  flags(id(&chain), bits);
}

namespace {

// {mask, alignment if any}
std::vector<uint32_t> copy_operands(bool is_volatile, MaybeAlign align) {
  std::vector<uint32_t> words{(is_volatile ? volatile_access : 0) | (align ? aligned_access : 0)};
  if (align)
    words.push_back(uint32_t(align->value()));
  return words;
}

// Only `align` on the two pointers: the memory operands say that.
bool only_alignment(const AttributeList& list) {
  for (unsigned index : list.indexes())
    for (Attribute attribute : list.getAttributes(index)) {
      bool pointer = index == AttributeList::FirstArgIndex || index == AttributeList::FirstArgIndex + 1;
      if (!pointer || !attribute.hasAttribute(Attribute::Alignment))
        return false;
    }
  return true;
}

} // namespace

// SPIR-V does not allow a copy of no bytes.
bool is_sized_copy(const IntrinsicInst& call) {
  if (call.getIntrinsicID() != Intrinsic::memcpy)
    return false;
  auto* size = dyn_cast<ConstantInt>(cast<MemCpyInst>(call).getLength());
  return !size || !size->isZero();
}

void FunctionEmitter::memory_copy(const MemCpyInst& copy) {
  if (!only_alignment(copy.getAttributes()))
    call_attributes(copy);
  std::vector<uint32_t> words{operand(copy, 0), operand(copy, 1), operand(copy, 2)};
  auto to = copy_operands(copy.isVolatile(), copy.getParamAlign(0));
  auto from = copy_operands(copy.isVolatile(), copy.getParamAlign(1));
  if (to != from || to[0])
    words.insert(words.end(), to.begin(), to.end());
  if (to != from)
    words.insert(words.end(), from.begin(), from.end());
  out_.add(Op::OpCopyMemorySized, words);
}

} // namespace kiln::translate
