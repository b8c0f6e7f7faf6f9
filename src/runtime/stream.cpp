// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream.h"

#include "runtime/device_context.h"

namespace kiln::runtime {

Result<void> Stream::submit(const std::function<Result<void>(device::Queue&)>& work) {
  KILN_TRY(context_.fault());
  KILN_TRY(context_.order_before(*this));
  return context_.note(work(*queue_));
}

Result<void> Stream::synchronize() {
  KILN_TRY(context_.fault());
  KILN_TRY(context_.order_before(*this));
  return context_.note(queue_->synchronize());
}

Result<std::shared_ptr<device::Marker>> Stream::record() {
  std::shared_ptr<device::Marker> marker;
  KILN_TRY(submit([&](device::Queue& queue) -> Result<void> {
    KILN_ASSIGN(marker, queue.record());
    return {};
  }));
  return marker;
}

bool Stream::idle() {
  return queue_->idle() && context_.nothing_before(*this);
}

std::shared_ptr<device::Marker> Event::marker() const {
  std::lock_guard lock(mutex_);
  return marker_;
}

Result<void> Event::record(Stream& stream) {
  KILN_ASSIGN(auto marker, stream.record());
  std::lock_guard lock(mutex_);
  marker_ = std::move(marker);
  context_ = &stream.context();
  return {};
}

bool Event::done() const {
  auto point = marker();
  return !point || point->done();
}

Result<void> Event::synchronize() {
  std::shared_ptr<device::Marker> point;
  DeviceContext* context = nullptr;
  {
    std::lock_guard lock(mutex_);
    point = marker_;
    context = context_;
  }
  if (!point)
    return {};
  KILN_TRY(context->fault());
  return context->note(point->wait());
}

Result<void> Event::make_wait(Stream& stream) const {
  auto point = marker();
  if (!point || point->done())
    return stream.context().fault();
  return stream.submit([&](device::Queue& queue) { return queue.wait_for(point); });
}

Result<double> Event::elapsed_ms(const Event& start, const Event& stop) {
  auto read = [](const Event& event) {
    std::lock_guard lock(event.mutex_);
    return std::pair(event.marker_, event.context_);
  };
  auto [from, from_context] = read(start);
  auto [to, to_context] = read(stop);
  if (!start.timing_ || !stop.timing_)
    return Error{ErrorCode::invalid_argument, "the event was created without timing"};
  if (!from || !to)
    return Error{ErrorCode::invalid_argument, "the event was never recorded"};
  if (from_context != to_context)
    return Error{ErrorCode::invalid_argument, "the events are of different devices"};
  if (!from->done() || !to->done())
    return Error{ErrorCode::not_ready, "the event has not happened yet"};
  return (double(to->timestamp_ns()) - double(from->timestamp_ns())) * 1e-6;
}

} // namespace kiln::runtime
