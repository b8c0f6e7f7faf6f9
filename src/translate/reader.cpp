// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of reading, in order, and the errors and look-ups that they share.
#include "spirv/validate.h"
#include "translate/read_module.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <bit>

namespace kiln::translate::reading {
namespace {

constexpr const char* portable_data_layout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0";

} // namespace

ModuleReader::~ModuleReader() = default;

uint32_t Inst::result() const {
  switch (row->layout) {
  case Layout::plain:
    return 0;
  case Layout::result:
    return words[1];
  case Layout::typed:
    return words[2];
  }
  return 0;
}

static Error error_at(ErrorCode code, const Inst& inst, std::string_view what) {
  std::string text = "word " + std::to_string(inst.offset) + ", ";
  text += inst.row ? inst.row->name : "opcode " + std::to_string(inst.words[0] & 0xffff);
  if (inst.row && inst.result())
    text += " %" + std::to_string(inst.result());
  return {code, text + ": " + std::string(what)};
}
Error ModuleReader::malformed(const Inst& inst, std::string_view what) const {
  return error_at(ErrorCode::invalid_module, inst, what);
}
Error ModuleReader::unsupported(const Inst& inst, std::string_view what) const {
  return error_at(ErrorCode::unsupported, inst, what);
}

Inst ModuleReader::at(uint32_t offset) const {
  uint32_t first = words[offset];
  return {find_row(first & 0xffff), offset, words.subspan(offset, first >> 16)};
}

std::string ModuleReader::describe(uint32_t id) {
  std::string text = "%" + std::to_string(id);
  if (Def* def = find(id); def && def->name)
    text += " (" + name(*def).str() + ")";
  return text;
}

Result<llvm::Type*> ModuleReader::type(const Inst& inst, uint32_t id) {
  Def* def = find(id);
  if (!def || !def->type)
    return malformed(inst, "%" + std::to_string(id) + " is not a type defined before this instruction");
  return def->type;
}

Result<llvm::Type*> ModuleReader::value_type(const Inst& inst, uint32_t id) {
  KILN_ASSIGN(llvm::Type * result, type(inst, id));
  if (result->isVoidTy() || result->isFunctionTy())
    return malformed(inst, "type " + describe(id) + " is not one of a value");
  return result;
}

Result<llvm::Type*> ModuleReader::sized_type(const Inst& inst, uint32_t id) {
  KILN_ASSIGN(llvm::Type * result, value_type(inst, id));
  if (!result->isSized())
    return malformed(inst, "type " + describe(id) + " has no size");
  return result;
}

Result<llvm::FunctionType*> ModuleReader::function_type(const Inst& inst, uint32_t id) {
  KILN_ASSIGN(llvm::Type * result, type(inst, id));
  if (auto* function = llvm::dyn_cast<llvm::FunctionType>(result))
    return function;
  return malformed(inst, "type " + describe(id) + " is not a function type");
}

Result<llvm::Constant*> ModuleReader::constant(const Inst& inst, uint32_t id) {
  Def* def = find(id);
  if (def && def->predicate)
    return unsupported(inst, "a constant made from feature predicate " + describe(id) + ", which is not decided yet");
  if (!def || def->kind != Kind::value || def->function || !def->value)
    return malformed(inst, "%" + std::to_string(id) + " is not a constant or variable defined before this instruction");
  return llvm::cast<llvm::Constant>(def->value);
}

Result<uint32_t> ModuleReader::u32(const Inst& inst, uint32_t id) {
  Def* def = find(id);
  if (def && (opcode(*def) == spv::Op::OpConstant || opcode(*def) == spv::Op::OpSpecConstant)) {
    Inst constant = at(def->offset);
    Def* integer = find(constant[1]);
    if (integer && opcode(*integer) == spv::Op::OpTypeInt && words[integer->offset + 2] == 32)
      return constant[3];
  }
  return malformed(inst, "%" + std::to_string(id) + " is not a constant of a 32-bit integer");
}

Result<llvm::StringRef> ModuleReader::literal_string(const Inst& inst, uint32_t first, uint32_t* next) const {
  static_assert(std::endian::native == std::endian::little, "strings are read in place");
  std::span<const uint32_t> part = inst.from(first);
  llvm::StringRef all(reinterpret_cast<const char*>(part.data()), part.size_bytes());
  size_t length = all.find('\0');
  if (length == llvm::StringRef::npos)
    return malformed(inst, "a string without its end");
  if (next)
    *next = first + uint32_t(length / 4) + 1;
  return all.take_front(length);
}

Result<llvm::StringRef> ModuleReader::string(const Inst& inst, uint32_t id) {
  Def* def = find(id);
  if (!def || def->kind != Kind::string)
    return malformed(inst, "%" + std::to_string(id) + " is not an OpString");
  return literal_string(at(def->offset), 2);
}

Result<uint32_t> ModuleReader::pointee(const Inst& inst, uint32_t id) {
  Def* def = find(id);
  const Row* row = def ? find_row(words[def->offset] & 0xffff) : nullptr;
  if (!row || row->layout != Layout::typed)
    return malformed(inst, "%" + std::to_string(id) + " is not a pointer");
  Def* type = find(words[def->offset + 1]);
  if (type && opcode(*type) == spv::Op::OpTypeVector) // a vector of pointers
    type = find(words[type->offset + 2]);
  if (!type || opcode(*type) != spv::Op::OpTypePointer)
    return malformed(inst, "%" + std::to_string(id) + " is not a pointer to a known type");
  return words[type->offset + 3];
}

llvm::APInt ModuleReader::literal(std::span<const uint32_t> part, unsigned width) const {
  llvm::SmallVector<uint64_t, 2> limbs((part.size() + 1) / 2, 0);
  for (size_t i = 0; i < part.size(); ++i)
    limbs[i / 2] |= uint64_t(part[i]) << (32 * (i % 2));
  return llvm::APInt(width, limbs); // takes the low bits
}

std::optional<std::span<const uint32_t>> ModuleReader::decoration(const Def& def, spv::Decoration kind) const {
  for (uint32_t at_entry = def.decorations; at_entry; at_entry = decorations_[at_entry - 1].next) {
    Inst inst = at(decorations_[at_entry - 1].offset);
    if (inst.op() == spv::Op::OpGroupDecorate) {
      const Def& group = defs_[index_.get(inst[1])];
      for (uint32_t entry = group.decorations; entry; entry = decorations_[entry - 1].next) {
        Inst in_group = at(decorations_[entry - 1].offset);
        if (in_group.op() == spv::Op::OpDecorate && spv::Decoration(in_group[2]) == kind)
          return in_group.from(3);
      }
    } else if (spv::Decoration(inst[2]) == kind) {
      return inst.from(3);
    }
  }
  return std::nullopt;
}

Result<llvm::MaybeAlign> ModuleReader::to_alignment(const Inst& inst, uint64_t bytes) const {
  if (bytes == 0)
    return llvm::MaybeAlign();
  if (!std::has_single_bit(bytes) || bytes > llvm::Value::MaximumAlignment)
    return malformed(inst, "alignment " + std::to_string(bytes) + " is not a power of two up to 2^32");
  return llvm::MaybeAlign(bytes);
}

Result<llvm::MaybeAlign> ModuleReader::alignment(const Inst& inst, const Def& def) const {
  if (auto literals = decoration(def, spv::Decoration::Alignment); literals && !literals->empty())
    return to_alignment(inst, (*literals)[0]);
  return llvm::MaybeAlign();
}

llvm::StringRef ModuleReader::name(const Def& def) const {
  if (!def.name)
    return {};
  Result<llvm::StringRef> text = literal_string(at(def.name), 2);
  return text ? *text : llvm::StringRef();
}

Result<void> ModuleReader::set_depth(const Inst& inst, Def& def, unsigned depth, unsigned most) const {
  if (depth > most)
    return unsupported(inst, "nested more than " + std::to_string(most) + " deep");
  def.depth = uint16_t(depth);
  return {};
}

Result<void> ModuleReader::define(const Inst& inst, llvm::Constant* constant, unsigned depth) {
  KILN_ASSIGN(llvm::Type * wanted, value_type(inst, inst[1]));
  if (constant->getType() != wanted)
    return malformed(inst, "the value is not of the result type");
  Def* def = find(inst[2]);
  KILN_TRY(set_depth(inst, *def, depth, max_constant_depth));
  def->value = constant;
  return {};
}

Result<unsigned> ModuleReader::address_space(const Inst& inst, uint32_t storage_class) const {
  const AddressSpaces& spaces = options.address_spaces;
  switch (spv::StorageClass(storage_class)) {
  case spv::StorageClass::Function:
  case spv::StorageClass::Private:
    return spaces.private_;
  case spv::StorageClass::CrossWorkgroup:
  case spv::StorageClass::DeviceOnlyINTEL:
  case spv::StorageClass::HostOnlyINTEL:
    return spaces.global;
  case spv::StorageClass::UniformConstant:
    return spaces.constant;
  case spv::StorageClass::Workgroup:
    return spaces.local;
  case spv::StorageClass::Generic:
    return spaces.generic;
  case spv::StorageClass::CodeSectionINTEL:
    return spaces.function;
  default:
    return unsupported(inst, "storage class " + std::to_string(storage_class));
  }
}

Result<void> ModuleReader::run_phase(const std::vector<uint32_t>& offsets) {
  for (uint32_t offset : offsets) {
    Inst inst = at(offset);
    KILN_TRY(inst.row->module(*this, inst));
  }
  return {};
}

Result<void> ModuleReader::verify() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(*module, &stream))
    return {};
  std::string_view first = stream.str();
  first = first.substr(0, std::min(first.find('\n'), size_t(400)));
  return Error{ErrorCode::invalid_module, "the module breaks a rule of LLVM IR: " + std::string(first)};
}

