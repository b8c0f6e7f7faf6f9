// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// op_table.inc as arrays, for the emitter and the reader, and the few numbers that both must agree on
// (docs/spirv-mapping.md).
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.hpp11>

#include <cstdint>

namespace kiln::translate {

template <class Left> struct OpRow {
  Left llvm;
  spv::Op spirv;
};

inline constexpr OpRow<unsigned> binary_ops[] = {
#define KILN_BINARY(llvm_op, spirv_op) {llvm::Instruction::llvm_op, spv::Op::spirv_op},
#include "translate/op_table.inc"
};
inline constexpr OpRow<unsigned> bool_binary_ops[] = {
#define KILN_BOOL_BINARY(llvm_op, spirv_op) {llvm::Instruction::llvm_op, spv::Op::spirv_op},
#include "translate/op_table.inc"
};
inline constexpr OpRow<unsigned> cast_ops[] = {
#define KILN_CAST(llvm_op, spirv_op) {llvm::Instruction::llvm_op, spv::Op::spirv_op},
#include "translate/op_table.inc"
};
inline constexpr OpRow<llvm::CmpInst::Predicate> compare_ops[] = {
#define KILN_COMPARE(predicate, spirv_op) {llvm::CmpInst::predicate, spv::Op::spirv_op},
#include "translate/op_table.inc"
};
inline constexpr OpRow<llvm::CmpInst::Predicate> bool_compare_ops[] = {
#define KILN_BOOL_COMPARE(predicate, spirv_op) {llvm::CmpInst::predicate, spv::Op::spirv_op},
#include "translate/op_table.inc"
};
inline constexpr OpRow<llvm::CmpInst::Predicate> pointer_compare_ops[] = {
#define KILN_POINTER_COMPARE(predicate, spirv_op) {llvm::CmpInst::predicate, spv::Op::spirv_op},
#include "translate/op_table.inc"
};
inline constexpr OpRow<llvm::AtomicRMWInst::BinOp> atomic_ops[] = {
#define KILN_ATOMIC(rmw_op, spirv_op) {llvm::AtomicRMWInst::rmw_op, spv::Op::spirv_op},
#include "translate/op_table.inc"
};

struct MathRow {
  llvm::Intrinsic::ID llvm;
  uint32_t opencl;
  unsigned operands;
  bool poison_flag;
};
inline constexpr MathRow math_ops[] = {
#define KILN_MATH(intrinsic, name, operands, flag)                                                                     \
  {llvm::Intrinsic::intrinsic, OpenCLLIB::Entrypoints::name, operands, flag},
#include "translate/op_table.inc"
};

struct ScopeRow {
  const char* llvm;
  spv::Scope spirv;
};
inline constexpr ScopeRow scopes[] = {
#define KILN_SCOPE(name, scope) {name, spv::Scope::scope},
#include "translate/op_table.inc"
};

// The SPIR-V opcode in the row of `left`, or OpNop.
template <class Left, size_t N> constexpr spv::Op to_spirv(const OpRow<Left> (&table)[N], Left left) {
  for (const auto& row : table)
    if (row.llvm == left)
      return row.spirv;
  return spv::Op::OpNop;
}

// The first row of `right`, or nullptr. (OpUConvert and OpFConvert have two rows: the widths tell which.)
template <class Left, size_t N> constexpr const OpRow<Left>* from_spirv(const OpRow<Left> (&table)[N], spv::Op right) {
  for (const auto& row : table)
    if (row.spirv == right)
      return &row;
  return nullptr;
}

// Operand of Kiln Flags.
namespace flag {
enum : uint32_t {
#define KILN_FLAG(name, bit) name = bit,
#include "translate/op_table.inc"
};
} // namespace flag

// Third operand of Kiln Global.
namespace global_flag {
enum : uint32_t {
#define KILN_GLOBAL_FLAG(name, bit) name = bit,
#include "translate/op_table.inc"
};
} // namespace global_flag

// Operand of Kiln AsmFlags.
namespace asm_flag {
enum : uint32_t {
#define KILN_ASM_FLAG(name, bit) name = bit,
#include "translate/op_table.inc"
};
} // namespace asm_flag

// Enumerants newer than Debian's spirv-headers (1.3.239).
inline constexpr auto capability_bfloat16_type_khr = spv::Capability(5116);
inline constexpr auto capability_masked_gather_scatter_intel = spv::Capability(6427);
inline constexpr uint32_t fp_encoding_bfloat16_khr = 0; // fourth operand of OpTypeFloat

inline constexpr uint32_t generator_word = 0x0000FFFF;       // the low half marks the AMDGCN flavour
inline constexpr uint32_t unknown_array_length = 0xFFFFFFFF; // the length of [0 x T]
inline constexpr const char* kiln_set_name = "NonSemantic.Kiln.1";
inline constexpr const char* predicate_prefix = "__kiln_predicate."; // declare i1 @__kiln_predicate.is.gfx950()
inline constexpr const char* predicate_ids_name = "llvm.amdgcn.feature.predicate.ids";
// How LLVM's own SPIR-V back end names the functions that stand for intrinsics: "spirv.llvm_amdgcn_s_barrier".
inline constexpr const char* flattened_prefix = "spirv.llvm_";
inline constexpr const char* atomic_call_prefix =
    "llvm:atomicrmw."; // imported function for an atomicrmw without opcode

} // namespace kiln::translate
