// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only place that joins spirv, translate, passes and target: from the words of a module to an image of one kernel.
#pragma once

#include "support/result.h"
#include "target/target.h"

#include <cstdint>
#include <span>
#include <string>

namespace kiln::jit {

enum class Unit { kernel, globals, module };

struct Request {
  std::span<const uint32_t> words;
  std::string kernel; // for Unit::kernel
  Unit unit = Unit::kernel;
  std::string target;
  target::CodegenOptions codegen;
};

[[nodiscard]] Result<target::Image> compile(const Request& request);

} // namespace kiln::jit
