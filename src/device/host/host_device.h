// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device. Kernels are shared objects made by target/host (support/host_abi.h is the contract); a
// process-wide pool of worker threads runs their work-groups, a queue is a thread that takes its work in order.
#pragma once

#include "device/device.h"

#include <memory>

namespace kiln::device::host {

// `wave_size` is 32 or 64: what warpSize is, and which code the compiler is asked for. One device is enough for a
// process; several share the pool. KILN_HOST_THREADS is the number of workers (default: all cores).
[[nodiscard]] std::unique_ptr<Device> make_device(uint32_t wave_size = 32);

} // namespace kiln::device::host
