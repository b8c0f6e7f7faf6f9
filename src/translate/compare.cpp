// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structural comparison. Globals are matched by name; a function's blocks by walking both flow graphs from the entry in
// step; a block's instructions by position. Operands are compared last, when it is known which value stands for which.
// Types, constants and metadata are compared by structure, because the modules may be of two contexts.
#include "translate/compare.h"
#include "translate/op_table.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>

namespace kiln::translate {
namespace {

using namespace llvm;

std::string print(const Value& value) {
  std::string text;
  raw_string_ostream stream(text);
  value.print(stream);
  return StringRef(text).trim().str();
}

// "struct.S.12" of a context where "struct.S" was taken already.
StringRef base_name(StringRef name) {
  StringRef base = name.rtrim("0123456789");
  return base != name && base.ends_with(".") ? base.drop_back() : name;
}

// Structures without a name by their members, so that the text means the same in every context.
std::string print(const Type& type) {
  std::string text;
  raw_string_ostream out(text);
  auto list = [&](ArrayRef<Type*> types) {
    for (const Type* one : types)
      out << print(*one) << ", ";
  };
  if (auto* structure = dyn_cast<StructType>(&type)) {
    if (structure->hasName())
      return "%" + base_name(structure->getName()).str();
    out << (structure->isPacked() ? "<{ " : "{ ");
    list(structure->elements());
    out << "}";
  } else if (auto* array = dyn_cast<ArrayType>(&type)) {
    out << "[" << array->getNumElements() << " x " << print(*array->getElementType()) << "]";
  } else if (auto* function = dyn_cast<FunctionType>(&type)) {
    out << print(*function->getReturnType()) << " (";
    list(function->params());
    out << (function->isVarArg() ? "...)" : ")");
  } else {
    type.print(out);
  }
  return text;
}

Error differ(const Twine& what, const Twine& expected, const Twine& actual) {
  return {ErrorCode::invalid_module, (what + ": expected '" + expected + "', got '" + actual + "'").str()};
}

bool same_type(const Type* a, const Type* b) {
  if (a == b)
    return true;
  if (a->getTypeID() != b->getTypeID() || a->getNumContainedTypes() != b->getNumContainedTypes())
    return false;
  if (a->isIntegerTy() && a->getIntegerBitWidth() != b->getIntegerBitWidth())
    return false;
  if (a->isPointerTy() && a->getPointerAddressSpace() != b->getPointerAddressSpace())
    return false;
  if (a->isArrayTy() && a->getArrayNumElements() != b->getArrayNumElements())
    return false;
  if (auto* vector = dyn_cast<VectorType>(a);
      vector && vector->getElementCount() != cast<VectorType>(b)->getElementCount())
    return false;
  if (auto* function = dyn_cast<FunctionType>(a); function && function->isVarArg() != cast<FunctionType>(b)->isVarArg())
    return false;
  if (auto* left = dyn_cast<StructType>(a)) {
    auto* right = cast<StructType>(b);
    if (left->isPacked() != right->isPacked() || left->hasName() != right->hasName() ||
        (left->hasName() && base_name(left->getName()) != base_name(right->getName())))
      return false;
  }
  for (unsigned i = 0; i < a->getNumContainedTypes(); ++i)
    if (!same_type(a->getContainedType(i), b->getContainedType(i)))
      return false;
  return true;
}

std::string print(const AttributeList& list) {
  std::string text;
  for (unsigned index : list.indexes())
    if (list.hasAttributesAtIndex(index))
      text += "[" + std::to_string(index + 1) + "] " + list.getAsString(index) + " ";
  return text;
}

class Comparison {
public:
  Comparison(const Module& a, const Module& b) : a_(a), b_(b) {}
  Result<void> run();

private:
  Result<void> globals();
  Result<void> variable(const GlobalVariable& a, const GlobalVariable& b);
  Result<void> function(const Function& a, const Function& b);
  Result<void> pair_blocks(const Function& a, const Function& b);
  Result<void> instruction(const Instruction& a, const Instruction& b, const Twine& where);
  std::string details(const Instruction& instruction) const;
  bool same_operands(const Instruction& a, const Instruction& b);
  bool same_phi(const PHINode& a, const PHINode& b);
  bool same_value(const Value* a, const Value* b);
  bool same_constant(const Constant* a, const Constant* b);
  bool same_metadata(const Metadata* a, const Metadata* b);
  template <class T> Result<void> attachments(const T& a, const T& b, const Twine& where);
  Result<void> common(const GlobalValue& a, const GlobalValue& b);

