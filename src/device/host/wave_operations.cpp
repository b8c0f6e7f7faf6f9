// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/wave_operations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace kiln::device::host {
using namespace host_abi;

namespace {

template <class Function> void for_each(uint64_t active, Function function) {
  for (uint64_t rest = active; rest; rest &= rest - 1)
    function(unsigned(std::countr_zero(rest)));
}

void nothing(Slot*, uint64_t) {}

void ballot(Slot* slots, uint64_t active) {
  uint64_t mask = 0;
  for_each(active, [&](unsigned lane) { mask |= uint64_t(slots[lane].value != 0) << lane; });
  for_each(active, [&](unsigned lane) { slots[lane].result = mask; });
}

void first(Slot* slots, uint64_t active) {
  uint64_t value = slots[std::countr_zero(active)].value;
  for_each(active, [&](unsigned lane) { slots[lane].result = value; });
}

void gather(Slot* slots, uint64_t active) {
  for_each(active, [&](unsigned lane) {
    uint32_t from = slots[lane].index;
    if (from < 64 && active >> from & 1)
      slots[lane].result = slots[from].value;
  });
}

void scatter(Slot* slots, uint64_t active) {
  for_each(active, [&](unsigned lane) { // in order, so the highest lane is the last to write
    uint32_t to = slots[lane].index;
    if (to < 64 && active >> to & 1)
      slots[to].result = slots[lane].value;
  });
}

using Fold = uint64_t (*)(uint64_t, uint64_t);
template <class T, class Function> constexpr uint64_t as(uint64_t a, uint64_t b, Function function) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(function(std::bit_cast<float>(uint32_t(a)), std::bit_cast<float>(uint32_t(b))));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(function(std::bit_cast<double>(a), std::bit_cast<double>(b)));
  else
    return uint64_t(std::make_unsigned_t<T>(function(T(a), T(b))));
}
template <class T>
constexpr Fold add = [](uint64_t a, uint64_t b) { return as<T>(a, b, [](T x, T y) { return T(x + y); }); };
template <class T>
constexpr Fold low = [](uint64_t a, uint64_t b) { return as<T>(a, b, [](T x, T y) { return std::min(x, y); }); };
template <class T>
constexpr Fold high = [](uint64_t a, uint64_t b) { return as<T>(a, b, [](T x, T y) { return std::max(x, y); }); };
template <class T>
constexpr Fold float_low = [](uint64_t a, uint64_t b) { return as<T>(a, b, [](T x, T y) { return std::fmin(x, y); }); };
template <class T>
constexpr Fold float_high =
    [](uint64_t a, uint64_t b) { return as<T>(a, b, [](T x, T y) { return std::fmax(x, y); }); };
constexpr Fold bit_and = [](uint64_t a, uint64_t b) { return a & b; };
constexpr Fold bit_or = [](uint64_t a, uint64_t b) { return a | b; };
constexpr Fold bit_xor = [](uint64_t a, uint64_t b) { return a ^ b; };

struct ReductionRow {
  Fold fold;
  int negate; // the sum of the negated values: 1 integer, 2 float, 3 double
};
constexpr ReductionRow reductions[] = {
    // in Reduction's order
    {add<uint32_t>, 0},
    {low<uint32_t>, 0},
    {high<uint32_t>, 0},
    {low<int32_t>, 0},
    {high<int32_t>, 0},
    {bit_and, 0},
    {bit_or, 0},
    {bit_xor, 0},
    {add<uint32_t>, 1},
    {add<uint64_t>, 0},
    {low<uint64_t>, 0},
    {high<uint64_t>, 0},
    {low<int64_t>, 0},
    {high<int64_t>, 0},
    {bit_and, 0},
    {bit_or, 0},
    {bit_xor, 0},
    {add<uint64_t>, 1},
    {add<float>, 0},
    {add<float>, 2},
    {float_low<float>, 0},
    {float_high<float>, 0},
    {add<double>, 0},
    {add<double>, 3},
    {float_low<double>, 0},
    {float_high<double>, 0},
};
static_assert(std::size(reductions) == size_t(Reduction::fmax64) + 1);

void reduce(Slot* slots, uint64_t active) {
  unsigned leader = std::countr_zero(active);
  const ReductionRow& row = reductions[slots[leader].index];
  uint64_t total = slots[leader].value;
  for_each(active & (active - 1), [&](unsigned lane) { total = row.fold(total, slots[lane].value); });
  bool narrow = slots[leader].index <= uint32_t(Reduction::sub32);
  if (row.negate == 1)
    total = narrow ? uint32_t(-total) : -total;
  else if (row.negate == 2)
    total ^= 0x80000000u;
  else if (row.negate == 3)
    total ^= 0x8000000000000000u;
  for_each(active, [&](unsigned lane) { slots[lane].result = total; });
}

constexpr void (*operations[])(Slot*, uint64_t) = {nothing, nothing, nothing, ballot, first, gather, scatter, reduce};
static_assert(std::size(operations) == size_t(Operation::reduce) + 1);

} // namespace

void apply_operation(Slot* slots, uint64_t active) {
  operations[size_t(slots[std::countr_zero(active)].operation)](slots, active);
}

} // namespace kiln::device::host
