// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V as text, in the form of spirv-dis: one instruction a line, result ids on the left, enumerants and extended
// instructions by name.
#pragma once

#include "spirv/module.h"

#include <string>

namespace kiln::spirv {

struct TextOptions {
  bool header = true;          // the comment lines in front
  bool friendly_names = false; // %name from OpName where there is one, instead of %number
  bool offsets = false;        // each line ends in "; word N"
};

// Only a damaged header or instruction length is an error. An instruction that does not fit the grammar becomes a
// comment that says why, with its words: this is also a tool to look at damaged modules.
[[nodiscard]] Result<std::string> to_text(std::span<const uint32_t> words, const TextOptions& options = {});

} // namespace kiln::spirv