  const Module& a_;
  const Module& b_;
  DenseMap<const Value*, const Value*> values_; // of the function at hand
  DenseMap<std::pair<const Constant*, const Constant*>, bool> constants_;
  DenseMap<const Metadata*, const Metadata*> nodes_;
};

bool Comparison::same_metadata(const Metadata* a, const Metadata* b) {
  if (!a || !b)
    return a == b;
  if (a->getMetadataID() != b->getMetadataID())
    return false;
  if (auto* text = dyn_cast<MDString>(a))
    return text->getString() == cast<MDString>(b)->getString();
  if (auto* value = dyn_cast<ConstantAsMetadata>(a))
    return same_constant(value->getValue(), cast<ConstantAsMetadata>(b)->getValue());
  auto* left = dyn_cast<MDNode>(a);
  if (!left)
    return true;
  auto* right = cast<MDNode>(b);
  if (auto [known, added] = nodes_.try_emplace(a, b); !added)
    return known->second == b;
  if (left->isDistinct() != right->isDistinct() || left->getNumOperands() != right->getNumOperands())
    return false;
  for (unsigned i = 0; i < left->getNumOperands(); ++i)
    if (!same_metadata(left->getOperand(i), right->getOperand(i)))
      return false;
  return true;
}

template <class T> Result<void> Comparison::attachments(const T& a, const T& b, const Twine& where) {
  auto named = [](const T& object) {
    SmallVector<StringRef> names;
    object.getContext().getMDKindNames(names);
    SmallVector<std::pair<unsigned, MDNode*>> all;
    if constexpr (std::is_base_of_v<Instruction, T>)
      object.getAllMetadataOtherThanDebugLoc(all);
    else
      object.getAllMetadata(all);
    std::map<std::string, MDNode*> result;
    for (auto [kind, node] : all)
      result[names[kind].str()] = node;
    return result;
  };
  auto left = named(a), right = named(b);
  for (auto& [kind, node] : left)
    if (!right.contains(kind) || !same_metadata(node, right[kind]))
      return differ(where + ", metadata", "!" + kind, right.contains(kind) ? "another node" : "none");
  for (auto& [kind, node] : right)
    if (!left.contains(kind))
      return differ(where + ", metadata", "none", "!" + kind);
  return {};
}

bool Comparison::same_constant(const Constant* a, const Constant* b) {
  if (a->getValueID() != b->getValueID() || !same_type(a->getType(), b->getType()))
    return false;
  if (auto* global = dyn_cast<GlobalValue>(a))
    return global->getName() == cast<GlobalValue>(b)->getName();
  if (auto* number = dyn_cast<ConstantInt>(a))
    return number->getValue() == cast<ConstantInt>(b)->getValue();
  if (auto* number = dyn_cast<ConstantFP>(a))
    return number->getValueAPF().bitwiseIsEqual(cast<ConstantFP>(b)->getValueAPF());
  if (auto* data = dyn_cast<ConstantDataSequential>(a))
    return data->getRawDataValues() == cast<ConstantDataSequential>(b)->getRawDataValues();
  if (auto* expression = dyn_cast<ConstantExpr>(a)) {
    auto* other = cast<ConstantExpr>(b);
    if (expression->getOpcode() != other->getOpcode())
      return false;
    if (auto* gep = dyn_cast<GEPOperator>(a)) {
      auto* right = cast<GEPOperator>(b);
      if (!same_type(gep->getSourceElementType(), right->getSourceElementType()) ||
          gep->isInBounds() != right->isInBounds())
        return false;
    } else if (a->getRawSubclassOptionalData() != b->getRawSubclassOptionalData()) {
      return false;
    }
  }
  if (a->getNumOperands() != b->getNumOperands())
    return false;
  auto [known, added] = constants_.try_emplace({a, b}, true);
  if (!added)
    return known->second;
  bool same = true;
  for (unsigned i = 0; same && i < a->getNumOperands(); ++i)
    same = same_constant(cast<Constant>(a->getOperand(i)), cast<Constant>(b->getOperand(i)));
  constants_[{a, b}] = same;
  return same;
}

bool Comparison::same_value(const Value* a, const Value* b) {
  if (auto* constant = dyn_cast<Constant>(a))
    return isa<Constant>(b) && same_constant(constant, cast<Constant>(b));
  if (auto* left = dyn_cast<InlineAsm>(a)) {
    auto* right = dyn_cast<InlineAsm>(b);
    return right && left->getAsmString() == right->getAsmString() &&
           left->getConstraintString() == right->getConstraintString() &&
           left->hasSideEffects() == right->hasSideEffects() && left->isAlignStack() == right->isAlignStack() &&
           left->getDialect() == right->getDialect() && left->canThrow() == right->canThrow() &&
           same_type(left->getFunctionType(), right->getFunctionType());
  }
  if (auto* left = dyn_cast<MetadataAsValue>(a)) {
    auto* right = dyn_cast<MetadataAsValue>(b);
    return right && same_metadata(left->getMetadata(), right->getMetadata());
  }
  return values_.lookup(a) == b;
}

bool Comparison::same_phi(const PHINode& a, const PHINode& b) {
  if (a.getNumIncomingValues() != b.getNumIncomingValues())
    return false;
  for (unsigned i = 0; i < a.getNumIncomingValues(); ++i) {
    auto* block = cast_or_null<BasicBlock>(values_.lookup(a.getIncomingBlock(i)));
    int at = block ? b.getBasicBlockIndex(block) : -1;
    if (at < 0 || !same_value(a.getIncomingValue(i), b.getIncomingValue(unsigned(at))))
      return false;
  }
  return true;
}

bool Comparison::same_operands(const Instruction& a, const Instruction& b) {
  if (auto* phi = dyn_cast<PHINode>(&a))
    return same_phi(*phi, cast<PHINode>(b));
  for (unsigned i = 0; i < a.getNumOperands(); ++i)
    if (!same_value(a.getOperand(i), b.getOperand(i)))
      return false;
  return true;
}

// What an instruction says besides its operands, as text that does not depend on the context.
std::string Comparison::details(const Instruction& instruction) const {
  std::string text;
  raw_string_ostream out(text);
  out << instruction.getOpcodeName() << " " << print(*instruction.getType()) << " flags "
      << instruction.getRawSubclassOptionalData();
  SmallVector<StringRef> scopes;
  instruction.getContext().getSyncScopeNames(scopes);
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    out << " align " << load->getAlign().value() << " volatile " << load->isVolatile() << " "
        << toIRString(load->getOrdering()) << " " << scopes[load->getSyncScopeID()];
  else if (auto* store = dyn_cast<StoreInst>(&instruction))
    out << " align " << store->getAlign().value() << " volatile " << store->isVolatile() << " "
        << toIRString(store->getOrdering()) << " " << scopes[store->getSyncScopeID()];
  else if (auto* alloca = dyn_cast<AllocaInst>(&instruction))
    out << " " << print(*alloca->getAllocatedType()) << " align " << alloca->getAlign().value();
  else if (auto* compare = dyn_cast<CmpInst>(&instruction))
    out << " " << CmpInst::getPredicateName(compare->getPredicate());
  else if (auto* gep = dyn_cast<GetElementPtrInst>(&instruction))
    out << " " << print(*gep->getSourceElementType());
  else if (auto* rmw = dyn_cast<AtomicRMWInst>(&instruction))
    out << " " << AtomicRMWInst::getOperationName(rmw->getOperation()) << " align " << rmw->getAlign().value()
        << " volatile " << rmw->isVolatile() << " " << toIRString(rmw->getOrdering()) << " "
        << scopes[rmw->getSyncScopeID()];
  else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    out << " weak " << exchange->isWeak() << " align " << exchange->getAlign().value() << " volatile "
        << exchange->isVolatile() << " " << toIRString(exchange->getSuccessOrdering()) << " "
        << toIRString(exchange->getFailureOrdering()) << " " << scopes[exchange->getSyncScopeID()];
  else if (auto* fence = dyn_cast<FenceInst>(&instruction))
    out << " " << toIRString(fence->getOrdering()) << " " << scopes[fence->getSyncScopeID()];
  else if (auto* extract = dyn_cast<ExtractValueInst>(&instruction))
    for (unsigned index : extract->indices())
      out << " " << index;
  else if (auto* insert = dyn_cast<InsertValueInst>(&instruction))
    for (unsigned index : insert->indices())
      out << " " << index;
  else if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    for (int index : shuffle->getShuffleMask())
      out << " " << index;
  else if (auto* call = dyn_cast<CallBase>(&instruction)) {
    out << " convention " << call->getCallingConv() << " type " << print(*call->getFunctionType()) << " bundles "
        << call->getNumOperandBundles() << " attributes " << print(call->getAttributes());
  }
  return text;
}

Result<void> Comparison::instruction(const Instruction& a, const Instruction& b, const Twine& where) {
  if (a.getOpcode() != b.getOpcode() || a.getNumOperands() != b.getNumOperands() ||
      !same_type(a.getType(), b.getType()))
    return differ(where, print(a), print(b));
  if (std::string left = details(a), right = details(b); left != right)
    return differ(where + ", of '" + print(a) + "'", left, right);
  if (!same_operands(a, b))
    return differ(where + ", operands", print(a), print(b));
  return attachments(a, b, where + ", of '" + print(a) + "'");
}

Result<void> Comparison::pair_blocks(const Function& a, const Function& b) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> work{{&a.getEntryBlock(), &b.getEntryBlock()}};
  values_[&a.getEntryBlock()] = &b.getEntryBlock();
  while (!work.empty()) {
    auto [left, right] = work.pop_back_val();
    auto i = left->begin(), end = left->end();
    auto j = right->begin(), other_end = right->end();
    for (; i != end && j != other_end; ++i, ++j) {
      if (i->getOpcode() != j->getOpcode())
        return differ("function " + a.getName(), print(*i), print(*j));
      values_[&*i] = &*j;
    }
    if (i != end || j != other_end)
      return differ("function " + a.getName() + ", length of a block", Twine(left->size()), Twine(right->size()));
    const Instruction *from = left->getTerminator(), *to = right->getTerminator();
    if (from->getNumSuccessors() != to->getNumSuccessors())
      return differ("function " + a.getName(), print(*from), print(*to));
    for (unsigned s = 0; s < from->getNumSuccessors(); ++s) {
      auto [known, added] = values_.try_emplace(from->getSuccessor(s), to->getSuccessor(s));
      if (added)
        work.emplace_back(from->getSuccessor(s), to->getSuccessor(s));
      else if (known->second != to->getSuccessor(s))
        return differ("function " + a.getName() + ", flow", print(*from), print(*to));
    }
  }
  return {};
}

Result<void> Comparison::common(const GlobalValue& a, const GlobalValue& b) {
  auto text = [](const GlobalValue& value) {
    std::string result =
        "linkage " + std::to_string(value.getLinkage()) + " visibility " + std::to_string(value.getVisibility()) +
        " address " + std::to_string(int(value.getUnnamedAddr())) + " dso_local " + std::to_string(value.isDSOLocal()) +
        " space " + std::to_string(value.getAddressSpace()) + " type " + print(*value.getValueType());
    if (auto* object = dyn_cast<GlobalObject>(&value))
      result += " section " + object->getSection().str();
    return result;
  };
  if (std::string left = text(a), right = text(b); left != right)
    return differ("global " + a.getName(), left, right);
  return {};
}

Result<void> Comparison::function(const Function& a, const Function& b) {
  values_.clear();
  KILN_TRY(common(a, b));
  if (a.getCallingConv() != b.getCallingConv())
    return differ("function " + a.getName() + ", calling convention", Twine(a.getCallingConv()),
                  Twine(b.getCallingConv()));
  const bool predicate = a.getName().starts_with(predicate_prefix);
  if (std::string left = print(a.getAttributes()), right = print(b.getAttributes()); !predicate && left != right)
    return differ("function " + a.getName() + ", attributes", left, right);
  KILN_TRY(attachments(a, b, "function " + a.getName()));
  if (a.isDeclaration() != b.isDeclaration())
    return differ("function " + a.getName(), a.isDeclaration() ? "a declaration" : "a definition",
                  b.isDeclaration() ? "a declaration" : "a definition");
  if (a.isDeclaration())
    return {};
  if (a.size() != b.size())
    return differ("function " + a.getName() + ", blocks", Twine(a.size()), Twine(b.size()));
  for (unsigned i = 0; i < a.arg_size(); ++i)
    values_[a.getArg(i)] = b.getArg(i);
  KILN_TRY(pair_blocks(a, b));
  for (const Instruction& left : instructions(a))
    if (auto* right = cast_or_null<Instruction>(values_.lookup(&left)))
      KILN_TRY(instruction(left, *right, "function " + a.getName()));
  return {};
}

Result<void> Comparison::variable(const GlobalVariable& a, const GlobalVariable& b) {
  KILN_TRY(common(a, b));
  auto text = [](const GlobalVariable& value) {
    return "constant " + std::to_string(value.isConstant()) + " external init " +
           std::to_string(value.isExternallyInitialized()) + " align " +
           std::to_string(value.getAlign().valueOrOne().value()) + " initialiser " +
           std::to_string(value.hasInitializer());
  };
  if (std::string left = text(a), right = text(b); left != right)
    return differ("variable " + a.getName(), left, right);
  if (a.hasInitializer()) {
    const Constant *left = a.getInitializer(), *right = b.getInitializer();
    const bool both_undef = isa<UndefValue>(left) && isa<UndefValue>(right); // poison too
    if (!both_undef && !same_constant(left, right))
      return differ("variable " + a.getName() + ", initialiser", print(*left), print(*right));
  }
  return attachments(a, b, "variable " + a.getName());
}

Result<void> Comparison::globals() {
  for (const GlobalVariable& left : a_.globals()) {
    const GlobalVariable* right = b_.getNamedGlobal(left.getName());
    if (!right)
      return differ("variable", left.getName(), "none");
    KILN_TRY(variable(left, *right));
  }
  for (const GlobalVariable& right : b_.globals())
    if (!a_.getNamedGlobal(right.getName()))
      return differ("variable", "none", right.getName());
  for (const GlobalAlias& left : a_.aliases()) {
    const GlobalAlias* right = b_.getNamedAlias(left.getName());
    if (!right || !same_constant(left.getAliasee(), right->getAliasee()))
      return differ("alias", print(left), right ? print(*right) : "none");
    KILN_TRY(common(left, *right));
  }
  for (const Function& left : a_) {
    const Function* right = b_.getFunction(left.getName());
    if (!right)
      return differ("function", left.getName(), "none");
    KILN_TRY(function(left, *right));
  }
  for (const Function& right : b_)
    if (!a_.getFunction(right.getName()))
      return differ("function", "none", right.getName());
  return {};
}

Result<void> Comparison::run() {
  KILN_TRY(globals());
  for (const NamedMDNode& left : a_.named_metadata()) {
    const NamedMDNode* right = b_.getNamedMetadata(left.getName());
    if (!right || left.getNumOperands() != right->getNumOperands())
      return differ("named metadata " + left.getName(), Twine(left.getNumOperands()) + " nodes",
                    right ? Twine(right->getNumOperands()).str() : std::string("none"));
    for (unsigned i = 0; i < left.getNumOperands(); ++i)
      if (!same_metadata(left.getOperand(i), right->getOperand(i)))
        return differ("named metadata " + left.getName(), "node " + Twine(i), "another one");
  }
  if (a_.getTargetTriple() != b_.getTargetTriple() || a_.getDataLayoutStr() != b_.getDataLayoutStr())
    return differ("target", a_.getTargetTriple().str() + " " + a_.getDataLayoutStr(),
                  b_.getTargetTriple().str() + " " + b_.getDataLayoutStr());
  return {};
}

} // namespace

Result<void> same_module(const llvm::Module& expected, const llvm::Module& actual) {
  std::unique_ptr<llvm::Module> a = llvm::CloneModule(expected), b = llvm::CloneModule(actual);
  canonicalize(*a);
  canonicalize(*b);
  return Comparison(*a, *b).run();
}

} // namespace kiln::translate
