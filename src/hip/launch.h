// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One way for all launches: by host function or by hipFunction_t, with pointers to values or a packed buffer.
#pragma once

#include "hip/api.h"
#include "runtime/launch.h"

#include <functional>

namespace kiln::hip {

struct LaunchRequest {
  dim3 grid, block;
  uint64_t shared_bytes = 0;
  bool cooperative = false;
  std::function<Result<Bytes>(const codeobj::KernelMetadata&)> arguments;
};

// Both end as an entry point does.
hipError_t launch(const runtime::LoadedKernel& kernel, runtime::Stream& stream, const LaunchRequest& request);
// The kernel of a __global__ function on that device.
hipError_t find_kernel(const void* function, runtime::DeviceContext& device, const runtime::LoadedKernel** kernel);
hipError_t find_function(hipFunction_t function, const runtime::LoadedKernel** kernel);

// Makes a hipFunction_t of a kernel of `owner` (a module, or null for one of the program's own).
hipFunction_t add_function(const runtime::LoadedKernel* kernel, const Module* owner);
void remove_functions_of(const Module* owner);
// The program's own, on a device that is reset.
void remove_functions_on(const runtime::DeviceContext& device);

} // namespace kiln::hip
