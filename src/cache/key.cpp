// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/key.h"

namespace kiln::cache {

Key make_key(const KeyFields& fields) {
  return Hasher()
      .add("kiln-entry-1")
      .add(fields.unit)
      .add(fields.kernel)
      .add(fields.target)
      .add(uint64_t(fields.wave_size))
      .add(uint64_t(fields.opt_level))
      .add(uint64_t(fields.code_object_version))
      .add(fields.compiler)
      .add(std::as_bytes(fields.words))
      .finish();
}

} // namespace kiln::cache
