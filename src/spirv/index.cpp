// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/index.h"

#include "spirv/validate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

namespace kiln::spirv {

constexpr std::string_view predicate_table_name = "llvm.amdgcn.feature.predicate.ids";
constexpr std::string_view predicate_prefix = "llvm.amdgcn."; // then is.gfxN or has.a,b: AMD's own encoding

class IndexBuilder {
public:
  explicit IndexBuilder(ModuleIndex& index) : i_(index) {}

  Result<void> run(std::span<const uint32_t> words) {
    KILN_ASSIGN(i_.module_, Module::parse_header(words));
    uint32_t bound = i_.module_.header().bound;
    i_.definitions_ = IdMap(bound, words.size());
    i_.attached_ = IdMap(bound, words.size());
    Cursor cursor(words);
    while (cursor.next()) {
      const Instruction& instruction = cursor.instruction();
      if (in_function_)
        KILN_TRY(inside(instruction));
      else
        KILN_TRY(outside(instruction));
    }
    KILN_TRY(cursor.finish());
    if (in_function_)
      return invalid(i_.functions_.back().first, "OpFunction: the function is not ended; the module is truncated");
    link();
    find_predicates();
    return {};
  }

private:
  Result<void> inside(const Instruction& instruction) {
    Function& function = i_.functions_.back();
    if (instruction.opcode == spv::Op::OpLabel) {
      function.has_body = true;
    } else if (instruction.opcode == spv::Op::OpFunctionEnd) {
      function.end = instruction.offset + uint32_t(instruction.size());
      in_function_ = false;
    } else if (instruction.opcode == spv::Op::OpFunction) {
      return invalid(instruction, "a function starts inside another");
    }
    return {};
  }

  Result<void> outside(const Instruction& instruction) {
    if (unsigned at = result_word(instruction.opcode)) {
      uint32_t id = instruction.word(at);
      if (id == 0 || id >= i_.module_.header().bound)
        return invalid(instruction, "the result id " + std::to_string(id) + " is not below the bound " +
                                        std::to_string(i_.module_.header().bound));
      if (i_.definitions_.get(id) != 0)
        return invalid(instruction, "%" + std::to_string(id) + " is defined twice");
      i_.definitions_.set(id, instruction.offset);
      last_defined_ = id;
    }
    if (auto handler = find_handler(instruction.opcode))
      return (this->*handler)(instruction);
    return {};
  }

  using Handler = Result<void> (IndexBuilder::*)(const Instruction&);
  struct Row {
    spv::Op opcode;
    Handler handler;
  };
  static Handler find_handler(spv::Op opcode);

  // --- one handler a family of instructions ---

