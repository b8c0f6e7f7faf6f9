// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/validate.h"

#include <algorithm>
#include <array>

namespace kiln::spirv {
namespace {

using spv::Op;

// What validation has to know of an opcode beyond its operands.
enum Trait : uint16_t {
  type = 1,          // declares a type
  constant = 2,      // declares a constant
  terminator = 4,    // ends a block
  forward = 8,       // may name ids that come later
  non_semantic = 16, // may stand outside of functions after the first function, too
  debug_or_decoration = 32,
};
enum Section : uint8_t {
  capabilities,
  extensions,
  imports,
  memory_model,
  entry_points,
  modes,
  annotations,
  globals,
  functions,
  anywhere
};

struct Row {
  Op opcode;
  uint16_t traits;
  Section section;
};

constexpr Row rows[] = {
    // clang-format off
    {Op::OpCapability,            0,                             capabilities},
    {Op::OpExtension,             0,                             extensions},
    {Op::OpExtInstImport,         0,                             imports},
    {Op::OpMemoryModel,           0,                             memory_model},
    {Op::OpEntryPoint,            forward,                       entry_points},
    {Op::OpExecutionMode,         forward,                       modes},
    {Op::OpExecutionModeId,       forward,                       modes},
    {Op::OpString,                0,                             annotations},
    {Op::OpSource,                0,                             annotations},
    {Op::OpSourceContinued,       0,                             annotations},
    {Op::OpSourceExtension,       0,                             annotations},
    {Op::OpModuleProcessed,       0,                             annotations},
    {Op::OpName,                  forward,                       annotations},
    {Op::OpMemberName,            forward,                       annotations},
    {Op::OpDecorate,              forward,                       annotations},
    {Op::OpDecorateId,            forward,                       annotations},
    {Op::OpDecorateString,        forward,                       annotations},
    {Op::OpMemberDecorate,        forward,                       annotations},
    {Op::OpMemberDecorateString,  forward,                       annotations},
    {Op::OpDecorationGroup,       0,                             annotations},
    {Op::OpGroupDecorate,         forward,                       annotations},
    {Op::OpGroupMemberDecorate,   forward,                       annotations},
    {Op::OpTypeVoid,              type,                          globals},
    {Op::OpTypeBool,              type,                          globals},
    {Op::OpTypeInt,               type,                          globals},
    {Op::OpTypeFloat,             type,                          globals},
    {Op::OpTypeVector,            type,                          globals},
    {Op::OpTypeMatrix,            type,                          globals},
    {Op::OpTypeImage,             type,                          globals},
    {Op::OpTypeSampler,           type,                          globals},
    {Op::OpTypeSampledImage,      type,                          globals},
    {Op::OpTypeArray,             type,                          globals},
    {Op::OpTypeRuntimeArray,      type,                          globals},
    {Op::OpTypeStruct,            type,                          globals},
    {Op::OpTypeStructContinuedINTEL, 0,                          globals},
    {Op::OpTypeOpaque,            type,                          globals},
    {Op::OpTypePointer,           type,                          globals},
    {op::TypeUntypedPointerKHR,   type,                          globals},
    {Op::OpTypeFunction,          type,                          globals},
    {Op::OpTypeEvent,             type,                          globals},
    {Op::OpTypeDeviceEvent,       type,                          globals},
    {Op::OpTypeReserveId,         type,                          globals},
    {Op::OpTypeQueue,             type,                          globals},
    {Op::OpTypePipe,              type,                          globals},
    {Op::OpTypePipeStorage,       type,                          globals},
    {Op::OpTypeNamedBarrier,      type,                          globals},
    {Op::OpTypeForwardPointer,    forward,                       globals},
    {Op::OpConstantTrue,          constant,                      globals},
    {Op::OpConstantFalse,         constant,                      globals},
    {Op::OpConstant,              constant,                      globals},
    {Op::OpConstantComposite,     constant,                      globals},
    {Op::OpConstantCompositeContinuedINTEL, 0,                   globals},
    {Op::OpConstantSampler,       constant,                      globals},
    {Op::OpConstantNull,          constant,                      globals},
    {Op::OpSpecConstantTrue,      constant,                      globals},
    {Op::OpSpecConstantFalse,     constant,                      globals},
    {Op::OpSpecConstant,          constant,                      globals},
    {Op::OpSpecConstantComposite, constant,                      globals},
    {Op::OpSpecConstantCompositeContinuedINTEL, 0,               globals},
    {Op::OpSpecConstantOp,        constant,                      globals},
    {Op::OpConstantFunctionPointerINTEL, constant | forward,     globals},
    {Op::OpConstantPipeStorage,   constant,                      globals},
    {Op::OpAsmTargetINTEL,        0,                             globals},
    {Op::OpAsmINTEL,              0,                             globals},
    {Op::OpAliasDomainDeclINTEL,  0,                             globals},
    {Op::OpAliasScopeDeclINTEL,   0,                             globals},
    {Op::OpAliasScopeListDeclINTEL, 0,                           globals},
    {Op::OpFunction,              0,                             functions},
    {Op::OpUndef,                 0,                             anywhere},
    {Op::OpVariable,              0,                             anywhere},
    {op::UntypedVariableKHR,      0,                             anywhere},
    {Op::OpLine,                  non_semantic,                  anywhere},
    {Op::OpNoLine,                non_semantic,                  anywhere},
    {Op::OpExtInst,               non_semantic,                  anywhere},
    {op::ExtInstWithForwardRefsKHR, non_semantic | forward,      anywhere},
    {Op::OpPhi,                   forward,                       functions},
    {Op::OpLoopMerge,             forward,                       functions},
    {Op::OpSelectionMerge,        forward,                       functions},
    {Op::OpFunctionCall,          forward,                       functions},
    {Op::OpEnqueueKernel,         forward,                       functions},
    {Op::OpGetKernelNDrangeSubGroupCount,           forward,     functions},
    {Op::OpGetKernelNDrangeMaxSubGroupSize,         forward,     functions},
    {Op::OpGetKernelWorkGroupSize,                  forward,     functions},
    {Op::OpGetKernelPreferredWorkGroupSizeMultiple, forward,     functions},
    {Op::OpGetKernelLocalSizeForSubgroupCount,      forward,     functions},
    {Op::OpGetKernelMaxNumSubgroups,                forward,     functions},
    {Op::OpBranch,                terminator | forward,          functions},
    {Op::OpBranchConditional,     terminator | forward,          functions},
    {Op::OpSwitch,                terminator | forward,          functions},
    {Op::OpReturn,                terminator,                    functions},
    {Op::OpReturnValue,           terminator,                    functions},
    {Op::OpKill,                  terminator,                    functions},
    {Op::OpUnreachable,           terminator,                    functions},
    // clang-format on
};
constexpr Row default_row{Op::OpNop, 0, functions};

const Row& row_of(Op opcode) {
  static constexpr auto positions = [] {
    std::array<uint8_t, 6200> result{};
    for (size_t i = 0; i < std::size(rows); ++i)
      result[size_t(rows[i].opcode)] = uint8_t(i + 1);
    return result;
  }();
  uint8_t position = size_t(opcode) < positions.size() ? positions[size_t(opcode)] : 0;
  return position ? rows[position - 1] : default_row;
}

std::string name_of(uint32_t id) {
  return "%" + std::to_string(id);
}

class Validator {
public:
  Validator(const Module& module, const ModuleContext& context)
      : module_(module), context_(context), owner_(module.header().bound, module.words().size()),
        depth_(module.header().bound, module.words().size()), forward_(module.header().bound, module.words().size()) {}

