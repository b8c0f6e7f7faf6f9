// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/memory_cache.h"

namespace kiln::cache {

EntryPtr MemoryCache::get(const Key& key) {
  std::lock_guard lock(mutex_);
  auto found = entries_.find(key);
  if (found == entries_.end())
    return nullptr;
  order_.splice(order_.begin(), order_, found->second);
  return found->second->second;
}

void MemoryCache::put(const Key& key, const EntryPtr& entry) {
  std::lock_guard lock(mutex_);
  if (auto found = entries_.find(key); found != entries_.end()) {
    bytes_ -= found->second->second->size();
    order_.erase(found->second);
    entries_.erase(found);
  }
  order_.emplace_front(key, entry);
  entries_[key] = order_.begin();
  bytes_ += entry->size();
  while (bytes_ > max_bytes_ && order_.size() > 1) { // the entry just put stays, however large
    bytes_ -= order_.back().second->size();
    entries_.erase(order_.back().first);
    order_.pop_back();
  }
}

} // namespace kiln::cache
