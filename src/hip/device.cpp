// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapters: initialisation and version, device management, peer access, profiler control.
#include "hip/launch.h"

#include <atomic>
#include <cstring>

using namespace kiln;
using namespace kiln::hip;
using runtime::Runtime;

namespace {

std::atomic<unsigned> device_flags = hipDeviceScheduleAuto; // how to wait: a hint that all devices here may ignore

int device_count() {
  return int(Runtime::instance().devices().size());
}

} // namespace

hipError_t hipInit(unsigned int flags) {
  KILN_HIP_REQUIRE(flags == 0, hipErrorInvalidValue, "flags must be 0");
  return device_count() ? done(hipSuccess) : done(Runtime::instance().no_device());
}

hipError_t hipDriverGetVersion(int* driverVersion) {
  return hipRuntimeGetVersion(driverVersion);
}

hipError_t hipRuntimeGetVersion(int* runtimeVersion) {
  KILN_HIP_REQUIRE(runtimeVersion, hipErrorInvalidValue, "the result's pointer is null");
  *runtimeVersion = HIP_VERSION;
  return done(hipSuccess);
}

hipError_t hipGetDeviceCount(int* count) {
  KILN_HIP_REQUIRE(count, hipErrorInvalidValue, "count is null");
  *count = device_count();
  return *count ? done(hipSuccess) : done(Runtime::instance().no_device());
}

hipError_t hipSetDevice(int deviceId) {
  KILN_HIP_FIND(device, device, deviceId);
  thread_state().device = deviceId;
  return done(hipSuccess);
}

hipError_t hipGetDevice(int* deviceId) {
  KILN_HIP_REQUIRE(deviceId, hipErrorInvalidValue, "deviceId is null");
  KILN_HIP_TRY(current_device());
  *deviceId = thread_state().device;
  return done(hipSuccess);
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  KILN_HIP_REQUIRE(device, hipErrorInvalidValue, "device is null");
  KILN_HIP_FIND(device, context, ordinal);
  *device = ordinal;
  return done(hipSuccess);
}

hipError_t hipDeviceGetName(char* name, int len, hipDevice_t device) {
  KILN_HIP_REQUIRE(name && len > 0, hipErrorInvalidValue, "name is null, or len is not positive");
  KILN_HIP_FIND(device, context, device);
  const std::string& from = context->info().name;
  const size_t copied = std::min(from.size(), size_t(len) - 1);
  std::memcpy(name, from.data(), copied);
  name[copied] = '\0';
  return done(hipSuccess);
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  KILN_HIP_REQUIRE(bytes, hipErrorInvalidValue, "bytes is null");
  KILN_HIP_FIND(device, context, device);
  *bytes = context->info().global_memory;
  return done(hipSuccess);
}

hipError_t hipDeviceSynchronize(void) {
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  return done(device->synchronize());
}

hipError_t hipDeviceReset(void) {
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  remove_functions_on(*device); // before the kernels go that they stand for
  auto result = Runtime::instance().reset(*device);
  streams().remove_if([&](const Stream& stream) { return &stream.stream->context() == device; });
  return done(result);
}

hipError_t hipSetDeviceFlags(unsigned flags) {
  constexpr unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
  KILN_HIP_REQUIRE((flags & ~known) == 0, hipErrorInvalidValue, "unknown flags");
  device_flags = flags;
  return done(hipSuccess);
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  KILN_HIP_REQUIRE(flags, hipErrorInvalidValue, "flags is null");
  *flags = device_flags;
  return done(hipSuccess);
}

// No device here splits one memory between cache and shared memory, so there is only ever one answer.
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  KILN_HIP_REQUIRE(config, hipErrorInvalidValue, "config is null");
  *config = hipFuncCachePreferNone;
  return done(hipSuccess);
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
  KILN_HIP_REQUIRE(config >= hipFuncCachePreferNone && config <= hipFuncCachePreferEqual, hipErrorInvalidValue,
                   "there is no such preference");
  return done(hipSuccess);
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  KILN_HIP_REQUIRE(config, hipErrorInvalidValue, "config is null");
  *config = hipSharedMemBankSizeFourByte;
  return done(hipSuccess);
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  KILN_HIP_REQUIRE(config >= hipSharedMemBankSizeDefault && config <= hipSharedMemBankSizeEightByte,
                   hipErrorInvalidValue, "there is no such configuration");
  return done(hipSuccess);
}

// All streams have the same priority.
hipError_t hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  if (leastPriority)
    *leastPriority = 0;
  if (greatestPriority)
    *greatestPriority = 0;
  return done(hipSuccess);
}

// Peer access: a device reaches another's memory only where memory is the host's anyway, and then it needs no enabling.
hipError_t hipDeviceCanAccessPeer(int* canAccessPeer, int deviceId, int peerDeviceId) {
  KILN_HIP_REQUIRE(canAccessPeer, hipErrorInvalidValue, "canAccessPeer is null");
  KILN_HIP_FIND(device, device, deviceId);
  KILN_HIP_FIND(device, peer, peerDeviceId);
  *canAccessPeer = device != peer && device->info().unified_memory && peer->info().unified_memory;
  return done(hipSuccess);
}

hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
  KILN_HIP_REQUIRE(flags == 0, hipErrorInvalidValue, "flags must be 0");
  int possible = 0;
  if (hipError_t error = hipDeviceCanAccessPeer(&possible, thread_state().device, peerDeviceId); error != hipSuccess)
    return error;
  KILN_HIP_REQUIRE(peerDeviceId != thread_state().device, hipErrorInvalidDevice, "a device is not its own peer");
  KILN_HIP_REQUIRE(possible, hipErrorPeerAccessUnsupported, "the devices cannot reach each other's memory");
  return done(hipSuccess);
}

hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
  int possible = 0;
  if (hipError_t error = hipDeviceCanAccessPeer(&possible, thread_state().device, peerDeviceId); error != hipSuccess)
    return error;
  KILN_HIP_REQUIRE(possible, hipErrorPeerAccessNotEnabled, "peer access was never enabled");
  return done(hipSuccess);
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  KILN_HIP_REQUIRE(value, hipErrorInvalidValue, "value is null");
  KILN_HIP_REQUIRE(attr >= hipDevP2PAttrPerformanceRank && attr <= hipDevP2PAttrHipArrayAccessSupported,
                   hipErrorInvalidValue, "there is no such attribute");
  KILN_HIP_REQUIRE(srcDevice != dstDevice, hipErrorInvalidDevice, "the devices are the same");
  int possible = 0;
  if (hipError_t error = hipDeviceCanAccessPeer(&possible, srcDevice, dstDevice); error != hipSuccess)
    return error;
  const bool access = attr == hipDevP2PAttrAccessSupported || attr == hipDevP2PAttrNativeAtomicSupported;
  *value = access ? possible : 0;
  return done(hipSuccess);
}

// Profilers that HIP's own calls could start or stop do not exist here; the calls mark a region that nobody looks at.
hipError_t hipProfilerStart(void) {
  return done(hipSuccess);
}
hipError_t hipProfilerStop(void) {
  return done(hipSuccess);
}
