// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: memory management: copies and fills.
#include "hip/api.h"

#include <climits>

using namespace kiln;
using namespace kiln::hip;
using runtime::Runtime;

namespace {

bool valid(hipMemcpyKind kind) {
  return (kind >= hipMemcpyHostToHost && kind <= hipMemcpyDefault) || kind == hipMemcpyDeviceToDeviceNoCU;
}

hipError_t copy(void* dst, const void* src, size_t size) {
  if (size == 0)
    return done(hipSuccess);
  KILN_HIP_REQUIRE(dst && src, hipErrorInvalidValue, "dst or src is null");
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  return done(Runtime::instance().copy(*device, dst, src, size));
}

hipError_t copy_async(void* dst, const void* src, size_t size, hipStream_t stream) {
  KILN_HIP_FIND(stream, found, stream);
  if (size == 0)
    return done(hipSuccess);
  KILN_HIP_REQUIRE(dst && src, hipErrorInvalidValue, "dst or src is null");
  return done(Runtime::instance().copy_async(*found, dst, src, size));
}

hipError_t check_2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height) {
  KILN_HIP_REQUIRE(dst && src, hipErrorInvalidValue, "dst or src is null");
  KILN_HIP_REQUIRE(width <= dpitch && width <= spitch, hipErrorInvalidPitchValue, "width is above a pitch");
  KILN_HIP_REQUIRE(dpitch <= SIZE_MAX / height && spitch <= SIZE_MAX / height, hipErrorInvalidValue,
                   "the size overflows");
  KILN_HIP_TRY(Runtime::instance().allocations().check_range(dst, dpitch * (height - 1) + width));
  KILN_HIP_TRY(Runtime::instance().allocations().check_range(src, spitch * (height - 1) + width));
  return hipSuccess;
}

hipError_t copy_2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                   hipMemcpyKind kind, hipStream_t stream, bool wait) {
  KILN_HIP_REQUIRE(valid(kind), hipErrorInvalidMemcpyDirection, "there is no such kind");
  KILN_HIP_FIND(stream, found, stream);
  if (width == 0 || height == 0)
    return done(hipSuccess);
  if (hipError_t error = check_2d(dst, dpitch, src, spitch, width, height); error != hipSuccess)
    return error;
  KILN_HIP_TRY(
      found->submit([&](device::Queue& queue) { return queue.copy_2d(dst, dpitch, src, spitch, width, height); }));
  // Pageable memory is the caller's again when an asynchronous copy returns; two-dimensional ones are not staged.
  const runtime::Allocations& allocations = Runtime::instance().allocations();
  return wait || !allocations.find(dst) || !allocations.find(src) ? done(found->synchronize()) : done(hipSuccess);
}

// `count` elements of T.
template <class T> hipError_t fill(void* dst, T value, size_t count, hipStream_t stream, bool wait) {
  KILN_HIP_FIND(stream, found, stream);
  if (count == 0)
    return done(hipSuccess);
  KILN_HIP_REQUIRE(dst, hipErrorInvalidValue, "dst is null");
  KILN_HIP_REQUIRE(count <= SIZE_MAX / sizeof(T), hipErrorInvalidValue, "the size overflows");
  KILN_HIP_REQUIRE(reinterpret_cast<uintptr_t>(dst) % sizeof(T) == 0, hipErrorInvalidValue, "dst is not aligned");
  KILN_HIP_TRY(Runtime::instance().allocations().check_range(dst, count * sizeof(T)));
  const ByteView pattern = std::as_bytes(std::span(&value, 1));
  KILN_HIP_TRY(found->submit([&](device::Queue& queue) { return queue.fill(dst, pattern, count); }));
  return wait ? done(found->synchronize()) : done(hipSuccess);
}

hipError_t fill_2d(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream, bool wait) {
  KILN_HIP_FIND(stream, found, stream);
  if (width == 0 || height == 0)
    return done(hipSuccess);
  KILN_HIP_REQUIRE(dst, hipErrorInvalidValue, "dst is null");
  KILN_HIP_REQUIRE(width <= pitch || height == 1, hipErrorInvalidPitchValue, "width is above the pitch");
  KILN_HIP_REQUIRE(pitch <= SIZE_MAX / height, hipErrorInvalidValue, "the size overflows");
  KILN_HIP_TRY(Runtime::instance().allocations().check_range(dst, pitch * (height - 1) + width));
  const auto byte = static_cast<unsigned char>(value);
  KILN_HIP_TRY(found->submit([&](device::Queue& queue) -> Result<void> {
    for (size_t row = 0; row < height; ++row)
      KILN_TRY(queue.fill(static_cast<std::byte*>(dst) + row * pitch, std::as_bytes(std::span(&byte, 1)), width));
    return {};
  }));
  return wait ? done(found->synchronize()) : done(hipSuccess);
}

} // namespace

hipError_t hipMemcpy(void* dst, const void* src, size_t size, hipMemcpyKind kind) {
  KILN_HIP_REQUIRE(valid(kind), hipErrorInvalidMemcpyDirection, "there is no such kind");
  return copy(dst, src, size);
}

hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  KILN_HIP_REQUIRE(valid(kind), hipErrorInvalidMemcpyDirection, "there is no such kind");
  if (hipError_t error = copy_async(dst, src, size, stream); error != hipSuccess)
    return error;
  return hipStreamSynchronize(stream);
}

hipError_t hipMemcpyAsync(void* dst, const void* src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  KILN_HIP_REQUIRE(valid(kind), hipErrorInvalidMemcpyDirection, "there is no such kind");
  return copy_async(dst, src, size, stream);
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, size_t size) {
  return copy(dst, src, size);
}
hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t size) {
  return copy(dst, src, size);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size) {
  return copy(dst, src, size);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, size_t size, hipStream_t stream) {
  return copy_async(dst, src, size, stream);
}

hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t size, hipStream_t stream) {
  return copy_async(dst, src, size, stream);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size, hipStream_t stream) {
  return copy_async(dst, src, size, stream);
}

hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return copy_2d(dst, dpitch, src, spitch, width, height, kind, nullptr, true);
}

hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return copy_2d(dst, dpitch, src, spitch, width, height, kind, stream, false);
}

hipError_t hipMemcpyPeer(void* dst, int dstDeviceId, const void* src, int srcDeviceId, size_t size) {
  KILN_HIP_FIND(device, to, dstDeviceId);
  KILN_HIP_FIND(device, from, srcDeviceId);
  return copy(dst, src, size);
}

hipError_t hipMemcpyPeerAsync(void* dst, int dstDeviceId, const void* src, int srcDevice, size_t size,
                              hipStream_t stream) {
  KILN_HIP_FIND(device, to, dstDeviceId);
  KILN_HIP_FIND(device, from, srcDevice);
  return copy_async(dst, src, size, stream);
}

hipError_t hipMemset(void* dst, int value, size_t size) {
  return fill(dst, static_cast<unsigned char>(value), size, nullptr, true);
}
hipError_t hipMemsetAsync(void* dst, int value, size_t size, hipStream_t stream) {
  return fill(dst, static_cast<unsigned char>(value), size, stream, false);
}
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return fill(dst, value, count, nullptr, true);
}
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count, hipStream_t stream) {
  return fill(dst, value, count, stream, false);
}
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return fill(dst, value, count, nullptr, true);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream) {
  return fill(dst, value, count, stream, false);
}
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return fill(dst, value, count, nullptr, true);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return fill(dst, value, count, stream, false);
}
hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_2d(dst, pitch, value, width, height, nullptr, true);
}
hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return fill_2d(dst, pitch, value, width, height, stream, false);
}
