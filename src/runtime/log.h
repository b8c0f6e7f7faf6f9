// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Kiln says on stderr, one line each with "kiln: " in front. Failures that an API's error code cannot explain
// (compilation, faults in kernels) are always said; KILN_LOG=info adds a line for each compilation, KILN_LOG=debug the
// choices made on the way and every failed call. KILN_LOG=none is for programs that report failures themselves.
#pragma once

#include <kiln/api.h>

#include <string_view>

namespace kiln::runtime {

enum class LogLevel { none, error, info, debug };

[[nodiscard]] KILN_API bool log_enabled(LogLevel level);
KILN_API void log(LogLevel level, std::string_view line);

} // namespace kiln::runtime
