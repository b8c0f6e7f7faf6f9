// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapters: what is known of a kernel, and occupancy.
#include "hip/launch.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::hip;
using runtime::LoadedKernel;

namespace {

struct Limits {
  int dynamic_shared = 0, max_threads = 0;
};

Limits limits(const LoadedKernel& kernel) {
  const device::DeviceInfo& info = kernel.context->info();
  const codeobj::KernelMetadata& metadata = kernel.kernel->metadata();
  Limits result;
  result.dynamic_shared =
      int(info.local_memory_per_block - std::min<uint64_t>(metadata.group_size, info.local_memory_per_block));
  result.max_threads = int(metadata.max_block_size ? std::min(metadata.max_block_size, info.max_threads_per_block)
                                                   : info.max_threads_per_block);
  return result;
}

// The __global__ function's kernel on the current device. Sets *kernel, or ends as an entry point does.
hipError_t kernel_here(const void* function, const LoadedKernel** kernel) {
  KILN_HIP_REQUIRE(function, hipErrorInvalidDeviceFunction, "the function is null");
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  return find_kernel(function, *device, kernel);
}

hipError_t active_blocks(int* blocks, const LoadedKernel& kernel, int block_size, size_t shared_bytes) {
  KILN_HIP_REQUIRE(blocks && block_size > 0, hipErrorInvalidValue, "numBlocks is null, or blockSize is not positive");
  if (block_size > limits(kernel).max_threads || shared_bytes > size_t(limits(kernel).dynamic_shared)) {
    *blocks = 0;
    return done(hipSuccess);
  }
  KILN_HIP_ASSIGN(uint32_t count,
                  kernel.context->device().occupancy(*kernel.kernel, uint32_t(block_size), shared_bytes));
  *blocks = int(count);
  return done(hipSuccess);
}

// The block size that keeps most work-items on a compute unit, the largest of them, and the grid that fills the device.
hipError_t best_block(int* grid_size, int* best_size, const LoadedKernel& kernel, size_t shared_bytes, int limit) {
  KILN_HIP_REQUIRE(grid_size && best_size && limit >= 0, hipErrorInvalidValue,
                   "a pointer is null, or the limit is negative");
  const device::DeviceInfo& info = kernel.context->info();
  const int most = limit ? std::min(limit, limits(kernel).max_threads) : limits(kernel).max_threads;
  const int step = std::min(int(info.wave_size), most);
  int best_blocks = 0;
  int best = 0;
  for (int size = most / step * step; size > 0; size -= step) {
    int blocks = 0;
    if (hipError_t error = active_blocks(&blocks, kernel, size, shared_bytes); error != hipSuccess)
      return error;
    if (int64_t(blocks) * size > int64_t(best_blocks) * best) {
      best_blocks = blocks;
      best = size;
    }
  }
  KILN_HIP_REQUIRE(best, hipErrorInvalidValue, "no block of the kernel fits on the device");
  *grid_size = best_blocks * int(info.compute_units);
  *best_size = best;
  return done(hipSuccess);
}

} // namespace

hipError_t hipFuncGetAttributes(struct hipFuncAttributes* attr, const void* func) {
  KILN_HIP_REQUIRE(attr, hipErrorInvalidValue, "attr is null");
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = kernel_here(func, &kernel); error != hipSuccess)
    return error;
  const codeobj::KernelMetadata& metadata = kernel->kernel->metadata();
  hipFuncAttributes result{};
  result.localSizeBytes = metadata.private_size;
  result.sharedSizeBytes = metadata.group_size;
  result.numRegs = int(metadata.vgprs);
  result.maxDynamicSharedSizeBytes = limits(*kernel).dynamic_shared;
  result.maxThreadsPerBlock = limits(*kernel).max_threads;
  *attr = result;
  return done(hipSuccess);
}

