// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: streams.
#include "hip/api.h"

using namespace kiln;
using namespace kiln::hip;

namespace {

hipError_t create(hipStream_t* handle, unsigned flags) {
  KILN_HIP_REQUIRE(handle, hipErrorInvalidValue, "stream is null");
  KILN_HIP_REQUIRE(flags == hipStreamDefault || flags == hipStreamNonBlocking, hipErrorInvalidValue, "unknown flags");
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  const auto kind = flags == hipStreamNonBlocking ? runtime::StreamKind::non_blocking : runtime::StreamKind::blocking;
  auto stream = std::make_shared<Stream>();
  stream->flags = flags;
  KILN_HIP_ASSIGN(stream->stream, device->create_stream(kind));
  *handle = reinterpret_cast<hipStream_t>(streams().add(std::move(stream)));
  return done(hipSuccess);
}

} // namespace

hipError_t hipStreamCreate(hipStream_t* stream) {
  return create(stream, hipStreamDefault);
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) {
  return create(stream, flags);
}

// Priorities are clamped to the range of hipDeviceGetStreamPriorityRange, which is 0 to 0.
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int) {
  return create(stream, flags);
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  auto removed = streams().remove(stream);
  KILN_HIP_REQUIRE(removed, hipErrorInvalidHandle, "the stream was not created here, or is destroyed");
  return done(hipSuccess); // its queue finishes what it has
}

hipError_t hipStreamQuery(hipStream_t stream) {
  KILN_HIP_FIND(stream, found, stream);
  if (!found->idle())
    return done(hipErrorNotReady);
  return done(found->synchronize()); // nothing to wait for, but a fault is reported
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  KILN_HIP_FIND(stream, found, stream);
  return done(found->synchronize());
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  KILN_HIP_REQUIRE(flags == hipEventWaitDefault, hipErrorInvalidValue, "flags must be 0");
  KILN_HIP_FIND(stream, waiter, stream);
  KILN_HIP_FIND(event, point, event);
  return done(point->event.make_wait(*waiter));
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
  KILN_HIP_REQUIRE(flags, hipErrorInvalidValue, "flags is null");
  KILN_HIP_FIND(stream, found, stream);
  *flags = found->kind() == runtime::StreamKind::non_blocking ? hipStreamNonBlocking : hipStreamDefault;
  return done(hipSuccess);
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  KILN_HIP_REQUIRE(priority, hipErrorInvalidValue, "priority is null");
  KILN_HIP_FIND(stream, found, stream);
  *priority = found->priority();
  return done(hipSuccess);
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  KILN_HIP_REQUIRE(device, hipErrorInvalidValue, "device is null");
  KILN_HIP_FIND(stream, found, stream);
  *device = found->context().index();
  return done(hipSuccess);
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags) {
  KILN_HIP_REQUIRE(callback && flags == 0, hipErrorInvalidValue, "callback is null, or flags is not 0");
  KILN_HIP_FIND(stream, found, stream);
  runtime::DeviceContext* context = &found->context();
  return done(found->submit([&](device::Queue& queue) {
    return queue.host_function([=] {
      auto fault = context->fault();
      callback(stream, fault ? hipSuccess : code_of(fault.error()), userData);
    });
  }));
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData) {
  KILN_HIP_REQUIRE(fn, hipErrorInvalidValue, "fn is null");
  KILN_HIP_FIND(stream, found, stream);
  return done(found->submit([&](device::Queue& queue) { return queue.host_function([=] { fn(userData); }); }));
}