  Result<void> run() {
    KILN_TRY(definitions());
    for (Instruction instruction : module_) {
      const Row& row = row_of(instruction.opcode);
      KILN_TRY(split_operands(instruction, context_, operands_));
      KILN_TRY(position(instruction, row));
      KILN_TRY(uses(instruction, row));
      KILN_TRY(special(instruction, row));
    }
    if (function_ != 0)
      return invalid(function_, "OpFunction: the function is not ended");
    return check_memory_model(module_);
  }

private:
  // --- ids ---

  Result<void> definitions() {
    uint32_t function = 0;
    for (Instruction instruction : module_) {
      if (instruction.opcode == Op::OpFunction)
        function = instruction.offset;
      if (unsigned at = result_word(instruction.opcode)) {
        uint32_t id = instruction.word(at);
        if (id == 0 || id >= module_.header().bound)
          return invalid(instruction, "the result id " + std::to_string(id) + " is not below the bound " +
                                          std::to_string(module_.header().bound));
        if (context_.definition(id) != instruction.offset)
          return invalid(instruction, name_of(id) + " is defined twice");
        if (function != 0 && instruction.opcode != Op::OpFunction)
          owner_.set(id, function);
      }
      if (instruction.opcode == Op::OpFunctionEnd)
        function = 0;
      if (instruction.opcode == Op::OpTypeForwardPointer && instruction.word(1) != 0)
        forward_.set(instruction.word(1), 1);
    }
    return {};
  }

