// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan: once over all words. After it every instruction is known to lie inside the module, to have the words that
// its row demands, and to stand where it may; every id has one definition at most.
#include "translate/read_module.h"

#include "spirv/grammar.h"

namespace kiln::translate::reading {
namespace {

constexpr uint32_t max_group = 64; // decorations in one group

Kind kind_of(Phase phase, spv::Op op) {
  switch (phase) {
  case Phase::type:
    return Kind::type;
  case Phase::constant:
  case Phase::variable:
  case Phase::parameter:
  case Phase::block:
    return Kind::value;
  case Phase::function:
    return Kind::function;
  case Phase::label:
    return Kind::label;
  case Phase::row:
    return Kind::other; // a value if OpenCL.std: the scan of the row says so
  case Phase::scan:
    return op == spv::Op::OpString ? Kind::string : op == spv::Op::OpExtInstImport ? Kind::set : Kind::other;
  default:
    return Kind::other;
  }
}

Result<void> ext_inst_import(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(llvm::StringRef name, reader.literal_string(inst, 2));
  InstSet set = InstSet::unknown;
  if (name == kiln_set_name)
    set = InstSet::kiln;
  else if (name == "OpenCL.std")
    set = InstSet::opencl;
  else if (name.starts_with("NonSemantic.") || name == "OpenCL.DebugInfo.100" || name == "SPIRV.debug")
    set = InstSet::ignored;
  reader.kiln_module |= set == InstSet::kiln;
  reader.find(inst[1])->extra = uint32_t(set);
  return {};
}

Result<void> string(ModuleReader& reader, const Inst& inst) {
  KILN_TRY(reader.literal_string(inst, 2));
  return {};
}

Result<void> name(ModuleReader& reader, const Inst& inst) {
  KILN_TRY(reader.literal_string(inst, 2));
  KILN_ASSIGN(Def * def, reader.slot(inst, inst[1]));
  def->name = inst.offset;
  return {};
}

Result<void> decorate(ModuleReader& reader, const Inst& inst) {
  KILN_ASSIGN(Def * def, reader.slot(inst, inst[1]));
  reader.add_decoration(*def, inst.offset);
  return {};
}

Result<void> group_decorate(ModuleReader& reader, const Inst& inst) {
  Def* group = reader.find(inst[1]);
  if (!group || reader.opcode(*group) != spv::Op::OpDecorationGroup)
    return reader.malformed(inst, "%" + std::to_string(inst[1]) + " is not a decoration group");
  for (uint32_t id : inst.from(2)) {
    KILN_ASSIGN(Def * target, reader.slot(inst, id));
    reader.add_decoration(*target, inst.offset);
  }
  return {};
}

Result<void> decoration_group(ModuleReader& reader, const Inst& inst) {
  // Each look-up at a member walks the group, so a long group would make reading quadratic.
  const Def* group = reader.find(inst[1]);
  if (reader.count_decorations(*group, max_group + 1) > max_group)
    return reader.unsupported(inst, "a group of more than 64 decorations");
  return {};
}

Result<void> entry_point(ModuleReader& reader, const Inst& inst) {
  if (spv::ExecutionModel(inst[1]) != spv::ExecutionModel::Kernel)
    return reader.unsupported(inst, "an entry point that is not a kernel");
  KILN_TRY(reader.literal_string(inst, 3));
  reader.entry_points.push_back(inst.offset);
  return {};
}

Result<void> execution_mode(ModuleReader& reader, const Inst& inst) {
  reader.execution_modes.push_back(inst.offset);
  return {};
}

Result<void> memory_model(ModuleReader& reader, const Inst& inst) {
  if (spv::AddressingModel(inst[1]) != spv::AddressingModel::Physical64)
    return reader.unsupported(inst, "an addressing model other than Physical64");
  if (spv::MemoryModel(inst[2]) != spv::MemoryModel::OpenCL)
    return reader.unsupported(inst, "a memory model other than OpenCL");
  return {};
}

#define SKIP(op, words) {spv::Op::op, #op, words, Layout::plain, Phase::skip}
#define SCAN(op, words, layout, handler) {spv::Op::op, #op, words, Layout::layout, Phase::scan, handler}
constexpr Row rows[] = {
    SKIP(OpNop, 1),
    SKIP(OpSource, 3),
    SKIP(OpSourceContinued, 2),
    SKIP(OpSourceExtension, 2),
    SKIP(OpModuleProcessed, 2),
    SKIP(OpMemberName, 4),
    SKIP(OpLine, 4),
    SKIP(OpNoLine, 1),
    SKIP(OpCapability, 2), // an instruction that needs one which the reader lacks is refused itself
    SKIP(OpExtension, 2),
    SKIP(OpTypeForwardPointer, 3), // a pointer type is read without its pointee
    SKIP(OpMemberDecorate, 4),
    SKIP(OpGroupMemberDecorate, 2),
    SKIP(OpMemberDecorateString, 5),
    SKIP(OpDecorateId, 3),
    SKIP(OpExecutionModeId, 3),
    SCAN(OpExtInstImport, 3, result, ext_inst_import),
    SCAN(OpString, 3, result, string),
    SCAN(OpName, 3, plain, name),
    SCAN(OpDecorate, 3, plain, decorate),
    SCAN(OpDecorateString, 4, plain, decorate),
    SCAN(OpDecorationGroup, 2, result, decoration_group),
    SCAN(OpGroupDecorate, 2, plain, group_decorate),
    SCAN(OpEntryPoint, 4, plain, entry_point),
    SCAN(OpExecutionMode, 3, plain, execution_mode),
    SCAN(OpMemoryModel, 3, plain, memory_model),
};

} // namespace

Rows preamble_rows() {
  return rows;
}

Result<Def*> ModuleReader::slot(const Inst& inst, uint32_t id) {
  if (id == 0 || id >= bound)
    return malformed(inst, "id %" + std::to_string(id) + " is not below the bound " + std::to_string(bound));
  uint32_t at = index_.get(id);
  if (!at) {
    at = uint32_t(defs_.size());
    index_.set(id, at);
    defs_.emplace_back();
  }
  return &defs_[at];
}

void ModuleReader::add_decoration(Def& def, uint32_t offset) {
  decorations_.push_back({offset, def.decorations});
  def.decorations = uint32_t(decorations_.size());
}

uint32_t ModuleReader::count_decorations(const Def& def, uint32_t most) const {
  uint32_t count = 0;
  for (uint32_t entry = def.decorations; entry && count < most; entry = decorations_[entry - 1].next)
    ++count;
  return count;
}

Result<void> ModuleReader::scan_header() {
  if (words.size() < spirv::header_words)
    return Error{ErrorCode::invalid_module, "not SPIR-V: shorter than its header of five words"};
  if (words.size() > UINT32_MAX)
    return Error{ErrorCode::unsupported, "a module of more than 2^32 words"};
  if (words[0] != spirv::magic)
    return Error{ErrorCode::invalid_module, "not SPIR-V: the first word is not 0x07230203"};
  if (words[1] >> 16 != 1 || (words[1] >> 8 & 0xff) > 6)
    return Error{ErrorCode::unsupported, "SPIR-V version " + std::to_string(words[1] >> 16) + "." +
                                             std::to_string(words[1] >> 8 & 0xff) + ", only 1.0 to 1.6 are known"};
  bound = words[3];
  if (bound == 0)
    return Error{ErrorCode::invalid_module, "the id bound is 0"};
  index_ = spirv::IdMap(bound, words.size());
  defs_.reserve(std::min<size_t>(bound, words.size()) + 1); // never grows: pointers into it stay good
  defs_.emplace_back();                                     // index 0 is "nothing"
  return {};
}

Result<void> ModuleReader::note_result(const Inst& inst, uint32_t function) {
  uint32_t id = inst.result();
  KILN_ASSIGN(Def * def, slot(inst, id));
  if (def->offset)
    return malformed(inst, "%" + std::to_string(id) + " is defined a second time");
  def->offset = inst.offset;
  def->function = function;
  // A function's own id and its label are seen from the module's side.
  def->kind = kind_of(inst.row->phase, inst.op());
  if (inst.row->phase == Phase::function)
    def->function = 0;
  return {};
}

// Kiln rows that say how to read what stands before them.
Result<void> ModuleReader::scan_row(const Inst& inst) {
  Def* set = find(inst[3]);
  if (!set || set->kind != Kind::set)
    return malformed(inst, "%" + std::to_string(inst[3]) + " is not an imported instruction set");
  if (InstSet(set->extra) == InstSet::opencl)
    find(inst[2])->kind = Kind::value;
  if (InstSet(set->extra) != InstSet::kiln)
    return {};
  switch (spirv::Kiln(inst[4])) {
  case spirv::Kiln::Poison:
    for (uint32_t id : inst.from(5))
      if (Def* def = find(id))
        def->poison = true;
    break;
  case spirv::Kiln::Freeze:
    for (uint32_t id : inst.from(5))
      if (Def* def = find(id))
        def->freeze = true;
    break;
  case spirv::Kiln::Global: {
    if (inst.count() < 9)
      return malformed(inst, "Global with too few operands");
    KILN_ASSIGN(Def * def, slot(inst, inst[5]));
    def->global_row = inst.offset;
    break;
  }
  default:
    break;
  }
  return {};
}

Result<void> ModuleReader::scan_instruction(const Inst& inst, uint32_t& function, bool& in_block) {
  const Phase phase = inst.row->phase;
  if (phase == Phase::skip)
    return {};
  const bool inside = function != 0;
  if (inst.row->layout != Layout::plain)
    KILN_TRY(note_result(inst, inside ? function : 0));
  switch (phase) {
  case Phase::skip:
    break;
  case Phase::scan:
    return inst.row->module(*this, inst);
  case Phase::type:
    if (!inside) {
      types_.push_back(inst.offset);
      return {};
    }
    return malformed(inst, "inside of a function");
  case Phase::constant:
  case Phase::variable:
  case Phase::row:
    if (phase == Phase::row)
      KILN_TRY(scan_row(inst));
    if (!inside) {
      (phase == Phase::constant ? constants_ : phase == Phase::variable ? variables_ : rows_).push_back(inst.offset);
      return {};
    }
    if (!inst.row->block)
      return malformed(inst, "inside of a function");
    break;
  case Phase::function:
    if (inside)
      return malformed(inst, "inside of another function");
    functions.emplace_back();
    functions.back().id = inst[2];
    functions.back().begin = inst.offset;
    function = uint32_t(functions.size());
    find(inst[2])->extra = function - 1;
    in_block = false;
    return {};
  case Phase::parameter:
    if (!inside || functions.back().has_body)
      return malformed(inst, "not at the start of a function");
    functions.back().parameters.push_back(inst[2]);
    return {};
  case Phase::function_end:
    if (!inside)
      return malformed(inst, "without its function");
    functions.back().end = inst.offset;
    function = 0;
    return {};
  case Phase::label:
    if (!inside)
      return malformed(inst, "outside of a function");
    functions.back().has_body = in_block = true;
    return {};
  case Phase::block:
    break;
  }
  if (!inside || !in_block)
    return malformed(inst, "outside of a block");
  return {};
}

Result<void> ModuleReader::scan() {
  KILN_TRY(scan_header());
  uint32_t function = 0;
  bool in_block = false;
  for (uint32_t offset = spirv::header_words; offset < words.size();) {
    const uint32_t count = words[offset] >> 16, opcode = words[offset] & 0xffff;
    Inst inst{find_row(opcode), offset, {}};
    if (count == 0 || count > words.size() - offset) {
      inst.words = words.subspan(offset, 1);
      inst.row = nullptr;
      return malformed(inst, "a length of " + std::to_string(count) + " words, but the module has " +
                                 std::to_string(words.size() - offset) + " left");
    }
    inst.words = words.subspan(offset, count);
    if (!inst.row)
      return unsupported(inst, spirv::opcode_name(inst.op()) + " is not supported");
    if (count < inst.row->words) {
      inst.row = nullptr;
      return malformed(inst,
                       "only " + std::to_string(count) + " words, it needs " + std::to_string(find_row(opcode)->words));
    }
    KILN_TRY(scan_instruction(inst, function, in_block));
    offset += count;
  }
  if (function)
    return Error{ErrorCode::invalid_module, "the module ends inside of a function"};
  for (uint32_t offset : entry_points) {
    Inst inst = at(offset);
    Def* def = find(inst[2]);
    if (!def || def->kind != Kind::function)
      return malformed(inst, "%" + std::to_string(inst[2]) + " is not a function");
    functions[def->extra].entry_point = offset;
  }
  return {};
}

// Upstream LLVM's encoding of feature predicates: a variable whose bytes are "NAME n\0" for each, n a SpecId.
Result<void> ModuleReader::find_predicates() {
  std::string text;
  for (uint32_t offset : variables_) {
    Inst inst = at(offset);
    if (name(*find(inst[2])) != predicate_ids_name || inst.count() < 5)
      continue;
    Def* bytes = find(inst[4]);
    if (!bytes || opcode(*bytes) != spv::Op::OpConstantComposite)
      continue;
    for (uint32_t id : at(bytes->offset).from(3)) {
      Def* byte = find(id);
      bool literal = byte && opcode(*byte) == spv::Op::OpConstant;
      text.push_back(literal ? char(words[byte->offset + 3]) : '\0');
    }
  }
  llvm::SmallVector<llvm::StringRef> entries;
  llvm::StringRef(text).split(entries, '\0', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef entry : entries) {
    auto [predicate, number] = entry.rsplit(' ');
    uint32_t spec_id = 0;
    if (number.getAsInteger(10, spec_id))
      return Error{ErrorCode::invalid_module, "feature predicate \"" + entry.str() + "\" has no specialisation id"};
    std::optional<bool> decided;
    if (options.decide_predicate)
      decided = options.decide_predicate(std::string_view(predicate.data(), predicate.size()));
    predicates.push_back({spec_id, predicate.str(), decided});
  }
  return {};
}

} // namespace kiln::translate::reading
