// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is a module well formed enough to be translated? Not the whole of spirv-val: what a reader needs so that it can
// follow ids without asking at every step. After validate() holds:
//   - every instruction is known and has the operands that the grammar says;
//   - every id is below the bound, defined once, used only where it is visible, and after its definition but for
//   labels,
//     OpPhi, functions, forward pointers, debug and annotation instructions and non-semantic instructions;
//   - result types are types; types are built of types, without cycles except through forward-declared pointers, at
//   most 256
//     deep; integers have 1 to 2^23 bits; array lengths are integer constants; literals are as wide as their type;
//   - there is a memory model; sections come in order; functions have the parameters of their type; blocks begin with a
//     label and end with one terminator; branches go to labels of the same function; callees are functions.
// Errors (invalid_module, or unsupported for an unknown opcode) give the word offset, the opcode's name and the id.
#pragma once

#include "spirv/context.h"

namespace kiln::spirv {

inline constexpr unsigned max_type_depth = 256;
inline constexpr uint32_t max_integer_width = 1 << 23; // LLVM's limit

[[nodiscard]] Result<void> validate(const Module& module, const ModuleContext& context);
// A module that was cut off behind its header is well formed in all else. The memory model is mandatory.
[[nodiscard]] Result<void> check_memory_model(const Module& module);
[[nodiscard]] Result<void> validate(std::span<const uint32_t> words);

} // namespace kiln::spirv
