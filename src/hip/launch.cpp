// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: launches of __global__ functions.
#include "hip/launch.h"

#include "runtime/registry.h"

using namespace kiln;
using namespace kiln::hip;
using runtime::LoadedKernel;
using runtime::Runtime;

namespace kiln::hip {

hipError_t find_kernel(const void* function, runtime::DeviceContext& device, const LoadedKernel** kernel) {
  auto found = runtime::Registry::instance().kernel(Runtime::instance(), device, function);
  if (!found && found.error().code == ErrorCode::not_found)
    return done(hipErrorInvalidDeviceFunction, found.error().message);
  KILN_HIP_TRY(found);
  *kernel = *found;
  return hipSuccess;
}

hipError_t launch(const LoadedKernel& kernel, runtime::Stream& stream, const LaunchRequest& request) {
  const device::DeviceInfo& info = stream.context().info();
  KILN_HIP_REQUIRE(kernel.context == &stream.context(), hipErrorInvalidHandle, "the stream is of another device");
  KILN_HIP_REQUIRE(!request.cooperative || info.cooperative_launch, hipErrorNotSupported,
                   "device " + info.id + " cannot run cooperative kernels");
  const codeobj::KernelMetadata& metadata = kernel.kernel->metadata();
  device::Launch launch;
  launch.grid = {request.grid.x, request.grid.y, request.grid.z};
  launch.block = {request.block.x, request.block.y, request.block.z};
  if (auto geometry = runtime::check_geometry(info, metadata, launch.grid, launch.block, request.shared_bytes);
      !geometry)
    return done(hipErrorInvalidConfiguration, geometry.error().message);
  launch.dynamic_local_memory = uint32_t(request.shared_bytes); // not above the device's local memory, so it fits
  launch.cooperative = request.cooperative;
  KILN_HIP_ASSIGN(launch.arguments, request.arguments(metadata));
  auto launched = runtime::launch(stream, *kernel.kernel, std::move(launch));
  if (!launched && request.cooperative && launched.error().code == ErrorCode::unsupported)
    return done(hipErrorCooperativeLaunchTooLarge, launched.error().message); // the device can, but not with that grid
  return done(launched);
}

} // namespace kiln::hip

namespace {

hipError_t launch_function(const void* function, dim3 grid, dim3 block, void** args, size_t shared_bytes,
                           hipStream_t stream, bool cooperative) {
  KILN_HIP_REQUIRE(function, hipErrorInvalidDeviceFunction, "function is null");
  KILN_HIP_FIND(stream, found, stream);
  KILN_HIP_TRY(found->context().fault());
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = find_kernel(function, found->context(), &kernel); error != hipSuccess)
    return error;
  auto pack = [&](const codeobj::KernelMetadata& metadata) { return runtime::pack_arguments(metadata, args); };
  return launch(*kernel, *found, {grid, block, shared_bytes, cooperative, pack});
}

} // namespace

hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
  ThreadState& state = thread_state();
  KILN_HIP_REQUIRE(state.configuration_count < state.configurations.size(), hipErrorInvalidConfiguration,
                   "launches are nested in the arguments of launches more than 32 deep");
  state.configurations[state.configuration_count++] = {gridDim, blockDim, sharedMem, stream};
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem, hipStream_t* stream) {
  ThreadState& state = thread_state();
  KILN_HIP_REQUIRE(state.configuration_count > 0, hipErrorMissingConfiguration,
                   "a __global__ function was called without <<<...>>>");
  const CallConfiguration top = state.configurations[--state.configuration_count];
  *gridDim = top.grid;
  *blockDim = top.block;
  *sharedMem = top.shared_bytes;
  *stream = top.stream;
  return hipSuccess;
}

hipError_t hipLaunchKernel(const void* function, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes,
                           hipStream_t stream) {
  return launch_function(function, numBlocks, dimBlocks, args, sharedMemBytes, stream, false);
}

hipError_t hipLaunchCooperativeKernel(const void* function, dim3 gridDim, dim3 blockDim, void** args,
                                      unsigned int sharedMemBytes, hipStream_t stream) {
  return launch_function(function, gridDim, blockDim, args, sharedMemBytes, stream, true);
}

hipError_t hipExtLaunchKernel(const void* function, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes,
                              hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
  KILN_HIP_REQUIRE((flags & ~1) == 0, hipErrorInvalidValue,
                   "unknown flags"); // 1: may overtake others, which is allowed
  if (startEvent)
    if (hipError_t error = hipEventRecord(startEvent, stream); error != hipSuccess)
      return error;
  if (hipError_t error = launch_function(function, numBlocks, dimBlocks, args, sharedMemBytes, stream, false);
      error != hipSuccess)
    return error;
  return stopEvent ? hipEventRecord(stopEvent, stream) : hipSuccess;
}
