// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels are stored under mangled names; people type what they wrote: "saxpy" for _Z5saxpyfPKfPf.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

// The names of the entry points of a module, in its order.
[[nodiscard]] Result<std::vector<std::string>> kernel_names(std::span<const uint32_t> words);

[[nodiscard]] std::string demangled(const std::string& name); // the name itself if it is not mangled

// The kernel that `wanted` means: its exact name, its demangled name, or that without parameters ("ns::scale<float>")
// and without template arguments ("ns::scale"). None if there is none; an error if it means several.
[[nodiscard]] Result<std::optional<std::string>> match_kernel(const std::vector<std::string>& kernels,
                                                              std::string_view wanted);

// "no kernel 'saxpi'; did you mean saxpy?": the nearest names, or how many there are.
[[nodiscard]] Error no_such_kernel(std::string_view wanted, const std::vector<std::string>& kernels);

} // namespace kiln::tool
