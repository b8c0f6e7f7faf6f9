// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/allocations.h"

#include <mutex>

namespace kiln::runtime {
namespace {

uintptr_t number(const void* address) {
  return reinterpret_cast<uintptr_t>(address);
}

// The last entry that starts at or below `address`, or end().
template <class Map> auto at_or_below(Map& map, uintptr_t address) {
  auto above = map.upper_bound(address);
  return above == map.begin() ? map.end() : std::prev(above);
}

} // namespace

void Allocations::add(const Allocation& allocation) {
  std::unique_lock lock(mutex_);
  by_base_[allocation.base] = allocation;
}

std::optional<Allocation> Allocations::remove(const void* address) {
  std::unique_lock lock(mutex_);
  auto found = by_base_.find(number(address));
  if (found == by_base_.end())
    return std::nullopt;
  Allocation allocation = found->second;
  by_base_.erase(found);
  return allocation;
}

std::optional<Allocation> Allocations::find(const void* address) const {
  std::shared_lock lock(mutex_);
  auto found = at_or_below(by_base_, number(address));
  if (found == by_base_.end() || number(address) - found->first >= found->second.size)
    return std::nullopt;
  return found->second;
}

bool Allocations::overlaps(const void* address, uint64_t size) const {
  if (find(address))
    return true;
  std::shared_lock lock(mutex_);
  auto next = by_base_.lower_bound(number(address));
  return next != by_base_.end() && next->first - number(address) < size;
}

Result<void> Allocations::check_range(const void* address, uint64_t size) const {
  auto allocation = find(address);
  if (!allocation)
    return {};
  const uint64_t left = allocation->size - (number(address) - allocation->base);
  if (size <= left)
    return {};
  return Error{ErrorCode::invalid_argument, "the range of " + std::to_string(size) +
                                                " bytes leaves its allocation, which has " + std::to_string(left) +
                                                " bytes from there on"};
}

uint64_t Allocations::bytes_on(int device) const {
  std::shared_lock lock(mutex_);
  uint64_t sum = 0;
  for (const auto& [base, allocation] : by_base_)
    if (allocation.device == device && allocation.kind == AllocationKind::device)
      sum += allocation.size;
  return sum;
}

std::vector<Allocation> Allocations::remove_all_of(int device) {
  std::unique_lock lock(mutex_);
  std::vector<Allocation> removed;
  for (auto at = by_base_.begin(); at != by_base_.end();) {
    if (at->second.device != device) {
      ++at;
      continue;
    }
    removed.push_back(at->second);
    at = by_base_.erase(at);
  }
  return removed;
}

} // namespace kiln::runtime
