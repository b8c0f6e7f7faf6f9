// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lld as a library: one relocatable object in memory to one shared object in memory. No file is made.
#pragma once

#include "support/bytes.h"
#include "support/result.h"

#include <span>
#include <string>

namespace kiln::target {

// `arguments` are further options of ld.lld ("-m", "elf64_amdgpu"); -shared, input and output are given here.
// Thread-safe (lld is not: calls take turns).
[[nodiscard]] Result<Bytes> link_shared(ByteView object, std::span<const std::string> arguments);

} // namespace kiln::target
