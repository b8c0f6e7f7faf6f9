// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules for tests, made by tools that are not ours: Khronos' assembler and LLVM's SPIR-V back end.
#pragma once

#include "spirv/module.h"

#include <string>

namespace kiln::spirv {

// Assembles with spirv-as, numeric ids kept. A failure fails the test and gives an empty module.
std::vector<uint32_t> assemble(const std::string& text);
// Compiles OpenCL C with clang -target spirv64.
std::vector<uint32_t> compile_opencl(const std::string& source);
// Two kernels, helpers, a switch over 64 bits, constants.
const std::vector<uint32_t>& opencl_module();
// Two kernels with everything that slicing must look at, written by hand.
const std::vector<uint32_t>& rich_module();

// Words -> text by spirv-dis, without the header.
std::string disassemble(std::span<const uint32_t> words);
// Empty if spirv-val takes the module, else what it says.
std::string khronos_validate(std::span<const uint32_t> words);

} // namespace kiln::spirv
