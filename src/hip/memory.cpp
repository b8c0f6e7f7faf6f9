// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: memory management: allocation and what is known of an address.
#include "hip/api.h"

#include <cstdlib>

using namespace kiln;
using namespace kiln::hip;
using runtime::Allocation;
using runtime::AllocationKind;
using runtime::Runtime;

namespace {

hipError_t allocate(void** ptr, size_t size, AllocationKind kind, unsigned flags) {
  KILN_HIP_REQUIRE(ptr, hipErrorInvalidValue, "the result's pointer is null");
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  if (size == 0) {
    *ptr = nullptr;
    return done(hipSuccess);
  }
  KILN_HIP_ASSIGN(*ptr, Runtime::instance().allocate(*device, size, kind, flags));
  return done(hipSuccess);
}

hipError_t allocate_pitch(void** ptr, size_t* pitch, size_t width, size_t height) {
  KILN_HIP_REQUIRE(ptr && pitch, hipErrorInvalidValue, "ptr or pitch is null");
  constexpr size_t alignment = 256;
  const size_t row = (width + alignment - 1) / alignment * alignment;
  KILN_HIP_REQUIRE(row >= width && (height == 0 || row <= SIZE_MAX / height), hipErrorInvalidValue,
                   "the size overflows");
  *pitch = row;
  return allocate(ptr, row * height, AllocationKind::device, 0);
}

hipError_t allocate_host(void** ptr, size_t size, unsigned flags) {
  constexpr unsigned known = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                             hipHostMallocUncached | hipHostMallocNumaUser | hipHostMallocCoherent |
                             hipHostMallocNonCoherent;
  KILN_HIP_REQUIRE((flags & ~known) == 0, hipErrorInvalidValue, "unknown flags");
  KILN_HIP_REQUIRE((flags & hipHostMallocCoherent) == 0 || (flags & hipHostMallocNonCoherent) == 0,
                   hipErrorInvalidValue, "coherent and non-coherent at once");
  return allocate(ptr, size, AllocationKind::host, flags);
}

bool is_host(const Allocation& allocation) {
  return allocation.kind == AllocationKind::host || allocation.kind == AllocationKind::registered;
}

} // namespace

hipError_t hipMalloc(void** ptr, size_t size) {
  return allocate(ptr, size, AllocationKind::device, 0);
}

hipError_t hipExtMallocWithFlags(void** ptr, size_t size, unsigned int flags) {
  KILN_HIP_REQUIRE(flags == hipDeviceMallocDefault || flags == hipDeviceMallocFinegrained, hipErrorInvalidValue,
                   "unknown flags");
  return allocate(ptr, size, AllocationKind::device, flags);
}

hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height) {
  return allocate_pitch(ptr, pitch, width, height);
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* ptr, size_t* pitch, size_t width, size_t height,
                            unsigned int elementSizeBytes) {
  KILN_HIP_REQUIRE(elementSizeBytes == 4 || elementSizeBytes == 8 || elementSizeBytes == 16, hipErrorInvalidValue,
                   "elementSizeBytes must be 4, 8 or 16");
  return allocate_pitch(ptr, pitch, width, height);
}

// The memory is there at once, so it is there when the stream gets to it.
hipError_t hipMallocAsync(void** ptr, size_t size, hipStream_t stream) {
  KILN_HIP_FIND(stream, found, stream);
  KILN_HIP_REQUIRE(ptr, hipErrorInvalidValue, "the result's pointer is null");
  if (size == 0) {
    *ptr = nullptr;
    return done(hipSuccess);
  }
  KILN_HIP_ASSIGN(*ptr, Runtime::instance().allocate(found->context(), size, AllocationKind::device));
  return done(hipSuccess);
}

