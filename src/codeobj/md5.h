// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MD5 (RFC 1321). Not for security: compressed offload bundles carry the first 8 bytes of it as a checksum.
#pragma once

#include "support/bytes.h"

namespace kiln::codeobj {

// The first 8 bytes of the digest as a little-endian number.
[[nodiscard]] uint64_t md5_low64(ByteView bytes);

} // namespace kiln::codeobj
