// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real files for tests, made by clang and its bundler.
#pragma once

#include "support/bytes.h"

#include <string>
#include <vector>

namespace kiln::codeobj {

// Runs a shell command in a fresh folder that holds kernel.hip, kernel.cl and `in`; gives back the file OUT it wrote.
Bytes make_file(const std::string& command, ByteView in = {});

// Two kernels for `arch`, as a bare code object. Made once an architecture.
const Bytes& code_object(const std::string& arch);
// The same kernels as SPIR-V from LLVM's back end.
const Bytes& spirv_object();
// host, gfx942, gfx9-4-generic, amdgcnspirv. Extra options for clang-offload-bundler.
Bytes bundle_file(const std::string& options);

} // namespace kiln::codeobj
