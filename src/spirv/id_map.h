// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Id -> number. Ids are dense in most modules, but a header may claim a bound of 2^32 and a slice keeps the ids of the
// large module it was cut from. So: an array while the bound is in proportion to the module, a hash table beyond.
// Memory is O(words of the module) whatever the header says.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace kiln::spirv {

class IdMap {
public:
  // `words`: the size of the module in words, which limits how many ids it can define.
  IdMap(uint32_t bound, size_t words) {
    if (bound <= words * 2 + 1024) {
      // Zeroed lazily by the operating system: pages that are never touched cost nothing.
      dense_.reset(static_cast<uint32_t*>(std::calloc(bound, sizeof(uint32_t))));
      bound_ = dense_ ? bound : 0;
    }
  }
  IdMap() = default; // a hash table

  // 0 if absent.
  [[nodiscard]] uint32_t get(uint32_t id) const {
    if (dense_)
      return id < bound_ ? dense_[id] : 0;
    if (slots_.empty())
      return 0;
    return slots_[find(id)].value;
  }
  // The value becomes `value`, which is not 0. An id outside of the bound is ignored.
  void set(uint32_t id, uint32_t value) {
    if (dense_) {
      if (id < bound_)
        dense_[id] = value;
      return;
    }
    if ((used_ + 1) * 4 > slots_.size() * 3)
      grow();
    Slot& slot = slots_[find(id)];
    used_ += slot.value == 0;
    slot = {id, value};
  }

private:
  struct Slot {
    uint32_t id = 0, value = 0;
  };
  [[nodiscard]] size_t find(uint32_t id) const {
    size_t mask = slots_.size() - 1;
    for (size_t at = (uint64_t(id) * 0x9E3779B97F4A7C15u >> 32) & mask;; at = (at + 1) & mask)
      if (slots_[at].value == 0 || slots_[at].id == id)
        return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.value != 0)
        slots_[find(slot.id)] = slot;
  }

  struct Free {
    void operator()(uint32_t* memory) const { std::free(memory); }
  };
  std::unique_ptr<uint32_t[], Free> dense_;
  uint32_t bound_ = 0;
  std::vector<Slot> slots_; // a power of two many
  size_t used_ = 0;
};

} // namespace kiln::spirv
