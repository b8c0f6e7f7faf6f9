// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nearest tier: entries in this process, least recently used ones dropped above a size. A module that is loaded
// twice, two identical devices, or the same template instantiated in many libraries share one compilation here.
#pragma once

#include "cache/tier.h"

#include <list>
#include <mutex>
#include <unordered_map>

namespace kiln::cache {

class MemoryCache final : public Tier {
public:
  explicit MemoryCache(uint64_t max_bytes = uint64_t(256) << 20) : max_bytes_(max_bytes) {}
  [[nodiscard]] std::string_view name() const override { return "memory"; }
  [[nodiscard]] EntryPtr get(const Key& key) override;
  void put(const Key& key, const EntryPtr& entry) override;

private:
  using Order = std::list<std::pair<Key, EntryPtr>>; // most recently used first
  std::mutex mutex_;                                 // guards all below
  Order order_;
  std::unordered_map<Key, Order::iterator> entries_;
  uint64_t bytes_ = 0;
  const uint64_t max_bytes_;
};

} // namespace kiln::cache
