// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/operands.h"

#include <bit>

namespace kiln::spirv {
namespace {

using Kind = OperandKind;

class Splitter {
public:
  Splitter(const Instruction& instruction, const OperandContext& context, std::vector<Operand>& operands)
      : instruction_(instruction), context_(context), operands_(operands) {}

  Result<void> run() {
    auto info = find_opcode(instruction_.opcode);
    if (!info)
      return Error{ErrorCode::unsupported, "SPIR-V word " + std::to_string(instruction_.offset) + ": opcode " +
                                               std::to_string(uint32_t(instruction_.opcode)) + " is not known"};
    KILN_TRY(list(info->operands));
    if (left())
      return invalid(instruction_, std::to_string(instruction_.size() - at_) + " words too many");
    return {};
  }

private:
  [[nodiscard]] bool left() const { return at_ < instruction_.size(); }

  Result<void> list(std::span<const OperandSpec> specs) {
    for (const OperandSpec& spec : specs) {
      if (spec.quantifier == Quantifier::any) {
        while (left())
          KILN_TRY(one(spec.kind));
      } else if (spec.quantifier == Quantifier::one || left()) {
        KILN_TRY(one(spec.kind));
      }
    }
    return {};
  }

  Result<void> take(Kind kind, uint32_t count) {
    if (count > instruction_.size() - at_)
      return invalid(instruction_, "an operand is missing");
    operands_.push_back({kind, at_, count});
    at_ += count;
    return {};
  }

  Result<void> one(Kind kind) {
    if (!left())
      return invalid(instruction_, "an operand is missing");
    switch (category(kind)) {
    case Category::id:
      return take(kind, 1);
    case Category::literal:
      return literal(kind);
    case Category::valueenum:
      return value(kind);
    case Category::bitenum:
      return mask(kind);
    case Category::composite:
      return pair(kind);
    }
    return {};
  }

  Result<void> value(Kind kind) {
    uint32_t value = instruction_.words[at_];
    KILN_TRY(take(kind, 1));
    if (auto enumerant = find_enumerant(kind, value))
      return list(enumerant->parameters);
    // Newer decorations and execution modes than the grammar's may be skipped by a reader: their operands stay words.
    if (kind == Kind::Decoration || kind == Kind::ExecutionMode)
      while (left())
        KILN_TRY(take(Kind::LiteralInteger, 1));
    return {};
  }

  Result<void> mask(Kind kind) {
    uint32_t bits = instruction_.words[at_];
    KILN_TRY(take(kind, 1));
    for (; bits != 0; bits &= bits - 1)
      if (auto enumerant = find_enumerant(kind, uint32_t(1) << std::countr_zero(bits)))
        KILN_TRY(list(enumerant->parameters));
    return {};
  }

  Result<void> pair(Kind kind) {
    if (kind == Kind::PairIdRefIdRef || kind == Kind::PairIdRefLiteralInteger)
      KILN_TRY(take(Kind::IdRef, 1));
    switch (kind) {
    case Kind::PairIdRefIdRef:
      return take(Kind::IdRef, 1);
    case Kind::PairIdRefLiteralInteger:
      return take(Kind::LiteralInteger, 1);
    default: { // PairLiteralIntegerIdRef: the literal is as wide as the selector of the OpSwitch
      uint32_t words = context_.literal_words(instruction_.word(1));
      if (words == 0)
        return invalid(instruction_, "the selector %" + std::to_string(instruction_.word(1)) + " is not an integer");
      KILN_TRY(take(Kind::LiteralInteger, words));
      return take(Kind::IdRef, 1);
    }
    }
  }

  Result<void> literal(Kind kind) {
    switch (kind) {
    case Kind::LiteralString: {
      auto text = instruction_.string(at_);
      if (!text)
        return invalid(instruction_, "a string is not ended");
      return take(kind, uint32_t(text->size() / 4 + 1));
    }
    case Kind::LiteralContextDependentNumber:
      return take(kind, uint32_t(instruction_.size() - at_));
    case Kind::LiteralExtInstInteger: {
      const ExtInstSet* set = context_.import_set(instruction_.words[at_ - 1]); // the operand before it
      auto extended = set ? set->find(instruction_.words[at_]) : std::nullopt;
      KILN_TRY(take(kind, 1));
      // An unknown set or number has ids only, as all non-semantic ones do; the grammar's own IdRef* takes them.
      return extended ? list(extended->operands) : Result<void>();
    }
    case Kind::LiteralSpecConstantOpInteger: {
      auto inner = find_opcode(spv::Op(instruction_.words[at_]));
      if (!inner || !inner->has_type || !inner->has_result || inner->opcode == spv::Op::OpSpecConstantOp)
        return invalid(instruction_, opcode_name(spv::Op(instruction_.words[at_])) + " cannot be used in a constant");
      KILN_TRY(take(kind, 1));
      return list(inner->operands.subspan(2));
    }
    default:
      return take(kind, 1);
    }
  }

  const Instruction& instruction_;
  const OperandContext& context_;
  std::vector<Operand>& operands_;
  uint32_t at_ = 1;
};

} // namespace

Result<void> split_operands(const Instruction& instruction, const OperandContext& context,
                            std::vector<Operand>& operands) {
  operands.clear();
  return Splitter(instruction, context, operands).run();
}

} // namespace kiln::spirv
