// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpExtInst in blocks: OpenCL.std mathematics by op_table.inc, and Kiln's rows about instructions
// (docs/spirv-mapping.md section 7). Debug information in its several sets is passed over.
#include "translate/read_body.h"

#include "spirv/grammar.h"

#include <llvm/IR/Operator.h>

namespace kiln::translate::reading {
namespace {

std::string opencl_name(uint32_t number) {
  if (const spirv::ExtInstSet* set = spirv::find_ext_inst_set("OpenCL.std"))
    if (auto instruction = set->find(number))
      return "OpenCL.std " + std::string(instruction->name);
  return "OpenCL.std instruction " + std::to_string(number);
}

Result<void> build_math(FunctionReader& f, const Inst& inst, const MathRow& row) {
  if (inst.count() != 5 + row.operands)
    return f.malformed(inst, opencl_name(inst[4]) + " takes " + std::to_string(row.operands) + " operands");
  KILN_ASSIGN(llvm::Type * type, f.result_type(inst));
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (uint32_t id : inst.from(5)) {
    KILN_ASSIGN(llvm::Value * argument, f.value(inst, id));
    if (argument->getType() != type)
      return f.malformed(inst, "operand " + f.module.describe(id) + " is not of the result type");
    arguments.push_back(argument);
  }
  if (row.poison_flag)
    arguments.push_back(llvm::ConstantInt::getFalse(f.context));
  llvm::FunctionType* probe = [&] {
    llvm::SmallVector<llvm::Type*, 4> types;
    for (llvm::Value* argument : arguments)
      types.push_back(argument->getType());
    return llvm::FunctionType::get(type, types, false);
  }();
  llvm::SmallVector<llvm::Type*, 2> overloads;
  if (!llvm::Intrinsic::getIntrinsicSignature(row.llvm, probe, overloads))
    return f.malformed(inst, opencl_name(inst[4]) + " does not take operands of this type");
  KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, row.llvm, overloads));
  auto* call = f.call_intrinsic(callee, arguments);
  if (f.pending.call_attributes)
    call->setAttributes(
        attribute_list(f.module, f.module.at(f.pending.call_attributes), 5, unsigned(arguments.size())));
  f.decorate(inst, call);
  return f.define(inst, call);
}

Result<void> opencl(FunctionReader& f, const Inst& inst) {
  for (const MathRow& row : math_ops)
    if (row.opencl == inst[4])
      return build_math(f, inst, row);
  if (OpenCLLIB::Entrypoints(inst[4]) == OpenCLLIB::Rotate && inst.count() == 7) {
    // rotate(x, n) is a funnel shift of x with itself.
    KILN_ASSIGN(auto pair, f.operands(inst, inst[5], inst[6]));
    if (!pair.left->getType()->isIntOrIntVectorTy())
      return f.malformed(inst, "the operands are not integers");
    KILN_ASSIGN(llvm::Function * callee, f.module.intrinsic(inst, llvm::Intrinsic::fshl, {pair.left->getType()}));
    auto* call = f.call_intrinsic(callee, {pair.left, pair.left, pair.right});
    if (f.pending.call_attributes)
      call->setAttributes(attribute_list(f.module, f.module.at(f.pending.call_attributes), 5, 3));
    return f.define(inst, call);
  }
  return f.unsupported(inst, opencl_name(inst[4]));
}

Result<void> extended(FunctionReader& f, const Inst& inst, uint32_t) {
  Def* set = f.module.find(inst[3]);
  switch (InstSet(set->extra)) {
  case InstSet::ignored:
    return {};
  case InstSet::opencl:
    return opencl(f, inst);
  case InstSet::kiln:
    return read_block_row(f, inst, inst[4]);
  case InstSet::unknown:
    break;
  }
  KILN_ASSIGN(llvm::StringRef name, f.module.literal_string(f.module.at(set->offset), 2));
  return f.unsupported(inst, "instruction set " + name.str());
}

constexpr Row rows[] = {
    {spv::Op::OpExtInst, "OpExtInst", 5, Layout::typed, Phase::row, nullptr, extended},
};

} // namespace

Rows extended_rows() {
  return rows;
}

} // namespace kiln::translate::reading
