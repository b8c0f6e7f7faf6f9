// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles that a program holds. A handle is the address of the object, but nothing is dereferenced before it was found
// in the table: a destroyed or invented handle is an error, not a crash.
#pragma once

#include "runtime/module.h"
#include "runtime/stream.h"

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace kiln::hip {

struct Stream {
  std::shared_ptr<runtime::Stream> stream;
  unsigned flags = 0;
};

struct Event {
  explicit Event(unsigned event_flags, bool timing) : flags(event_flags), event(timing) {}
  unsigned flags;
  runtime::Event event;
};

struct Module {
  std::shared_ptr<runtime::Module> module;
};

// Thread-safe.
template <class T> class HandleTable {
public:
  T* add(std::shared_ptr<T> object) {
    T* handle = object.get();
    std::unique_lock lock(mutex_);
    objects_[handle] = std::move(object);
    return handle;
  }
  [[nodiscard]] std::shared_ptr<T> find(const void* handle) const {
    std::shared_lock lock(mutex_);
    auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  // Takes it out; null if it is not there.
  std::shared_ptr<T> remove(const void* handle) {
    std::unique_lock lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end())
      return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  template <class Condition> void remove_if(Condition condition) {
    std::unique_lock lock(mutex_);
    std::erase_if(objects_, [&](const auto& entry) { return condition(*entry.second); });
  }

private:
  mutable std::shared_mutex mutex_; // guards objects_
  std::unordered_map<const void*, std::shared_ptr<T>> objects_;
};

} // namespace kiln::hip
