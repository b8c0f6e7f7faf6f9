// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which address belongs to what. All devices' memory and the host's is one address space here, so an address alone
// tells its owner: that is how copies find their direction and hipPointerGetAttributes its answer.
#pragma once

#include "support/result.h"

#include <kiln/api.h>

#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace kiln::runtime {

enum class AllocationKind {
  device,
  host,
  managed,
  registered
}; // registered: the program's own memory, made known to us

struct Allocation {
  uintptr_t base = 0;
  uint64_t size = 0;
  AllocationKind kind = AllocationKind::device;
  int device = 0; // index in Runtime::devices()
  uint32_t flags = 0;
};

// Thread-safe.
class KILN_API Allocations {
public:
  void add(const Allocation& allocation);
  // The allocation that starts at `address`, taken out; nothing if none starts there.
  std::optional<Allocation> remove(const void* address);
  // The allocation that `address` lies in.
  [[nodiscard]] std::optional<Allocation> find(const void* address) const;
  [[nodiscard]] bool overlaps(const void* address, uint64_t size) const;
  // Fails if [address, address + size) begins in an allocation and ends outside of it.
  [[nodiscard]] Result<void> check_range(const void* address, uint64_t size) const;
  [[nodiscard]] uint64_t bytes_on(int device) const; // of kind device
  [[nodiscard]] std::vector<Allocation> remove_all_of(int device);

private:
  mutable std::shared_mutex mutex_; // guards by_base_
  std::map<uintptr_t, Allocation> by_base_;
};

} // namespace kiln::runtime