  Result<void> capability(const Instruction& instruction) {
    i_.capabilities_.push_back(spv::Capability(instruction.word(1)));
    return module_wide(instruction);
  }
  Result<void> module_wide(const Instruction& instruction) {
    i_.module_wide_.push_back(instruction.offset);
    return {};
  }
  Result<void> extension(const Instruction& instruction) {
    auto name = instruction.string(1);
    if (!name)
      return invalid(instruction, "the name is not ended");
    i_.extensions_.push_back(*name);
    return module_wide(instruction);
  }
  Result<void> import(const Instruction& instruction) {
    auto name = instruction.string(2);
    if (!name)
      return invalid(instruction, "the name is not ended");
    i_.imports_.push_back(*name);
    if (*name == kiln_set_name)
      i_.kiln_import_ = instruction.word(1);
    for (uint32_t position = 0; const ExtInstSet* set = ext_inst_set(position); ++position)
      if (set->name == *name)
        i_.import_sets_.set(instruction.word(1), position + 1);
    return {};
  }
  Result<void> entry_point(const Instruction& instruction) {
    auto name = instruction.string(3);
    if (!name)
      return invalid(instruction, "the name is missing or not ended");
    i_.entry_points_.push_back(
        {*name, instruction.word(2), instruction.offset, spv::ExecutionModel(instruction.word(1))});
    return {};
  }
  Result<void> target_first(const Instruction& instruction) {
    attach(instruction.word(1), instruction);
    return {};
  }
  Result<void> name(const Instruction& instruction) {
    auto text = instruction.string(2);
    if (text && text->starts_with(predicate_prefix))
      predicate_names_.push_back({*text, instruction.word(1)});
    return target_first(instruction);
  }
  Result<void> decorate(const Instruction& instruction) {
    auto decoration = spv::Decoration(instruction.word(2));
    if (decoration == spv::Decoration::SpecId && instruction.size() == 4) {
      i_.spec_constants_.push_back({instruction.word(1), instruction.word(3)});
    } else if (decoration == spv::Decoration::LinkageAttributes) {
      auto text = instruction.string(3);
      if (!text || instruction.size() < 3 + text->size() / 4 + 2)
        return invalid(instruction, "the linkage name is not ended or the type is missing");
      auto type = spv::LinkageType(instruction.words[3 + text->size() / 4 + 1]);
      i_.linkage_.push_back({instruction.word(1), *text, type});
    }
    return target_first(instruction);
  }
  Result<void> group_decorate(const Instruction& instruction) {
    for (size_t at = 2; at < instruction.size(); ++at)
      attach(instruction.words[at], instruction);
    return {};
  }
  Result<void> group_member_decorate(const Instruction& instruction) {
    for (size_t at = 2; at < instruction.size(); at += 2)
      attach(instruction.words[at], instruction);
    return {};
  }
  Result<void> continued(const Instruction& instruction) {
    attach(last_defined_, instruction);
    return {};
  }
  Result<void> variable(const Instruction& instruction) {
    i_.variables_.push_back({instruction.word(2), instruction.word(1), spv::StorageClass(instruction.word(3)),
                             instruction.word(4), instruction.offset});
    return {};
  }
  Result<void> untyped_variable(const Instruction& instruction) {
    i_.variables_.push_back({instruction.word(2), instruction.word(1), spv::StorageClass(instruction.word(3)),
                             instruction.word(5), instruction.offset});
    return {};
  }
  Result<void> function(const Instruction& instruction) {
    if (instruction.size() != 5)
      return invalid(instruction, "an operand is missing");
    uint32_t id = instruction.word(2);
    i_.functions_.push_back({id, instruction.word(4), instruction.offset, 0, false});
    i_.function_ids_.set(id, uint32_t(i_.functions_.size()));
    in_function_ = true;
    return {};
  }

  // Outside of functions only non-semantic instructions and debug information may stand. Which operand they are about
  // is a column of our own table; NonSemantic.AuxData puts it first; everything else is kept when something refers to
  // it.
  Result<void> ext_inst(const Instruction& instruction) {
    enum Rule { Value, Subject, List, Named, Local };
    struct KilnRow {
      uint32_t number;
      Rule rule;
      unsigned subject;
    };
    static constexpr KilnRow kiln_rows[] = {
#define KILN_INSTRUCTION(number, name, scope, slice_rule, subject) {number, slice_rule, subject},
#include "spirv/kiln_instructions.inc"
    };
    if (instruction.size() < 5)
      return invalid(instruction, "an operand is missing");
    constexpr size_t first_operand = 5;
    if (i_.kiln_import_ == 0 || instruction.word(3) != i_.kiln_import_) {
      const ExtInstSet* set = i_.import_set(instruction.word(3));
      if (set && set->name == "NonSemantic.AuxData")
        attach(instruction.word(first_operand), instruction);
      return {};
    }
    for (const KilnRow& row : kiln_rows) {
      if (row.number != instruction.word(4))
        continue;
      if (row.rule == Subject)
        attach(instruction.word(first_operand + row.subject), instruction);
      if (row.rule == List)
        for (size_t at = first_operand; at < instruction.size(); ++at)
          attach(instruction.words[at], instruction);
      if (row.rule == Named)
        if (auto text = i_.find(instruction.word(first_operand)); text && text->opcode == spv::Op::OpString)
          if (text->string(2) == "llvm.module.flags")
            return module_wide(instruction);
    }
    return {};
  }

  // --- after the scan ---

  void attach(uint32_t target, const Instruction& instruction) {
    if (target == 0 || target >= i_.module_.header().bound)
      return; // validation speaks of it
    if (!i_.links_.empty() && i_.links_.back().target == target && i_.links_.back().offset == instruction.offset)
      return; // the same target twice in a list
    i_.links_.push_back({target, instruction.offset, 0});
  }

  // Links each target's instructions in the order they stand in.
  void link() {
    for (size_t at = i_.links_.size(); at-- > 0;) {
      ModuleIndex::Link& link = i_.links_[at];
      link.next = i_.attached_.get(link.target);
      i_.attached_.set(link.target, uint32_t(at + 1));
    }
  }

