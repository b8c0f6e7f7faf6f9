// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes of a wave do together: pure functions over their slots. One row per Operation and Reduction.
#pragma once

#include "support/host_abi.h"

namespace kiln::device::host {

// `slots` are those of the wave's lanes, bit l of `active` says that lane l takes part. Results go to the active slots.
void apply_operation(host_abi::Slot* slots, uint64_t active);

} // namespace kiln::device::host
