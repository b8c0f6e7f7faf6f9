// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what a program passes to a launch (grid, block, pointers to arguments) to what a device wants.
#pragma once

#include "device/device.h"
#include "runtime/stream.h"

#include <kiln/api.h>

namespace kiln::runtime {

// Is this a launch that the device and the kernel allow? The message says what is too large.
[[nodiscard]] KILN_API Result<void> check_geometry(const device::DeviceInfo& device,
                                                   const codeobj::KernelMetadata& kernel, const device::Dim3& grid,
                                                   const device::Dim3& block, uint64_t dynamic_local_memory);

// The bytes of the explicit arguments, copied from where `values[i]` points for argument i.
[[nodiscard]] KILN_API Result<Bytes> pack_arguments(const codeobj::KernelMetadata& kernel, void** values);
// The same, given as they lie in memory; `size` must reach the end of the last explicit argument.
[[nodiscard]] KILN_API Result<Bytes> copy_arguments(const codeobj::KernelMetadata& kernel, const void* data,
                                                    uint64_t size);

[[nodiscard]] KILN_API Result<void> launch(Stream& stream, device::Kernel& kernel, device::Launch launch);

} // namespace kiln::runtime