  void find_predicates() {
    std::erase_if(i_.spec_constants_, [&](const SpecConstant& constant) { return i_.definition(constant.id) == 0; });
    for (const auto& [text, id] : predicate_names_) {
      auto variable = i_.find(id);
      if (!variable || variable->opcode != spv::Op::OpVariable)
        continue;
      if (text == predicate_table_name) {
        i_.predicate_table_ = id;
        if (auto bytes = i_.constant_bytes(variable->word(4)))
          decode_table(*bytes);
      } else {
        std::string_view rest = text.substr(predicate_prefix.size());
        if (rest.starts_with("is.") || rest.starts_with("has."))
          i_.predicates_.push_back({std::string(rest), id, std::nullopt});
      }
    }
  }

  // "is.gfx950 6\0has.gfx11-insts 0\0": names and the SpecIds that stand for them.
  void decode_table(std::string_view bytes) {
    std::vector<SpecConstant> by_spec_id = i_.spec_constants_;
    auto less = [](const SpecConstant& a, const SpecConstant& b) { return a.spec_id < b.spec_id; };
    std::sort(by_spec_id.begin(), by_spec_id.end(), [](const SpecConstant& a, const SpecConstant& b) {
      return std::pair(a.spec_id, a.id) < std::pair(b.spec_id, b.id);
    });
    std::unordered_set<uint32_t> named; // a SpecId has one name; this also bounds the work
    while (!bytes.empty()) {
      std::string_view row = bytes.substr(0, bytes.find('\0'));
      bytes.remove_prefix(std::min(bytes.size(), row.size() + 1));
      size_t space = row.rfind(' ');
      uint32_t spec_id = 0;
      if (space == std::string_view::npos)
        continue;
      auto [end, error] = std::from_chars(row.data() + space + 1, row.data() + row.size(), spec_id);
      if (error != std::errc() || end != row.data() + row.size() || !named.insert(spec_id).second)
        continue;
      auto [first, last] = std::equal_range(by_spec_id.begin(), by_spec_id.end(), SpecConstant{0, spec_id}, less);
      for (; first != last; ++first)
        i_.predicates_.push_back({std::string(row.substr(0, space)), first->id, spec_id});
    }
  }

