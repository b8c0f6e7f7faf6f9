// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/slice.h"

#include <algorithm>

namespace kiln::spirv {
namespace {

// A part of the module that goes into the slice. `filter`: a list of ids of which only those kept stay.
struct Piece {
  uint32_t offset, end;
  bool filter = false;
};

// Literals of an OpSwitch are as wide as its selector, which may be defined in the function at hand.
class FunctionContext final : public OperandContext {
public:
  FunctionContext(const ModuleIndex& index, const Function& function) : index_(index), function_(function) {}
  [[nodiscard]] const ExtInstSet* import_set(uint32_t id) const override { return index_.import_set(id); }
  [[nodiscard]] uint32_t literal_words(uint32_t id) const override {
    if (uint32_t words = index_.literal_words(id))
      return words;
    if (!scanned_) { // only functions with a switch pay for this
      scanned_ = true;
      for (Cursor c(index_.module().words().first(function_.end), function_.first); c.next();)
        if (result_word(c.instruction().opcode) == 2)
          types_.set(c.instruction().word(2), c.instruction().word(1));
    }
    return index_.type_literal_words(types_.get(id));
  }

private:
  const ModuleIndex& index_;
  const Function& function_;
  mutable bool scanned_ = false;
  mutable IdMap types_;
};

bool in_device_memory(spv::StorageClass storage) {
  return storage == spv::StorageClass::CrossWorkgroup || storage == spv::StorageClass::UniformConstant;
}

class Slicer {
public:
  explicit Slicer(const ModuleIndex& index) : index_(index) {}

  Result<void> add_kernel(const std::string& name) {
    const EntryPoint* entry = index_.find_entry_point(name);
    if (!entry)
      return Error{ErrorCode::not_found, "no kernel named " + name + " in the SPIR-V module, which has " +
                                             std::to_string(index_.entry_points().size()) + " kernels"};
    for (const EntryPoint& other : index_.entry_points())
      if (other.name == name && other.offset != entry->offset)
        return invalid(other.offset, "OpEntryPoint: a second kernel is named " + name);
    if (!index_.find_function(entry->function))
      return invalid(entry->offset, "OpEntryPoint: %" + std::to_string(entry->function) + " is not a function");
    if (kernels_.get(entry->offset) != 0)
      return {}; // named twice
    kernels_.set(entry->offset, 1);
    kernel_functions_.set(entry->function, 1);
    add_piece(index_.module().at(entry->offset), true);
    need(entry->function);
    return {};
  }

  void add_globals() {
    for (const Variable& variable : index_.variables())
      if (in_device_memory(variable.storage) && variable.id != index_.predicate_table())
        need(variable.id);
  }

  Result<std::vector<uint32_t>> finish() {
    for (uint32_t offset : index_.module_wide()) {
      Instruction instruction = index_.module().at(offset);
      if (uint32_t id = instruction.result())
        need(id);
      else
        add_piece(instruction);
    }
    while (!work_.empty()) {
      uint32_t id = work_.back();
      work_.pop_back();
      KILN_TRY(define(id));
    }
    return write();
  }

private:
  void add_piece(const Instruction& instruction, bool filter = false) {
    pieces_.push_back({instruction.offset, instruction.offset + uint32_t(instruction.size()), filter});
  }

  // Ids that are not defined outside of functions belong to the function that is being walked.
  void need(uint32_t id) {
    if (index_.definition(id) == 0 || kept_.get(id) != 0)
      return;
    kept_.set(id, 1);
    work_.push_back(id);
  }

  Result<void> need_operands(const Instruction& instruction, const OperandContext& context) {
    KILN_TRY(split_operands(instruction, context, operands_));
    for (const Operand& operand : operands_)
      if (operand.is_use())
        need(instruction.words[operand.first]);
    return {};
  }

  Result<void> define(uint32_t id) {
    Instruction instruction = index_.module().at(index_.definition(id));
    KILN_TRY(attach(id));
    if (const Function* function = index_.find_function(id))
      return walk(*function);
    if (index_.kiln_instruction(instruction) == Kiln::Poison) {
      add_piece(instruction, true);
      need(instruction.word(1));
      need(instruction.word(3));
      return {};
    }
    add_piece(instruction);
    bool constant =
        instruction.opcode == spv::Op::OpSpecConstantTrue || instruction.opcode == spv::Op::OpSpecConstantFalse;
    if (constant && has_spec_id(id))
      need(index_.predicate_table());
    return need_operands(instruction, index_);
  }

  [[nodiscard]] bool has_spec_id(uint32_t id) const {
    bool found = false;
    index_.for_each_attached(id, [&](const Instruction& instruction) {
      found |=
          instruction.opcode == spv::Op::OpDecorate && spv::Decoration(instruction.word(2)) == spv::Decoration::SpecId;
    });
    return found;
  }

