// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PTX needs otherwise than the portable form has it, one step a function; nvptx_backend.cpp has them in order.
#pragma once

#include "support/result.h"

namespace llvm {
class Module;
}

namespace kiln::target {

// The name of the module's variable (u64, .global) that holds the address of printf's buffer; the launcher sets it.
// Absent if nothing prints.
inline constexpr char nvptx_printf_buffer[] = "__kiln_printf_buffer_address";
// Before the name of a variable that the image refers to but does not define: a u64 in .const with the variable's
// address, set by the loader. PTX has no dynamic symbols.
inline constexpr char nvptx_address_prefix[] = "__kiln_address_of_";

// Kernels: ptx_kernel, launch bounds, struct parameters byval. Errors: unsupported, a use of a struct parameter's
// address that cannot be rewritten.
[[nodiscard]] Result<void> prepare_nvptx_kernels(llvm::Module& module);
// AMD's scopes in PTX's words: agent is device, workgroup and wavefront are block.
void rename_sync_scopes(llvm::Module& module);
// Undefined variables in global memory are reached through pointers (nvptx_address_prefix).
[[nodiscard]] Result<void> reach_variables_by_address(llvm::Module& module);
// Gives printf its buffer; before the device library is linked.
void define_printf_buffer(llvm::Module& module);
// PTX identifiers have no '.'; each becomes '$'.
void rename_for_ptx(llvm::Module& module);

} // namespace kiln::target
