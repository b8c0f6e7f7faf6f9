// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What generated code calls in the executor: memory for coroutines, printf, assert, trap, clock, malloc.
#pragma once

#include "support/host_abi.h"

namespace kiln::device::host {

[[nodiscard]] const host_abi::Callbacks& callbacks();

} // namespace kiln::device::host