  Result<void> walk(const Function& function) {
    pieces_.push_back({function.first, function.end});
    FunctionContext context(index_, function);
    Cursor cursor(index_.module().words().first(function.end), function.first);
    while (cursor.next()) {
      const Instruction& instruction = cursor.instruction();
      KILN_TRY(need_operands(instruction, context));
      uint32_t id = instruction.result();
      if (id != 0 && id != function.id) {
        if (index_.definition(id) != 0 || kept_.get(id) != 0)
          return invalid(instruction, "%" + std::to_string(id) + " is defined twice");
        kept_.set(id, 1);
        KILN_TRY(attach(id));
      }
    }
    return {};
  }

  // What names, decorates or is about an id that is kept.
  Result<void> attach(uint32_t id) {
    Result<void> result;
    index_.for_each_attached(id, [&](const Instruction& instruction) {
      if (result.ok())
        result = attach(id, instruction);
    });
    return result;
  }

  Result<void> attach(uint32_t id, const Instruction& instruction) {
    if (uint32_t own = instruction.result()) { // a non-semantic instruction: an id like others
      need(own);
      return {};
    }
    switch (instruction.opcode) {
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      if (kernel_functions_.get(id) == 0)
        return {};
      break;
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
      if (lists_.get(instruction.offset) == 0) {
        lists_.set(instruction.offset, 1);
        add_piece(instruction, true);
        need(instruction.word(1));
      }
      return {};
    default:
      break;
    }
    add_piece(instruction);
    std::vector<Operand> operands; // walk() is using operands_
    KILN_TRY(split_operands(instruction, index_, operands));
    for (const Operand& operand : operands)
      if (operand.is_use())
        need(instruction.words[operand.first]);
    return {};
  }

  [[nodiscard]] std::vector<uint32_t> write() {
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.offset < b.offset; });
    std::span<const uint32_t> words = index_.module().words();
    size_t total = header_words;
    for (const Piece& piece : pieces_)
      total += piece.end - piece.offset;
    std::vector<uint32_t> out;
    out.reserve(total);
    out.assign(words.begin(), words.begin() + header_words);
    for (const Piece& piece : pieces_) {
      if (piece.filter)
        write_filtered(index_.module().at(piece.offset), out);
      else
        out.insert(out.end(), words.begin() + piece.offset, words.begin() + piece.end);
    }
    return out;
  }

  // The fixed operands, then those of the list that are kept. (Something is: it brought the list in.)
  void write_filtered(const Instruction& instruction, std::vector<uint32_t>& out) const {
    size_t fixed = 2, step = 1; // OpGroupDecorate: group, targets
    if (instruction.opcode == spv::Op::OpEntryPoint)
      fixed = 3 + string_words(instruction, 3); // model, function, name, interface
    else if (instruction.opcode == spv::Op::OpGroupMemberDecorate)
      step = 2; // group, {type, member}
    else if (instruction.opcode != spv::Op::OpGroupDecorate)
      fixed = 5; // OpExtInst: type, result, set, number, ids
    size_t start = out.size();
    out.insert(out.end(), instruction.words.begin(), instruction.words.begin() + std::ptrdiff_t(fixed));
    for (size_t at = fixed; at + step <= instruction.size(); at += step)
      if (kept_.get(instruction.words[at]) != 0)
        out.insert(out.end(), instruction.words.begin() + std::ptrdiff_t(at),
                   instruction.words.begin() + std::ptrdiff_t(at + step));
    out[start] = uint32_t(instruction.opcode) | uint32_t(out.size() - start) << 16;
  }
  static size_t string_words(const Instruction& instruction, size_t at) {
    return instruction.string(at)->size() / 4 + 1;
  }

  const ModuleIndex& index_;
  IdMap kept_;             // ids
  IdMap kernels_;          // offsets of wanted entry points
  IdMap kernel_functions_; // their functions
  IdMap lists_;            // offsets of group decorations that are pieces already
  std::vector<uint32_t> work_;
  std::vector<Piece> pieces_;
  std::vector<Operand> operands_;
};

} // namespace

Result<std::vector<uint32_t>> slice(const ModuleIndex& index, std::span<const std::string> kernels) {
  Slicer slicer(index);
  for (const std::string& name : kernels)
    KILN_TRY(slicer.add_kernel(name));
  return slicer.finish();
}

Result<std::vector<uint32_t>> slice_globals(const ModuleIndex& index) {
  Slicer slicer(index);
  slicer.add_globals();
  return slicer.finish();
}

} // namespace kiln::spirv