// Any dynamic shared memory up to the device's limit may be used without asking, so asking only fails above it.
hipError_t hipFuncSetAttribute(const void* func, hipFuncAttribute attr, int value) {
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = kernel_here(func, &kernel); error != hipSuccess)
    return error;
  if (attr == hipFuncAttributeMaxDynamicSharedMemorySize) {
    KILN_HIP_REQUIRE(value >= 0 && value <= limits(*kernel).dynamic_shared, hipErrorInvalidValue,
                     "the device has " + std::to_string(limits(*kernel).dynamic_shared) +
                         " bytes of shared memory left");
    return done(hipSuccess);
  }
  KILN_HIP_REQUIRE(attr == hipFuncAttributePreferredSharedMemoryCarveout, hipErrorInvalidValue,
                   "there is no such attribute");
  KILN_HIP_REQUIRE(value >= -1 && value <= 100, hipErrorInvalidValue, "the carveout is a percentage, or -1");
  return done(hipSuccess); // a hint
}

// Hints about a split of memory that no device here has.
hipError_t hipFuncSetCacheConfig(const void* func, hipFuncCache_t config) {
  KILN_HIP_REQUIRE(func, hipErrorInvalidDeviceFunction, "func is null");
  return hipDeviceSetCacheConfig(config);
}

hipError_t hipFuncSetSharedMemConfig(const void* func, hipSharedMemConfig config) {
  KILN_HIP_REQUIRE(func, hipErrorInvalidDeviceFunction, "func is null");
  return hipDeviceSetSharedMemConfig(config);
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc) {
  KILN_HIP_REQUIRE(value, hipErrorInvalidValue, "value is null");
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = find_function(hfunc, &kernel); error != hipSuccess)
    return error;
  const codeobj::KernelMetadata& metadata = kernel->kernel->metadata();
  const struct {
    hipFunction_attribute attribute;
    int value;
  } rows[] = {
      {HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, limits(*kernel).max_threads},
      {HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, int(metadata.group_size)},
      {HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 0},
      {HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, int(metadata.private_size)},
      {HIP_FUNC_ATTRIBUTE_NUM_REGS, int(metadata.vgprs)},
      {HIP_FUNC_ATTRIBUTE_PTX_VERSION, 0},
      {HIP_FUNC_ATTRIBUTE_BINARY_VERSION, 0},
      {HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA, 0},
      {HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, limits(*kernel).dynamic_shared},
      {HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 0},
  };
  for (const auto& row : rows)
    if (row.attribute == attrib) {
      *value = row.value;
      return done(hipSuccess);
    }
  return done(hipErrorInvalidValue, "hipFuncGetAttribute: there is no such attribute");
}

hipError_t hipGetFuncBySymbol(hipFunction_t* functionPtr, const void* symbolPtr) {
  KILN_HIP_REQUIRE(functionPtr, hipErrorInvalidValue, "functionPtr is null");
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = kernel_here(symbolPtr, &kernel); error != hipSuccess)
    return error;
  *functionPtr = add_function(kernel, nullptr);
  return done(hipSuccess);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* f, int blockSize,
                                                        size_t dynSharedMemPerBlk) {
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = kernel_here(f, &kernel); error != hipSuccess)
    return error;
  return active_blocks(numBlocks, *kernel, blockSize, dynSharedMemPerBlk);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* f, int blockSize,
                                                                 size_t dynSharedMemPerBlk, unsigned int flags) {
  KILN_HIP_REQUIRE(flags == hipOccupancyDefault || flags == hipOccupancyDisableCachingOverride, hipErrorInvalidValue,
                   "unknown flags");
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynSharedMemPerBlk);
}

hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* f, size_t dynSharedMemPerBlk,
                                             int blockSizeLimit) {
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = kernel_here(f, &kernel); error != hipSuccess)
    return error;
  return best_block(gridSize, blockSize, *kernel, dynSharedMemPerBlk, blockSizeLimit);
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, hipFunction_t f, int blockSize,
                                                              size_t dynSharedMemPerBlk) {
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = find_function(f, &kernel); error != hipSuccess)
    return error;
  return active_blocks(numBlocks, *kernel, blockSize, dynSharedMemPerBlk);
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, hipFunction_t f,
                                                   size_t dynSharedMemPerBlk, int blockSizeLimit) {
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = find_function(f, &kernel); error != hipSuccess)
    return error;
  return best_block(gridSize, blockSize, *kernel, dynSharedMemPerBlk, blockSizeLimit);
}
