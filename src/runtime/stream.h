// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events on top of a device's queues, with CUDA's and HIP's rules for the default ("null", "legacy")
// stream: work on the null stream starts after all earlier work on blocking streams, and work on a blocking stream
// starts after all earlier work on the null stream. Non-blocking streams take no part.
//
// A kernel that faulted makes its device unusable: the first call that waits for it, and every later call on the
// device, reports that fault until DeviceContext::reset().
#pragma once

#include "device/device.h"
#include "support/result.h"

#include <kiln/api.h>

#include <functional>
#include <memory>
#include <mutex>

namespace kiln::runtime {

class DeviceContext;

enum class StreamKind { null, blocking, non_blocking };

// Thread-safe.
class KILN_API Stream {
public:
  Stream(DeviceContext& context, std::unique_ptr<device::Queue> queue, StreamKind kind, int priority)
      : context_(context), queue_(std::move(queue)), kind_(kind), priority_(priority) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Runs `work`, which puts something into the queue, after the waits that the null stream's rules ask for.
  Result<void> submit(const std::function<Result<void>(device::Queue&)>& work);
  Result<void> synchronize();
  Result<std::shared_ptr<device::Marker>> record();
  // Nothing left to do? A fault that happened is reported by synchronize(), not here.
  [[nodiscard]] bool idle();

  [[nodiscard]] DeviceContext& context() const { return context_; }
  [[nodiscard]] StreamKind kind() const { return kind_; }
  [[nodiscard]] int priority() const { return priority_; }

private:
  friend class DeviceContext;
  DeviceContext& context_;
  std::unique_ptr<device::Queue> queue_;
  const StreamKind kind_;
  const int priority_;
};

// A point in a stream. Recording again replaces the point. Thread-safe.
class KILN_API Event {
public:
  explicit Event(bool timing) : timing_(timing) {}
  Result<void> record(Stream& stream);
  // An event that was never recorded counts as done.
  [[nodiscard]] bool done() const;
  [[nodiscard]] bool recorded() const { return marker() != nullptr; }
  Result<void> synchronize();
  Result<void> make_wait(Stream& stream) const; // later work of `stream` waits for the event
  [[nodiscard]] bool timing() const { return timing_; }

  // Milliseconds from `start` to `stop`. invalid_argument: not recorded, no timing, other device; not_ready: not done.
  [[nodiscard]] static Result<double> elapsed_ms(const Event& start, const Event& stop);

private:
  [[nodiscard]] std::shared_ptr<device::Marker> marker() const;
  mutable std::mutex mutex_; // guards marker_ and context_
  std::shared_ptr<device::Marker> marker_;
  DeviceContext* context_ = nullptr;
  const bool timing_;
};

} // namespace kiln::runtime