Result<std::unique_ptr<llvm::Module>> ModuleReader::run() {
  const std::string& layout = options.data_layout.empty() ? portable_data_layout : options.data_layout;
  llvm::Expected<llvm::DataLayout> parsed = llvm::DataLayout::parse(layout);
  if (!parsed)
    return Error{ErrorCode::invalid_argument, "data layout: " + llvm::toString(parsed.takeError())};
  module = std::make_unique<llvm::Module>("spirv", context);
  module->setDataLayout(*parsed);
  module->setTargetTriple(llvm::Triple(options.triple));
  for (const ScopeRow& row : llvm::reverse(scopes)) // the first row of a scope counts
    scopes_[uint32_t(row.spirv)] = context.getOrInsertSyncScopeID(row.llvm);
  scopes_[uint32_t(spv::Scope::QueueFamily)] = scopes_[uint32_t(spv::Scope::Device)];

  KILN_TRY(scan());
  KILN_TRY(find_predicates());
  KILN_TRY(run_phase(types_));
  for (FunctionInfo& info : functions)
    KILN_TRY(declare_function(*this, info));
  name_kernels(*this);
  KILN_TRY(run_phase(variables_));
  KILN_TRY(run_phase(constants_));
  for (auto [variable, offset] : initialisers) {
    Inst inst = at(offset);
    KILN_ASSIGN(llvm::Constant * value, constant(inst, inst[4]));
    if (value->getType() != variable->getValueType())
      return malformed(inst, "the initialiser is not of the variable's type");
    variable->setInitializer(value);
  }
  for (uint32_t offset : rows_)
    KILN_TRY(read_row(*this, at(offset)));
  apply_execution_modes(*this);
  for (uint32_t i = 0; i < functions.size(); ++i)
    if (functions[i].has_body)
      if (Result<void> body = read_body(*this, i); !body)
        return std::move(body.error()).context("function " + functions[i].function->getName().str());
  KILN_TRY(verify());
  return std::move(module);
}

} // namespace kiln::translate::reading

namespace kiln::translate {

Result<std::unique_ptr<llvm::Module>> read(std::span<const uint32_t> words, llvm::LLVMContext& context,
                                           const ReadOptions& options) {
  KILN_TRY(spirv::validate(words));
  return reading::ModuleReader(words, context, options).run();
}

} // namespace kiln::translate
