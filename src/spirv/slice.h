// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a smaller, complete module out of a large one: some kernels and everything they reach. The unit of JIT is a
// kernel, and a slice is what is hashed for the cache and given to the reader.
//
// Reached are: functions by calls and by OpConstantFunctionPointerINTEL, variables with their initialisers, constants,
// types, instruction sets, strings; and what is attached to a reached id: names, decorations (groups keep only the
// targets that are kept), execution modes of the wanted kernels, non-semantic instructions by the rules in
// kiln_instructions.inc. Kept always: capabilities, extensions, memory model, module flags. Dropped always: OpSource
// and its like, OpLine outside of functions, entry points of other kernels, variables that only an entry point's
// interface names. Ids, the bound and the order of instructions stay as they were, so the same module and kernels give
// the same words. The time is in proportion to the slice, not to the module.
#pragma once

#include "spirv/index.h"

#include <span>
#include <string>
#include <vector>

namespace kiln::spirv {

// Errors: not_found if a kernel is not an entry point; invalid_module if what is reached cannot be decoded.
[[nodiscard]] Result<std::vector<uint32_t>> slice(const ModuleIndex& index, std::span<const std::string> kernels);

// All variables of the module that live in device memory, with what their initialisers need (also functions, when a
// table of function pointers says so) and no entry points. Workgroup and built-in input variables belong to kernels and
// are left out.
[[nodiscard]] Result<std::vector<uint32_t>> slice_globals(const ModuleIndex& index);

} // namespace kiln::spirv
