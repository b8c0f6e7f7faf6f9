// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/cycle_counter.h"

#ifdef __x86_64__
#include <chrono>
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace kiln::device::host {

#ifdef __x86_64__
namespace {

// CPUID leaf 0x15: the counter's ratio to a crystal, and the crystal's rate where the processor knows it (Intel's
// Software Developer's Manual, volume 3, 20.7.3).
uint32_t told() {
  unsigned denominator = 0, numerator = 0, crystal_hz = 0, unused = 0;
  if (__get_cpuid(0x15, &denominator, &numerator, &crystal_hz, &unused) == 0 || denominator == 0)
    return 0;
  return uint32_t(uint64_t(crystal_hz) * numerator / denominator / 1000);
}

uint32_t measured() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const uint64_t first = __rdtsc();
  for (;;) {
    const auto past = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
    const uint64_t ticks = __rdtsc() - first;
    if (past >= 2'000'000)
      return uint32_t(ticks * 1'000'000 / uint64_t(past));
  }
}

} // namespace

uint32_t cycle_counter_khz() {
  static const uint32_t rate = [] {
    const uint32_t known = told();
    return known ? known : measured();
  }();
  return rate;
}
#else
uint32_t cycle_counter_khz() {
  return 0;
}
#endif

} // namespace kiln::device::host