  Result<void> uses(const Instruction& instruction, const Row& row) {
    bool annotation = row.section < globals;
    // Non-semantic instructions describe others and may come first: metadata has cycles.
    bool later = (row.traits & (forward | non_semantic)) != 0;
    for (const Operand& operand : operands_) {
      if (!operand.is_use())
        continue;
      uint32_t id = instruction.words[operand.first];
      uint32_t at = context_.definition(id);
      if (at == 0)
        return invalid(instruction, name_of(id) + " is not defined");
      uint32_t owner = owner_.get(id);
      if (owner != 0 && owner != function_ && !annotation)
        return invalid(instruction, name_of(id) + " belongs to another function");
      bool forward_pointer = (row.traits & type) != 0 && forward_.get(id) != 0 && is(id, Op::OpTypePointer);
      if (at >= instruction.offset && !later && !forward_pointer)
        return invalid(instruction, name_of(id) + " is used before it is defined");
      if (operand.kind == OperandKind::IdResultType && !is_type(id))
        return invalid(instruction, "the result type " + name_of(id) + " is not a type");
    }
    return {};
  }

  [[nodiscard]] bool is(uint32_t id, Op opcode) const {
    auto found = context_.find(id);
    return found && found->opcode == opcode;
  }
  [[nodiscard]] bool has(uint32_t id, Trait trait) const {
    auto found = context_.find(id);
    return found && (row_of(found->opcode).traits & trait) != 0;
  }
  [[nodiscard]] bool is_type(uint32_t id) const {
    auto found = context_.find(id);
    // Types of extensions that the table does not list are recognised by their name.
    return found && (has(id, type) || opcode_name(found->opcode).starts_with("OpType"));
  }

  // --- where an instruction stands ---

  Result<void> position(const Instruction& instruction, const Row& row) {
    if (function_ != 0)
      return inside(instruction, row);
    if (instruction.opcode == Op::OpFunction) {
      section_ = functions;
      return begin_function(instruction);
    }
    bool unlisted_type = opcode_name(instruction.opcode).starts_with("OpType");
    Section section = row.section == anywhere || unlisted_type ? globals : row.section;
    if (section == functions)
      return invalid(instruction, "stands outside of a function");
    if (section_ == functions && !(row.traits & non_semantic))
      return invalid(instruction, "stands after the first function");
    // Non-semantic instructions and lines do not move on: some producers put them early.
    if (row.traits & non_semantic)
      return {};
    if (section < section_)
      return invalid(instruction, "comes too late: sections are out of order");
    section_ = section;
    return {};
  }

  Result<void> inside(const Instruction& instruction, const Row& row) {
    switch (instruction.opcode) {
    case Op::OpFunctionParameter:
      if (seen_label_)
        return invalid(instruction, "stands inside a block");
      return parameter(instruction);
    case Op::OpLabel:
      if (in_block_)
        return invalid(instruction, "the block before " + name_of(instruction.word(1)) + " has no terminator");
      in_block_ = seen_label_ = true;
      return {};
    case Op::OpFunctionEnd:
      return end_function(instruction);
    case Op::OpFunction:
      return invalid(instruction, "a function starts inside another");
    default:
      break;
    }
    if (row.section < globals || (row.section == globals && !has_result_type(instruction)) || (row.traits & type))
      return invalid(instruction, "stands inside a function");
    if (row.traits & non_semantic && !in_block_)
      return {};
    if (!in_block_)
      return invalid(instruction, "stands outside of a block");
    if (row.traits & terminator)
      in_block_ = false;
    return {};
  }
  static bool has_result_type(const Instruction& instruction) { return result_word(instruction.opcode) == 2; }

