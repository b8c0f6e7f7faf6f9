// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: events.
#include "hip/api.h"

using namespace kiln;
using namespace kiln::hip;

hipError_t hipEventCreate(hipEvent_t* event) {
  return hipEventCreateWithFlags(event, hipEventDefault);
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventDisableSystemFence |
                             hipEventReleaseToDevice | hipEventReleaseToSystem;
  KILN_HIP_REQUIRE(event, hipErrorInvalidValue, "event is null");
  KILN_HIP_REQUIRE((flags & hipEventInterprocess) == 0, hipErrorNotSupported,
                   "events cannot be shared between processes");
  KILN_HIP_REQUIRE((flags & ~known) == 0, hipErrorInvalidValue, "unknown flags");
  KILN_HIP_TRY(current_device());
  auto made = std::make_shared<Event>(flags, (flags & hipEventDisableTiming) == 0);
  *event = reinterpret_cast<hipEvent_t>(events().add(std::move(made)));
  return done(hipSuccess);
}

hipError_t hipEventDestroy(hipEvent_t event) {
  KILN_HIP_REQUIRE(events().remove(event), hipErrorInvalidHandle, "the event was not created here, or is destroyed");
  return done(hipSuccess);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  KILN_HIP_FIND(event, point, event);
  KILN_HIP_FIND(stream, recorder, stream);
  return done(point->event.record(*recorder));
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
  KILN_HIP_REQUIRE(flags == hipEventRecordDefault, hipErrorInvalidValue, "flags must be 0");
  return hipEventRecord(event, stream);
}

hipError_t hipEventQuery(hipEvent_t event) {
  KILN_HIP_FIND(event, point, event);
  return point->event.done() ? done(hipSuccess) : done(hipErrorNotReady);
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  KILN_HIP_FIND(event, point, event);
  return done(point->event.synchronize());
}

hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  KILN_HIP_REQUIRE(ms, hipErrorInvalidValue, "ms is null");
  KILN_HIP_FIND(event, from, start);
  KILN_HIP_FIND(event, to, stop);
  KILN_HIP_REQUIRE(from->event.timing() && to->event.timing(), hipErrorInvalidHandle,
                   "an event was created with hipEventDisableTiming");
  KILN_HIP_REQUIRE(from->event.recorded() && to->event.recorded(), hipErrorInvalidHandle,
                   "an event was never recorded");
  KILN_HIP_ASSIGN(double elapsed, runtime::Event::elapsed_ms(from->event, to->event));
  *ms = float(elapsed);
  return done(hipSuccess);
}