hipError_t hipMallocManaged(void** ptr, size_t size, unsigned int flags) {
  KILN_HIP_REQUIRE(flags == hipMemAttachGlobal || flags == hipMemAttachHost, hipErrorInvalidValue,
                   "flags must be hipMemAttachGlobal or hipMemAttachHost");
  KILN_HIP_REQUIRE(size != 0, hipErrorInvalidValue, "size is 0");
  return allocate(ptr, size, AllocationKind::managed, flags);
}

hipError_t hipFree(void* ptr) {
  if (!ptr)
    return done(hipSuccess);
  return done(Runtime::instance().free(ptr));
}

hipError_t hipFreeAsync(void* ptr, hipStream_t stream) {
  KILN_HIP_FIND(stream, found, stream);
  if (!ptr)
    return done(hipSuccess);
  // Freeing waits for the stream's work, which is more than asked for: simple, and right under every order of streams.
  KILN_HIP_TRY(found->synchronize());
  return done(Runtime::instance().free(ptr));
}

hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags) {
  return allocate_host(ptr, size, flags);
}
hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags) {
  return allocate_host(ptr, size, flags);
}
hipError_t hipMallocHost(void** ptr, size_t size) {
  return allocate_host(ptr, size, hipHostMallocDefault);
}
hipError_t hipMemAllocHost(void** ptr, size_t size) {
  return allocate_host(ptr, size, hipHostMallocDefault);
}

hipError_t hipHostFree(void* ptr) {
  if (!ptr)
    return done(hipSuccess);
  auto allocation = Runtime::instance().allocations().find(ptr);
  KILN_HIP_REQUIRE(allocation && allocation->kind == AllocationKind::host, hipErrorInvalidValue,
                   "the address is not from hipHostMalloc");
  return done(Runtime::instance().free(ptr));
}

hipError_t hipFreeHost(void* ptr) {
  return hipHostFree(ptr);
}

hipError_t hipHostRegister(void* ptr, size_t size, unsigned int flags) {
  constexpr unsigned known =
      hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory | hipHostRegisterReadOnly;
  KILN_HIP_REQUIRE(ptr && size, hipErrorInvalidValue, "ptr is null, or size is 0");
  KILN_HIP_REQUIRE((flags & ~known) == 0, hipErrorInvalidValue, "unknown flags");
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  KILN_HIP_REQUIRE(device->info().unified_memory, hipErrorNotSupported,
                   "device " + device->info().id + " cannot reach the program's own memory");
  runtime::Allocations& allocations = Runtime::instance().allocations();
  KILN_HIP_REQUIRE(!allocations.overlaps(ptr, size), hipErrorHostMemoryAlreadyRegistered,
                   "the range, or a part of it, is registered or allocated by HIP already");
  allocations.add({reinterpret_cast<uintptr_t>(ptr), size, AllocationKind::registered, device->index(), flags});
  return done(hipSuccess);
}

hipError_t hipHostUnregister(void* ptr) {
  KILN_HIP_REQUIRE(ptr, hipErrorInvalidValue, "ptr is null");
  runtime::Allocations& allocations = Runtime::instance().allocations();
  auto allocation = allocations.find(ptr);
  KILN_HIP_REQUIRE(allocation && allocation->kind == AllocationKind::registered &&
                       allocation->base == reinterpret_cast<uintptr_t>(ptr),
                   hipErrorHostMemoryNotRegistered, "no registered range starts there");
  allocations.remove(ptr);
  return done(hipSuccess);
}

hipError_t hipHostGetDevicePointer(void** devicePtr, void* hostPtr, unsigned int flags) {
  KILN_HIP_REQUIRE(devicePtr && hostPtr && flags == 0, hipErrorInvalidValue, "a pointer is null, or flags is not 0");
  auto allocation = Runtime::instance().allocations().find(hostPtr);
  KILN_HIP_REQUIRE(allocation && is_host(*allocation), hipErrorInvalidValue,
                   "the address is not from hipHostMalloc or hipHostRegister");
  *devicePtr = hostPtr;
  return done(hipSuccess);
}

