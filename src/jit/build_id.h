// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What identifies a build of the compiler: the linker's build id of the library that holds this code (a hash of its
// content), the version of LLVM, and the device library. Two builds with one id produce the same code for the same
// request.
#pragma once

#include "support/result.h"

#include <string>

namespace kiln::jit {

[[nodiscard]] Result<std::string> compiler_build_id();

} // namespace kiln::jit