  Result<void> begin_function(const Instruction& instruction) {
    function_ = instruction.offset;
    seen_label_ = in_block_ = false;
    parameters_ = 0;
    auto function_type = context_.find(instruction.word(4));
    if (!function_type || function_type->opcode != Op::OpTypeFunction)
      return invalid(instruction, name_of(instruction.word(4)) + " is not a function type");
    if (function_type->word(2) != instruction.word(1))
      return invalid(instruction, "the result type differs from that of " + name_of(instruction.word(4)));
    function_type_ = *function_type;
    return {};
  }

  Result<void> parameter(const Instruction& instruction) {
    if (3 + parameters_ >= function_type_.size())
      return invalid(instruction, "more parameters than the function's type has");
    if (function_type_.word(3 + parameters_) != instruction.word(1))
      return invalid(instruction, "the type of " + name_of(instruction.word(2)) + " differs from the function's type");
    ++parameters_;
    return {};
  }

  Result<void> end_function(const Instruction& instruction) {
    if (in_block_)
      return invalid(instruction, "the last block has no terminator");
    if (3 + parameters_ != function_type_.size())
      return invalid(instruction, "the function has " + std::to_string(parameters_) + " parameters, its type " +
                                      std::to_string(function_type_.size() - 3));
    function_ = 0;
    return {};
  }

  // --- rules of single instructions ---

  Result<void> special(const Instruction& instruction, const Row& row) {
    if (row.traits & type)
      return declare_type(instruction);
    if (instruction.opcode == op::ExtInstWithForwardRefsKHR) // not in the header's enumeration, so not a case below
      return expect(instruction, 3, Op::OpExtInstImport, "an instruction set");
    switch (instruction.opcode) {
    case Op::OpTypeStructContinuedINTEL:
      return continued_struct(instruction);
    case Op::OpEntryPoint:
    case Op::OpExecutionMode:
    case Op::OpExecutionModeId:
      return expect(instruction, instruction.opcode == Op::OpEntryPoint ? 2 : 1, Op::OpFunction, "a function");
    case Op::OpFunctionCall:
    case Op::OpConstantFunctionPointerINTEL:
      return expect(instruction, 3, Op::OpFunction, "a function");
    case Op::OpExtInst:
      return expect(instruction, 3, Op::OpExtInstImport, "an instruction set");
    case Op::OpConstant:
    case Op::OpSpecConstant:
      return literal(instruction);
    case Op::OpConstantTrue:
    case Op::OpConstantFalse:
    case Op::OpSpecConstantTrue:
    case Op::OpSpecConstantFalse:
      return expect(instruction, 1, Op::OpTypeBool, "bool");
    case Op::OpConstantComposite:
    case Op::OpSpecConstantComposite:
      return composite(instruction);
    case Op::OpVariable:
      if (!is(instruction.word(1), Op::OpTypePointer) && !is(instruction.word(1), op::TypeUntypedPointerKHR))
        return invalid(instruction, "the type " + name_of(instruction.word(1)) + " is not a pointer");
      return {};
    case Op::OpPhi:
      return labels(instruction, 4, 2);
    case Op::OpBranch:
    case Op::OpSelectionMerge:
      return expect(instruction, 1, Op::OpLabel, "a label");
    case Op::OpLoopMerge:
      KILN_TRY(expect(instruction, 1, Op::OpLabel, "a label"));
      return expect(instruction, 2, Op::OpLabel, "a label");
    case Op::OpBranchConditional:
      KILN_TRY(expect(instruction, 2, Op::OpLabel, "a label"));
      return expect(instruction, 3, Op::OpLabel, "a label");
    case Op::OpSwitch:
      KILN_TRY(expect(instruction, 2, Op::OpLabel, "a label"));
      return labels(instruction, 3 + context_.literal_words(instruction.word(1)),
                    1 + context_.literal_words(instruction.word(1)));
    default:
      return {};
    }
  }

