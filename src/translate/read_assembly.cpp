// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly, SPV_INTEL_inline_assembly. The template and the constraints are LLVM's own text.
#include "translate/read_body.h"

#include <llvm/IR/InlineAsm.h>

namespace kiln::translate::reading {
namespace {

Result<void> assembly_target(ModuleReader& reader, const Inst& inst) {
  KILN_TRY(reader.literal_string(inst, 2));
  return {};
}

Result<void> assembly(ModuleReader& reader, const Inst& inst) {
  Def* def = reader.find(inst[2]);
  KILN_ASSIGN(llvm::FunctionType * type, reader.function_type(inst, inst[3]));
  uint32_t next = 5;
  KILN_ASSIGN(llvm::StringRef text, reader.literal_string(inst, next, &next));
  KILN_ASSIGN(llvm::StringRef constraints, reader.literal_string(inst, next));
  if (llvm::Error error = llvm::InlineAsm::verify(type, constraints))
    return reader.malformed(inst, "constraints \"" + constraints.str() + "\": " + llvm::toString(std::move(error)));
  const bool side_effects = reader.decoration(*def, spv::Decoration::SideEffectsINTEL).has_value();
  def->value = llvm::InlineAsm::get(type, text, constraints, side_effects);
  def->kind = Kind::assembly;
  return {};
}

Result<void> call_assembly(FunctionReader& f, const Inst& inst, uint32_t) {
  Def* def = f.module.find(inst[3]);
  if (!def || def->kind != Kind::assembly || !def->value)
    return f.malformed(inst, "%" + std::to_string(inst[3]) + " is not an OpAsmINTEL");
  auto* assembly = llvm::cast<llvm::InlineAsm>(def->value);
  llvm::FunctionType* type = assembly->getFunctionType();
  if (inst.count() - 4 != type->getNumParams())
    return f.malformed(inst, "not as many arguments as the assembly has inputs");
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    KILN_ASSIGN(llvm::Value * argument, f.value(inst, inst[4 + i]));
    if (argument->getType() != type->getParamType(i))
      return f.malformed(inst, "argument " + f.module.describe(inst[4 + i]) + " is not of the input's type");
    arguments.push_back(argument);
  }
  auto* call = f.insert(llvm::CallInst::Create(type, assembly, arguments));
  if (f.pending.call_attributes)
    call->setAttributes(
        attribute_list(f.module, f.module.at(f.pending.call_attributes), 5, unsigned(arguments.size())));
  return f.define(inst, call);
}

constexpr Row rows[] = {
    {spv::Op::OpAsmTargetINTEL, "OpAsmTargetINTEL", 3, Layout::result, Phase::constant, assembly_target},
    {spv::Op::OpAsmINTEL, "OpAsmINTEL", 7, Layout::typed, Phase::constant, assembly},
    {spv::Op::OpAsmCallINTEL, "OpAsmCallINTEL", 4, Layout::typed, Phase::block, nullptr, call_assembly},
};

} // namespace

Rows assembly_rows() {
  return rows;
}

} // namespace kiln::translate::reading
