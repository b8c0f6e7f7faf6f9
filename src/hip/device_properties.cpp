// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: what a device is. hipDeviceProp_t is filled from DeviceInfo, hipDeviceGetAttribute reads
// hipDeviceProp_t: one row an attribute. What Kiln does not know about a device is 0, as HIP has it for what a device
// lacks.
#include "hip/api.h"
#include "support/hash.h"

#include <atomic>
#include <charconv>
#include <climits>
#include <cstring>

using namespace kiln;
using namespace kiln::hip;

namespace {

int clamp_int(uint64_t value) {
  return int(std::min<uint64_t>(value, INT_MAX));
}

struct Version {
  int major = 0, minor = 0;
};

// "gfx90a" is 9.0, "gfx1201" is 12.0, "sm_90" is 9.0; the host counts as 1.0, so that programs that ask for at least
// some version of a CUDA device fail with a reason of their own making.
Version compute_capability(const device::DeviceInfo& info) {
  std::string_view target = std::string_view(info.target).substr(0, info.target.find(':'));
  Version version{1, 0};
  if (target.starts_with("gfx") && target.size() >= 6) { // all but the last two characters are the major version
    std::from_chars(target.data() + 3, target.data() + target.size() - 2, version.major);
    version.minor = target[target.size() - 2] - '0';
  } else if (target.starts_with("sm_") && target.size() >= 5) {
    std::from_chars(target.data() + 3, target.data() + target.size() - 1, version.major);
    version.minor = target[target.size() - 1] - '0';
  }
  return version;
}

hipUUID uuid_of(const device::DeviceInfo& info) {
  hipUUID uuid{};
  const Digest digest = Hasher().add("kiln-device").add(info.id).add(info.name).finish();
  std::memcpy(uuid.bytes, digest.bytes.data(), sizeof(uuid.bytes));
  return uuid;
}

void copy_text(char (&to)[256], const std::string& from) {
  const size_t size = std::min(from.size(), sizeof(to) - 1);
  std::memcpy(to, from.data(), size);
  to[size] = '\0';
}

hipDeviceProp_t properties(runtime::DeviceContext& context) {
  const device::DeviceInfo& info = context.info();
  hipDeviceProp_t p{};
  const Version version = compute_capability(info);
  const bool host = info.unified_memory;
  copy_text(p.name, info.name);
  copy_text(p.gcnArchName, info.target);
  p.uuid = uuid_of(info);
  p.totalGlobalMem = info.global_memory;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = info.local_memory_per_block;
  p.sharedMemPerMultiprocessor = p.maxSharedMemoryPerMultiProcessor = info.local_memory_per_block;
  p.warpSize = int(info.wave_size);
  p.memPitch = INT_MAX;
  p.maxThreadsPerBlock = int(info.max_threads_per_block);
  p.maxThreadsDim[0] = clamp_int(info.max_block.x);
  p.maxThreadsDim[1] = clamp_int(info.max_block.y);
  p.maxThreadsDim[2] = clamp_int(info.max_block.z);
  p.maxGridSize[0] = clamp_int(info.max_grid.x);
  p.maxGridSize[1] = clamp_int(info.max_grid.y);
  p.maxGridSize[2] = clamp_int(info.max_grid.z);
  p.clockRate = clamp_int(info.clock_khz);
  p.totalConstMem = std::min<uint64_t>(info.global_memory, INT_MAX); // constants are ordinary memory
  p.major = version.major;
  p.minor = version.minor;
  p.multiProcessorCount = int(info.compute_units);
  p.integrated = host;
  p.canMapHostMemory = host;
  p.computeMode = hipComputeModeDefault;
  p.concurrentKernels = 1;
  p.unifiedAddressing = 1;
  // What is certain: one block of any size fits. On the host that is all: a core works on one block at a time. Kernels
  // there have no file of registers that blocks would share, so regsPerBlock stays 0, as numRegs of every kernel is.
  p.maxThreadsPerMultiProcessor = int(info.max_threads_per_block);
  p.maxBlocksPerMultiProcessor = 1;
  p.managedMemory = p.concurrentManagedAccess = p.directManagedMemAccessFromHost = host;
  p.pageableMemoryAccess = p.pageableMemoryAccessUsesHostPageTables = host;
  p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = host;
  p.hostNativeAtomicSupported = host;
  p.clockInstructionRate = clamp_int(context.device().cycle_counter_khz());
  p.l2CacheSize = clamp_int(info.l2_cache);
  p.cooperativeLaunch = info.cooperative_launch;
  p.isLargeBar = host;
  hipDeviceArch_t& arch = p.arch;
  arch.hasGlobalInt32Atomics = arch.hasGlobalFloatAtomicExch = arch.hasSharedInt32Atomics = 1;
  arch.hasSharedFloatAtomicExch = arch.hasFloatAtomicAdd = arch.hasGlobalInt64Atomics = arch.hasSharedInt64Atomics = 1;
  arch.hasDoubles = arch.hasWarpVote = arch.hasWarpBallot = arch.hasWarpShuffle = 1;
  arch.hasThreadFenceSystem = arch.hasSyncThreadsExt = arch.has3dGrid = 1;
  return p;
}

struct AttributeRow {
  hipDeviceAttribute_t attribute;
  int (*read)(const hipDeviceProp_t& p);
};

#define FIELD(attribute, field) {hipDeviceAttribute##attribute, [](const hipDeviceProp_t& p) { return int(p.field); }}
#define SIZE(attribute, field)                                                                                         \
  {hipDeviceAttribute##attribute, [](const hipDeviceProp_t& p) { return clamp_int(p.field); }}
#define ZERO(attribute) {hipDeviceAttribute##attribute, [](const hipDeviceProp_t&) { return 0; }}
constexpr AttributeRow attribute_rows[] = {
    FIELD(EccEnabled, ECCEnabled),
    ZERO(AccessPolicyMaxWindowSize),
    FIELD(AsyncEngineCount, asyncEngineCount),
    FIELD(CanMapHostMemory, canMapHostMemory),
    FIELD(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    FIELD(ClockRate, clockRate),
    FIELD(ComputeMode, computeMode),
    ZERO(ComputePreemptionSupported),
    FIELD(ConcurrentKernels, concurrentKernels),
    FIELD(ConcurrentManagedAccess, concurrentManagedAccess),
    FIELD(CooperativeLaunch, cooperativeLaunch),
    ZERO(CooperativeMultiDeviceLaunch),
    FIELD(DeviceOverlap, deviceOverlap),
    FIELD(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    ZERO(GlobalL1CacheSupported),
    FIELD(HostNativeAtomicSupported, hostNativeAtomicSupported),
    FIELD(Integrated, integrated),
    ZERO(IsMultiGpuBoard),
    ZERO(KernelExecTimeout),
    FIELD(L2CacheSize, l2CacheSize),
    ZERO(LocalL1CacheSupported),
    FIELD(ComputeCapabilityMajor, major),
    FIELD(ComputeCapabilityMinor, minor),
    FIELD(ManagedMemory, managedMemory),
    FIELD(MaxBlocksPerMultiProcessor, maxBlocksPerMultiProcessor),
    FIELD(MaxBlockDimX, maxThreadsDim[0]),
    FIELD(MaxBlockDimY, maxThreadsDim[1]),
    FIELD(MaxBlockDimZ, maxThreadsDim[2]),
    FIELD(MaxGridDimX, maxGridSize[0]),
    FIELD(MaxGridDimY, maxGridSize[1]),
    FIELD(MaxGridDimZ, maxGridSize[2]),
    FIELD(MaxThreadsDim, maxThreadsDim[0]),
    FIELD(MaxThreadsPerBlock, maxThreadsPerBlock),
    FIELD(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    SIZE(MaxPitch, memPitch),
    FIELD(MemoryBusWidth, memoryBusWidth),
    FIELD(MemoryClockRate, memoryClockRate),
    ZERO(MultiGpuBoardGroupID),
    FIELD(MultiprocessorCount, multiProcessorCount),
    FIELD(PageableMemoryAccess, pageableMemoryAccess),
    FIELD(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    FIELD(PciBusId, pciBusID),
    FIELD(PciDeviceId, pciDeviceID),
    FIELD(PciDomainId, pciDomainID),
    ZERO(PersistingL2CacheMaxSize),
    FIELD(MaxRegistersPerBlock, regsPerBlock),
    FIELD(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    ZERO(ReservedSharedMemPerBlock),
    SIZE(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    SIZE(SharedMemPerBlockOptin, sharedMemPerBlockOptin),
    SIZE(SharedMemPerMultiprocessor, sharedMemPerMultiprocessor),
    ZERO(SingleToDoublePrecisionPerfRatio),
    FIELD(StreamPrioritiesSupported, streamPrioritiesSupported),
    ZERO(TccDriver),
    SIZE(TotalConstantMemory, totalConstMem),
    SIZE(TotalGlobalMem, totalGlobalMem),
    FIELD(UnifiedAddressing, unifiedAddressing),
    FIELD(WarpSize, warpSize),
    ZERO(MemoryPoolsSupported),
    ZERO(VirtualMemoryManagementSupported),
    FIELD(HostRegisterSupported, hostRegisterSupported),
    ZERO(MemoryPoolSupportedHandleTypes),
    FIELD(ClockInstructionRate, clockInstructionRate),
    SIZE(MaxSharedMemoryPerMultiprocessor, maxSharedMemoryPerMultiProcessor),
    ZERO(CooperativeMultiDeviceUnmatchedFunc),
    ZERO(CooperativeMultiDeviceUnmatchedGridDim),
    ZERO(CooperativeMultiDeviceUnmatchedBlockDim),
    ZERO(CooperativeMultiDeviceUnmatchedSharedMem),
    FIELD(IsLargeBar, isLargeBar),
    ZERO(AsicRevision),
    ZERO(CanUseStreamWaitValue),
    ZERO(ImageSupport),
    FIELD(PhysicalMultiProcessorCount, multiProcessorCount),
    FIELD(FineGrainSupport, integrated),
    {hipDeviceAttributeNumberOfXccs, [](const hipDeviceProp_t&) { return 1; }},
    // There are no textures and surfaces (docs/limits.md), so their largest size is 0.
    ZERO(MaxSurface1D),
    ZERO(MaxSurface1DLayered),
    ZERO(MaxSurface2D),
    ZERO(MaxSurface2DLayered),
    ZERO(MaxSurface3D),
    ZERO(MaxSurfaceCubemap),
    ZERO(MaxSurfaceCubemapLayered),
    ZERO(MaxTexture1DWidth),
    ZERO(MaxTexture1DLayered),
    ZERO(MaxTexture1DLinear),
    ZERO(MaxTexture1DMipmap),
    ZERO(MaxTexture2DWidth),
    ZERO(MaxTexture2DHeight),
    ZERO(MaxTexture2DGather),
    ZERO(MaxTexture2DLayered),
    ZERO(MaxTexture2DLinear),
    ZERO(MaxTexture2DMipmap),
    ZERO(MaxTexture3DWidth),
    ZERO(MaxTexture3DHeight),
    ZERO(MaxTexture3DDepth),
    ZERO(MaxTexture3DAlt),
    ZERO(MaxTextureCubemap),
    ZERO(MaxTextureCubemapLayered),
    ZERO(SurfaceAlignment),
    ZERO(TextureAlignment),
    ZERO(TexturePitchAlignment),
};
#undef FIELD
#undef SIZE
#undef ZERO

} // namespace

hipError_t hipGetDeviceProperties(hipDeviceProp_t* prop, int deviceId) {
  KILN_HIP_REQUIRE(prop, hipErrorInvalidValue, "prop is null");
  KILN_HIP_FIND(device, device, deviceId);
  *prop = properties(*device);
  return done(hipSuccess);
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int deviceId) {
  KILN_HIP_REQUIRE(value, hipErrorInvalidValue, "value is null");
  KILN_HIP_FIND(device, device, deviceId);
  if (attribute == hipDeviceAttributeWallClockRate) { // hipDeviceProp_t has no field for it
    *value = clamp_int(device->info().steady_clock_khz);
    return done(hipSuccess);
  }
  for (const AttributeRow& row : attribute_rows)
    if (row.attribute == attribute) {
      *value = row.read(properties(*device));
      return done(hipSuccess);
    }
  return done(hipErrorInvalidValue,
              "hipDeviceGetAttribute: attribute " + std::to_string(int(attribute)) + " is not known");
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  KILN_HIP_REQUIRE(uuid, hipErrorInvalidValue, "uuid is null");
  KILN_HIP_FIND(device, context, device);
  *uuid = uuid_of(context->info());
  return done(hipSuccess);
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  KILN_HIP_REQUIRE(major && minor, hipErrorInvalidValue, "major or minor is null");
  KILN_HIP_FIND(device, context, device);
  const Version version = compute_capability(context->info());
  *major = version.major;
  *minor = version.minor;
  return done(hipSuccess);
}

// printf is not bounded by a buffer of a fixed size here, so any size is granted. Stack and device heap cannot be set.
namespace {
std::atomic<size_t> printf_fifo_size = 1 << 20;
}

hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit_t limit) {
  KILN_HIP_REQUIRE(value, hipErrorInvalidValue, "value is null");
  KILN_HIP_REQUIRE(limit == hipLimitPrintfFifoSize, hipErrorUnsupportedLimit, "only hipLimitPrintfFifoSize is known");
  *value = printf_fifo_size;
  return done(hipSuccess);
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
  KILN_HIP_REQUIRE(limit == hipLimitPrintfFifoSize, hipErrorUnsupportedLimit, "only hipLimitPrintfFifoSize can be set");
  printf_fifo_size = value;
  return done(hipSuccess);
}
