// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The msgpack that LLVM puts into a code object: note NT_AMDGPU_METADATA (32) of vendor "AMDGPU".
#pragma once

#include "support/bytes.h"
#include "support/result.h"

namespace kiln::target {

// Empty for an object without kernels.
[[nodiscard]] Result<Bytes> metadata_note(ByteView elf);

} // namespace kiln::target