  Result<void> expect(const Instruction& instruction, size_t at, Op opcode, std::string_view what) const {
    if (is(instruction.word(at), opcode))
      return {};
    return invalid(instruction, name_of(instruction.word(at)) + " is not " + std::string(what));
  }

  Result<void> labels(const Instruction& instruction, size_t first, size_t step) const {
    for (size_t at = first; at < instruction.size(); at += step)
      KILN_TRY(expect(instruction, at, Op::OpLabel, "a label"));
    return {};
  }

  Result<void> declare_type(const Instruction& instruction) {
    uint32_t depth = 0;
    KILN_TRY(type_operands(instruction));
    for (const Operand& operand : operands_) {
      uint32_t id = instruction.words[operand.first];
      if (operand.is_use() && context_.definition(id) < instruction.offset) // else a forward-declared pointer
        depth = std::max(depth, depth_.get(id));
    }
    if (depth + 1 > max_type_depth)
      return invalid(instruction, "the type is nested more than 256 deep");
    depth_.set(instruction.result(), depth + 1);
    last_type_ = instruction;
    return {};
  }

  // More members of the struct just before. They must be older than the struct, or it could contain itself.
  Result<void> continued_struct(const Instruction& instruction) {
    if (last_type_.opcode != Op::OpTypeStruct || last_type_.offset + last_type_.size() != continued_at(instruction))
      return invalid(instruction, "does not follow an OpTypeStruct");
    uint32_t depth = depth_.get(last_type_.result());
    for (uint32_t id : instruction.words.subspan(1)) {
      if (!is_type(id) || context_.definition(id) >= last_type_.offset)
        return invalid(instruction, name_of(id) + " is not a type defined before the struct");
      depth = std::max(depth, depth_.get(id) + 1);
    }
    KILN_TRY(sized(instruction, 1, instruction.size()));
    if (depth > max_type_depth)
      return invalid(instruction, "the type is nested more than 256 deep");
    depth_.set(last_type_.result(), depth);
    continued_end_ = instruction.offset + instruction.size();
    return {};
  }
  // Where the run of continuations that this one belongs to began.
  [[nodiscard]] size_t continued_at(const Instruction& instruction) const {
    return continued_end_ == instruction.offset ? last_type_.offset + last_type_.size() : instruction.offset;
  }

  Result<void> type_operands(const Instruction& instruction) const {
    bool length_follows = instruction.opcode == Op::OpTypeArray;
    for (const Operand& operand : operands_)
      if (operand.is_use() && !(length_follows && operand.first == 3) && !is_type(instruction.words[operand.first]))
        return invalid(instruction, name_of(instruction.words[operand.first]) + " is not a type");
    switch (instruction.opcode) {
    case Op::OpTypeInt:
      if (instruction.word(2) == 0 || instruction.word(2) > max_integer_width)
        return invalid(instruction, "the width " + std::to_string(instruction.word(2)) + " is not 1 to 2^23");
      return {};
    case Op::OpTypeFloat:
      if (uint32_t width = instruction.word(2); width != 8 && width != 16 && width != 32 && width != 64 && width != 128)
        return invalid(instruction, "there is no float of " + std::to_string(width) + " bits");
      return {};
    case Op::OpTypeVector:
      if (instruction.word(3) == 0)
        return invalid(instruction, "a vector of 0 elements");
      if (!scalar(instruction.word(2)))
        return invalid(instruction, name_of(instruction.word(2)) + " is not a scalar type");
      return {};
    case Op::OpTypeArray: {
      uint32_t length = instruction.word(3);
      if (!has(length, constant) || !is(context_.type_of(length), Op::OpTypeInt))
        return invalid(instruction, "the length " + name_of(length) + " is not an integer constant");
      [[fallthrough]];
    }
    case Op::OpTypeRuntimeArray:
      return sized(instruction, 2, 3);
    case Op::OpTypeStruct:
      return sized(instruction, 2, instruction.size());
    case Op::OpTypeFunction:
      return sized(instruction, 3, instruction.size());
    default:
      return {};
    }
  }