hipError_t hipHostGetFlags(unsigned int* flags, void* hostPtr) {
  KILN_HIP_REQUIRE(flags && hostPtr, hipErrorInvalidValue, "a pointer is null");
  auto allocation = Runtime::instance().allocations().find(hostPtr);
  KILN_HIP_REQUIRE(allocation && is_host(*allocation), hipErrorInvalidValue,
                   "the address is not from hipHostMalloc or hipHostRegister");
  *flags = allocation->flags;
  return done(hipSuccess);
}

// What the device has, less what this process holds of it: other processes' share is not known.
hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  const uint64_t all = device->info().global_memory;
  const uint64_t used = Runtime::instance().allocations().bytes_on(device->index());
  if (free)
    *free = all > used ? all - used : 0;
  if (total)
    *total = all;
  return done(hipSuccess);
}

hipError_t hipMemPtrGetInfo(void* ptr, size_t* size) {
  return hipMemGetAddressRange(nullptr, size, ptr);
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t ptr) {
  KILN_HIP_REQUIRE(base || size, hipErrorInvalidValue, "both results' pointers are null");
  auto allocation = Runtime::instance().allocations().find(ptr);
  KILN_HIP_REQUIRE(allocation, hipErrorNotFound, "the address is in no allocation");
  if (base)
    *base = reinterpret_cast<void*>(allocation->base);
  if (size)
    *size = allocation->size;
  return done(hipSuccess);
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  KILN_HIP_REQUIRE(attributes && ptr, hipErrorInvalidValue, "a pointer is null");
  hipPointerAttribute_t result{};
  auto allocation = Runtime::instance().allocations().find(ptr);
  if (!allocation) { // since HIP 6 that is an answer, not an error
    result.type = hipMemoryTypeUnregistered;
    result.device = hipInvalidDeviceId;
    *attributes = result;
    return done(hipSuccess);
  }

  auto* address = const_cast<void*>(ptr);
  result.type = is_host(*allocation)                          ? hipMemoryTypeHost
                : allocation->kind == AllocationKind::managed ? hipMemoryTypeManaged
                                                              : hipMemoryTypeDevice;
  result.device = allocation->device;
  result.devicePointer = address;
  result.hostPointer = allocation->kind == AllocationKind::device ? nullptr : address;
  result.isManaged = allocation->kind == AllocationKind::managed;
  result.allocationFlags = allocation->flags;
  *attributes = result;
  return done(hipSuccess);
}

// Advice and prefetching are hints on where managed memory should be; here it is in one place.
hipError_t hipMemAdvise(const void* ptr, size_t count, hipMemoryAdvise advice, int device) {
  KILN_HIP_REQUIRE(ptr && count, hipErrorInvalidValue, "ptr is null, or count is 0");
  const bool known = (advice >= hipMemAdviseSetReadMostly && advice <= hipMemAdviseUnsetAccessedBy) ||
                     advice == hipMemAdviseSetCoarseGrain || advice == hipMemAdviseUnsetCoarseGrain;
  KILN_HIP_REQUIRE(known, hipErrorInvalidValue, "there is no such advice");
  if (device != hipCpuDeviceId) {
    KILN_HIP_FIND(device, context, device);
  }
  auto allocation = Runtime::instance().allocations().find(ptr);
  KILN_HIP_REQUIRE(allocation && allocation->kind == AllocationKind::managed, hipErrorInvalidValue,
                   "the address is not from hipMallocManaged");
  KILN_HIP_TRY(Runtime::instance().allocations().check_range(ptr, count));
  return done(hipSuccess);
}

hipError_t hipMemPrefetchAsync(const void* ptr, size_t count, int device, hipStream_t stream) {
  KILN_HIP_FIND(stream, found, stream);
  return hipMemAdvise(ptr, count, hipMemAdviseSetPreferredLocation, device);
}
