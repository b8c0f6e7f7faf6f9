// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files in and out. Writing is all or nothing: a temporary file beside the target, then a rename, so that a full
// disk or a killed process never leaves half a file under the final name.
#pragma once

#include "support/bytes.h"
#include "support/result.h"

#include <filesystem>

namespace kiln {

[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path);
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, ByteView content);

// The folder prefix of this installation (PREFIX of PREFIX/lib/libkiln.so or PREFIX/bin/kiln), found from the address
// of `symbol`, which must lie in the library or program that asks.
[[nodiscard]] Result<std::filesystem::path> install_prefix(const void* symbol);

} // namespace kiln