  ModuleIndex& i_;
  bool in_function_ = false;
  uint32_t last_defined_ = 0;
  std::vector<std::pair<std::string_view, uint32_t>> predicate_names_;
};

IndexBuilder::Handler IndexBuilder::find_handler(spv::Op opcode) {
  using enum spv::Op;
  static constexpr Row rows[] = {
      // clang-format off
      {OpCapability,                       &IndexBuilder::capability},
      {OpExtension,                        &IndexBuilder::extension},
      {OpExtInstImport,                    &IndexBuilder::import},
      {OpMemoryModel,                      &IndexBuilder::module_wide},
      {OpEntryPoint,                       &IndexBuilder::entry_point},
      {OpExecutionMode,                    &IndexBuilder::target_first},
      {OpExecutionModeId,                  &IndexBuilder::target_first},
      {OpName,                             &IndexBuilder::name},
      {OpMemberName,                       &IndexBuilder::target_first},
      {OpDecorate,                         &IndexBuilder::decorate},
      {OpDecorateId,                       &IndexBuilder::target_first},
      {OpDecorateString,                   &IndexBuilder::target_first},
      {OpMemberDecorate,                   &IndexBuilder::target_first},
      {OpMemberDecorateString,             &IndexBuilder::target_first},
      {OpGroupDecorate,                    &IndexBuilder::group_decorate},
      {OpGroupMemberDecorate,              &IndexBuilder::group_member_decorate},
      {OpTypeForwardPointer,               &IndexBuilder::target_first},
      {OpTypeStructContinuedINTEL,         &IndexBuilder::continued},
      {OpConstantCompositeContinuedINTEL,  &IndexBuilder::continued},
      {OpSpecConstantCompositeContinuedINTEL, &IndexBuilder::continued},
      {OpVariable,                         &IndexBuilder::variable},
      {op::UntypedVariableKHR,             &IndexBuilder::untyped_variable},
      {OpFunction,                         &IndexBuilder::function},
      {OpExtInst,                          &IndexBuilder::ext_inst},
      {op::ExtInstWithForwardRefsKHR,      &IndexBuilder::ext_inst},
      // clang-format on
  };
  static constexpr auto positions = [] {
    std::array<uint8_t, 6200> result{};
    for (size_t i = 0; i < std::size(rows); ++i)
      result[size_t(rows[i].opcode)] = uint8_t(i + 1);
    return result;
  }();
  uint8_t position = size_t(opcode) < positions.size() ? positions[size_t(opcode)] : 0;
  return position ? rows[position - 1].handler : nullptr;
}

Result<ModuleIndex> ModuleIndex::build(std::span<const uint32_t> words) {
  ModuleIndex index;
  KILN_TRY(IndexBuilder(index).run(words));
  KILN_TRY(check_memory_model(index.module_));
  return index;
}

const EntryPoint* ModuleIndex::find_entry_point(std::string_view name) const {
  auto at = std::find_if(entry_points_.begin(), entry_points_.end(), [&](const auto& e) { return e.name == name; });
  return at == entry_points_.end() ? nullptr : &*at;
}

const Function* ModuleIndex::find_function(uint32_t id) const {
  uint32_t at = function_ids_.get(id);
  return at ? &functions_[at - 1] : nullptr;
}

std::optional<Instruction> ModuleIndex::find(uint32_t id) const {
  uint32_t offset = definition(id);
  return offset ? std::optional(module_.at(offset)) : std::nullopt;
}

std::string_view ModuleIndex::name(uint32_t id) const {
  std::string_view result;
  for_each_attached(id, [&](const Instruction& instruction) {
    if (instruction.opcode == spv::Op::OpName && result.empty())
      result = instruction.string(2).value_or("");
  });
  return result;
}

std::optional<Kiln> ModuleIndex::kiln_instruction(const Instruction& instruction) const {
  bool extended = instruction.opcode == spv::Op::OpExtInst || instruction.opcode == op::ExtInstWithForwardRefsKHR;
  if (!extended || kiln_import_ == 0 || instruction.word(3) != kiln_import_)
    return std::nullopt;
  return Kiln(instruction.word(4));
}

std::optional<uint64_t> ModuleIndex::constant_integer(uint32_t id) const {
  auto constant = find(id);
  if (!constant)
    return std::nullopt;
  if (constant->opcode == spv::Op::OpConstantNull)
    return 0;
  bool is_constant = constant->opcode == spv::Op::OpConstant || constant->opcode == spv::Op::OpSpecConstant;
  auto type = find(constant->word(1));
  if (!is_constant || constant->size() < 4 || constant->size() > 5 || !type || type->opcode != spv::Op::OpTypeInt)
    return std::nullopt;
  uint64_t value = constant->word(3) | uint64_t(constant->word(4)) << 32;
  uint32_t width = type->word(2);
  return width < 64 ? value & ((uint64_t(1) << width) - 1) : value;
}

std::optional<std::string> ModuleIndex::constant_bytes(uint32_t id) const {
  auto constant = find(id);
  if (!constant || constant->opcode != spv::Op::OpConstantComposite)
    return std::nullopt;
  std::string bytes;
  auto add = [&](const Instruction& part, size_t from) {
    for (size_t at = from; at < part.size(); ++at) {
      auto value = constant_integer(part.words[at]);
      if (!value || *value > 255)
        return false;
      bytes.push_back(char(*value));
    }
    return true;
  };
  bool good = add(*constant, 3);
  for_each_attached(id, [&](const Instruction& part) {
    if (part.opcode == spv::Op::OpConstantCompositeContinuedINTEL)
      good = good && add(part, 1);
  });
  return good ? std::optional(bytes) : std::nullopt;
}

const ExtInstSet* ModuleIndex::import_set(uint32_t id) const {
  uint32_t position = import_sets_.get(id);
  return position ? ext_inst_set(position - 1) : nullptr;
}

uint32_t ModuleIndex::type_literal_words(uint32_t type) const {
  auto instruction = find(type);
  bool number =
      instruction && (instruction->opcode == spv::Op::OpTypeInt || instruction->opcode == spv::Op::OpTypeFloat);
  return number ? uint32_t((uint64_t(instruction->word(2)) + 31) / 32) : 0;
}

uint32_t ModuleIndex::literal_words(uint32_t id) const {
  auto value = find(id);
  auto info = value ? find_opcode(value->opcode) : std::nullopt;
  return info && info->has_type ? type_literal_words(value->word(1)) : 0;
}

} // namespace kiln::spirv
