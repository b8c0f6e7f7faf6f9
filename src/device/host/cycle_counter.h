// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rate of the counter that clock64() reads on the CPU (llvm.readcyclecounter): on x86-64 the time stamp counter,
// which ticks at a constant rate of its own, whatever the cores' clock is at the moment.
#pragma once

#include <cstdint>

namespace kiln::device::host {

// In kHz, 0 where user programs have no such counter. Asks the processor, else measures for two milliseconds, once.
[[nodiscard]] uint32_t cycle_counter_khz();

} // namespace kiln::device::host
