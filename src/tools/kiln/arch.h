// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The architectures named on the command line of `kiln compile`, and how the files made for them are called.
#pragma once

#include "support/result.h"

#include <kiln/compiler.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

// "all": the AMD targets that PyTorch builds for.
[[nodiscard]] std::span<const std::string_view> all_arches();

// Splits comma-separated lists, expands "all", drops repetitions, keeps the order. An error if nothing is left.
[[nodiscard]] Result<std::vector<std::string>> expand_arches(const std::vector<std::string>& lists);

// ".co", ".so", ".ptx", ".s", ".ll", ".o": by family of device and kind of output.
[[nodiscard]] std::string_view file_extension(std::string_view arch, kiln_compile_output output);

// `text` as a part of a file name: anything but letters, digits and ._+- becomes '-' ("gfx942:xnack-" ->
// "gfx942-xnack-"). Very long names (mangled templates) are cut and get a hash of the whole, so that they stay
// distinct.
[[nodiscard]] std::string file_part(std::string_view text);

} // namespace kiln::tool