  [[nodiscard]] bool scalar(uint32_t id) const {
    constexpr Op scalars[] = {Op::OpTypeInt, Op::OpTypeFloat, Op::OpTypeBool, Op::OpTypePointer,
                              op::TypeUntypedPointerKHR};
    return std::any_of(std::begin(scalars), std::end(scalars), [&](Op opcode) { return is(id, opcode); });
  }

  // Members, elements and parameters are values: not void, not a function.
  Result<void> sized(const Instruction& instruction, size_t from, size_t to) const {
    for (size_t at = from; at < to; ++at)
      if (is(instruction.word(at), Op::OpTypeVoid) || is(instruction.word(at), Op::OpTypeFunction))
        return invalid(instruction, name_of(instruction.word(at)) + " is not a type of values");
    return {};
  }

  Result<void> literal(const Instruction& instruction) const {
    uint32_t words = context_.type_literal_words(instruction.word(1));
    if (words == 0)
      return invalid(instruction, "the type " + name_of(instruction.word(1)) + " is not a number");
    if (instruction.size() != 3 + size_t(words))
      return invalid(instruction, "the value of " + name_of(instruction.word(2)) + " is not as wide as its type");
    return {};
  }

  Result<void> composite(const Instruction& instruction) const {
    auto whole = context_.find(instruction.word(1));
    uint32_t next = instruction.offset + uint32_t(instruction.size());
    if (next < module_.words().size() && opcode_name(module_.at(next).opcode).ends_with("ContinuedINTEL"))
      return {}; // the reader counts these together
    uint64_t expected = instruction.size() - 3;
    if (whole->opcode == Op::OpTypeVector) {
      expected = whole->word(3);
    } else if (whole->opcode == Op::OpTypeStruct) {
      expected = whole->size() - 2;
    } else if (whole->opcode == Op::OpTypeArray) {
      auto length = context_.find(whole->word(3));
      if (length->opcode == Op::OpConstant)
        expected = length->word(3) == 0xffffffff && length->size() == 4
                       ? 0
                       : length->word(3) | uint64_t(length->word(4)) << 32;
    } else {
      return invalid(instruction, "the type " + name_of(instruction.word(1)) + " is not a composite");
    }
    if (expected != instruction.size() - 3)
      return invalid(instruction, name_of(instruction.word(2)) + " has " + std::to_string(instruction.size() - 3) +
                                      " constituents, its type " + std::to_string(expected));
    return {};
  }

  const Module& module_;
  const ModuleContext& context_;
  IdMap owner_;   // id -> offset of the OpFunction it is defined in; absent: visible everywhere
  IdMap depth_;   // type -> nesting depth
  IdMap forward_; // declared by OpTypeForwardPointer
  std::vector<Operand> operands_;
  Section section_ = capabilities;
  uint32_t function_ = 0; // offset of the OpFunction we are in
  Instruction function_type_;
  Instruction last_type_;
  size_t continued_end_ = 0; // where the last OpTypeStructContinuedINTEL ended
  size_t parameters_ = 0;
  bool seen_label_ = false, in_block_ = false;
};

} // namespace

Result<void> check_memory_model(const Module& module) {
  for (const Instruction& instruction : module) {
    if (instruction.opcode == Op::OpMemoryModel)
      return {};
    if (row_of(instruction.opcode).section > memory_model)
      break;
  }
  return Error{ErrorCode::invalid_module,
               "the SPIR-V module has no OpMemoryModel: it is cut off, or is not a module for kernels"};
}

Result<void> validate(const Module& module, const ModuleContext& context) {
  return Validator(module, context).run();
}

Result<void> validate(std::span<const uint32_t> words) {
  KILN_ASSIGN(Module module, Module::parse(words));
  ModuleContext context(module);
  return validate(module, context);
}

} // namespace kiln::spirv
