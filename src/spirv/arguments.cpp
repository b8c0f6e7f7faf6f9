// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The argument list of a kernel, from its function type and what is decorated on its parameters. The kernarg segment
// holds the arguments one after the other, each at its own alignment; a struct passed byref lies in it as a whole.
#include "spirv/index.h"
#include "spirv/layout.h"

#include <algorithm>
#include <bit>

namespace kiln::spirv {
namespace {

struct ParameterFacts {
  std::string_view name;
  bool by_value = false; // a pointer to the argument's own memory
  uint64_t align = 0;    // if given
};

// The exact attributes that Kiln's own emitter wrote: "byref"/"byval" with its type, "align".
void read_attributes(const ModuleIndex& index, const Instruction& row, std::vector<ParameterFacts>& facts) {
  auto text = [&](uint32_t id) {
    auto string = index.find(id);
    return string && string->opcode == spv::Op::OpString ? string->string(2).value_or("") : std::string_view();
  };
  for (size_t at = 6; at + 1 < row.size(); at += 2) {
    auto position = index.constant_integer(row.words[at]);
    auto set = index.find(row.words[at + 1]);
    if (!position || *position < 2 || *position - 2 >= facts.size() || !set ||
        index.kiln_instruction(*set) != Kiln::AttrSet)
      continue;
    ParameterFacts& parameter = facts[*position - 2];
    for (size_t word = 5; word < set->size(); ++word) {
      auto attribute = index.find(set->words[word]);
      auto kind = attribute ? index.kiln_instruction(*attribute) : std::nullopt;
      if (!kind)
        continue;
      std::string_view name = text(attribute->word(5));
      if (kind == Kiln::AttrType && (name == "byref" || name == "byval"))
        parameter.by_value = true;
      if (kind == Kiln::AttrInt && name == "align")
        parameter.align = index.constant_integer(attribute->word(6)).value_or(0);
    }
  }
}

void read_decoration(const Instruction& instruction, ParameterFacts& facts) {
  if (instruction.opcode == spv::Op::OpName)
    facts.name = instruction.string(2).value_or("");
  if (instruction.opcode != spv::Op::OpDecorate)
    return;
  auto decoration = spv::Decoration(instruction.word(2));
  if (decoration == spv::Decoration::FuncParamAttr)
    facts.by_value |= spv::FunctionParameterAttribute(instruction.word(3)) == spv::FunctionParameterAttribute::ByVal;
  if (decoration == spv::Decoration::Alignment)
    facts.align = instruction.word(3);
}

Argument::Kind pointer_kind(spv::StorageClass storage) {
  switch (storage) {
  case spv::StorageClass::CrossWorkgroup:
    return Argument::Kind::global;
  case spv::StorageClass::UniformConstant:
    return Argument::Kind::constant;
  case spv::StorageClass::Workgroup:
    return Argument::Kind::local;
  case spv::StorageClass::Generic:
    return Argument::Kind::generic;
  default:
    return Argument::Kind::value;
  }
}

} // namespace

Result<std::vector<Argument>> ModuleIndex::arguments(const Function& function) const {
  auto type = find(function.type);
  if (!type || type->opcode != spv::Op::OpTypeFunction || type->size() < 3)
    return invalid(function.first, "OpFunction: %" + std::to_string(function.type) + " is not a function type");
  std::vector<ParameterFacts> facts(type->size() - 3);

  size_t position = 0;
  for (Cursor c(module_.words().first(function.end), function.first); c.next();) {
    if (c.instruction().opcode == spv::Op::OpLabel)
      break;
    if (c.instruction().opcode != spv::Op::OpFunctionParameter || position == facts.size())
      continue;
    ParameterFacts& parameter = facts[position++];
    for_each_attached(c.instruction().word(2), [&](const Instruction& instruction) {
      if (instruction.opcode == spv::Op::OpGroupDecorate)
        for_each_attached(instruction.word(1), [&](const Instruction& group) { read_decoration(group, parameter); });
      else
        read_decoration(instruction, parameter);
    });
  }
  for_each_attached(function.id, [&](const Instruction& instruction) {
    if (kiln_instruction(instruction) == Kiln::FunctionAttributes)
      read_attributes(*this, instruction, facts);
  });

  std::vector<Argument> arguments;
  LayoutOf layout_of(*this);
  uint64_t offset = 0;
  for (size_t i = 0; i < facts.size(); ++i) {
    Argument argument;
    argument.name = facts[i].name;
    uint32_t in_memory = type->words[3 + i];
    auto parameter_type = find(in_memory);
    if (parameter_type && parameter_type->opcode == spv::Op::OpTypePointer && facts[i].by_value) {
      argument.kind = Argument::Kind::byref;
      in_memory = parameter_type->word(3);
    } else if (parameter_type && (parameter_type->opcode == spv::Op::OpTypePointer ||
                                  parameter_type->opcode == op::TypeUntypedPointerKHR)) {
      argument.kind = pointer_kind(spv::StorageClass(parameter_type->word(2)));
    }
    auto layout = layout_of(in_memory);
    if (!layout)
      return std::move(layout.error()).context("argument " + std::to_string(i));
    bool own_align = argument.kind == Argument::Kind::byref && std::has_single_bit(facts[i].align) &&
                     facts[i].align <= uint64_t(1) << 32;
    argument.align = own_align ? facts[i].align : layout->align;
    argument.size = layout->size;
    offset = (offset + argument.align - 1) / argument.align * argument.align;
    argument.offset = offset;
    offset += argument.size;
    if (offset > uint64_t(1) << 62)
      return invalid(function.first, "OpFunction: the arguments are larger than 2^62 bytes");
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

} // namespace kiln::spirv
