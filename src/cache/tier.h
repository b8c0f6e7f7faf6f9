// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One place where compiled kernels are kept. Tiers are asked in order, nearest first, by cache/chain.h. A tier never
// fails a lookup: what it cannot read, or does not trust, is a miss.
#pragma once

#include "cache/key.h"
#include "support/bytes.h"

#include <memory>
#include <string_view>

namespace kiln::cache {

// Machine code of one unit and the compiler's metadata for it. Shared, never changed.
struct Entry {
  Bytes image;
  Bytes metadata; // msgpack, codeobj/kernel_metadata.h
  [[nodiscard]] uint64_t size() const { return image.size() + metadata.size(); }
};
using EntryPtr = std::shared_ptr<const Entry>;

// Thread-safe.
class Tier {
public:
  virtual ~Tier() = default;
  [[nodiscard]] virtual std::string_view name() const = 0; // "memory"; shown in logs and JIT reports
  [[nodiscard]] virtual EntryPtr get(const Key& key) = 0;  // null: not here
  virtual void put(const Key& key, const EntryPtr& entry) = 0;
};

} // namespace kiln::cache
