// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentence that goes with the calling thread's last failure. HIP's own codes and strings say little; this says
// what, where and what to do. Both APIs set it.
#pragma once

#include <kiln/api.h>

#include <string>

namespace kiln::runtime {

KILN_API void set_last_error(std::string message);
[[nodiscard]] KILN_API const char* last_error();

} // namespace kiln::runtime
