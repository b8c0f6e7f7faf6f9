// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of llvm-spirv: that of the Khronos translator as far as clang uses it, and a few options of Kiln's
// own.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::tools {

struct Options {
  enum class Action { to_spirv, to_llvm, to_text, help, version };
  Action action = Action::to_spirv;
  std::string input = "-";
  std::string output; // empty: beside the input, with another suffix; "-": standard output
  uint32_t spirv_version = 0x00010600;
  bool pristine = false;             // no optimiser, clang's output as it is
  bool aux_data = true;              // NonSemantic.Kiln instructions
  bool llvm_text = false;            // with -r: .ll instead of .bc
  std::optional<unsigned> opt_level; // instead of the one that the module's command line gives
};

[[nodiscard]] Result<Options> parse_options(int count, const char* const* arguments);
[[nodiscard]] std::string help_text();

} // namespace kiln::tools
