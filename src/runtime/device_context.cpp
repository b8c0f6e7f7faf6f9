// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device_context.h"

#include "runtime/log.h"

#include <cstring>
#include <unordered_map>

namespace kiln::runtime {

DeviceContext::DeviceContext(std::unique_ptr<device::Device> device, int index)
    : device_(std::move(device)), index_(index), serial_([] {
        static std::atomic<uint64_t> next = 0;
        return next++;
      }()) {}

Result<std::shared_ptr<Stream>> DeviceContext::create_stream(StreamKind kind, int priority) {
  KILN_TRY(fault());
  KILN_ASSIGN(auto queue, device_->create_queue());
  auto stream = std::make_shared<Stream>(*this, std::move(queue), kind, priority);
  std::lock_guard lock(streams_mutex_);
  std::erase_if(streams_, [](const auto& weak) { return weak.expired(); });
  streams_.push_back(stream);
  return stream;
}

Result<std::shared_ptr<Stream>> DeviceContext::null_stream() {
  std::lock_guard lock(streams_mutex_);
  if (!null_stream_) {
    KILN_ASSIGN(auto queue, device_->create_queue());
    null_stream_ = std::make_shared<Stream>(*this, std::move(queue), StreamKind::null, 0);
  }
  return null_stream_;
}

Result<std::shared_ptr<Stream>> DeviceContext::thread_stream() {
  thread_local bool gone = false; // the thread ends, and this is called by destructors that run after that of `mine`
  struct Streams {
    std::unordered_map<uint64_t, std::shared_ptr<Stream>> by_serial; // of DeviceContext
    ~Streams() { gone = true; }
  };
  thread_local Streams mine;
  if (gone)
    return create_stream(StreamKind::blocking);
  auto& stream = mine.by_serial[serial_];
  if (!stream) {
    KILN_ASSIGN(stream, create_stream(StreamKind::blocking));
  }
  return stream;
}

std::vector<std::shared_ptr<Stream>> DeviceContext::live_streams() {
  std::vector<std::shared_ptr<Stream>> live;
  std::lock_guard lock(streams_mutex_);
  for (const auto& weak : streams_)
    if (auto stream = weak.lock())
      live.push_back(std::move(stream));
  if (null_stream_)
    live.push_back(null_stream_);
  return live;
}

Result<void> DeviceContext::order_before(Stream& stream) {
  if (stream.kind() == StreamKind::non_blocking)
    return {};
  // A stream that is idle now has no earlier work, so there is nothing to wait for.
  for (const auto& other : live_streams()) {
    const bool before =
        stream.kind() == StreamKind::null ? other->kind() == StreamKind::blocking : other->kind() == StreamKind::null;
    if (!before || other->queue_->idle())
      continue;
    auto marker = other->queue_->record();
    if (!marker)
      return note(std::move(marker.error()));
    KILN_TRY(note(stream.queue_->wait_for(std::move(*marker))));
  }
  return {};
}

bool DeviceContext::nothing_before(const Stream& stream) {
  if (stream.kind() != StreamKind::null)
    return true; // a blocking stream's own queue holds its waits for the null stream
  for (const auto& other : live_streams())
    if (other->kind() == StreamKind::blocking && !other->queue_->idle())
      return false;
  return true;
}

Result<void> DeviceContext::synchronize() {
  KILN_TRY(fault());
  Result<void> first;
  for (const auto& stream : live_streams()) {
    auto result = note(stream->queue_->synchronize());
    if (!result && first)
      first = std::move(result);
  }
  return first;
}

Result<void> DeviceContext::write(void* to, const void* from, uint64_t size) {
  if (info().unified_memory) {
    std::memcpy(to, from, size);
    return {};
  }
  std::lock_guard lock(streams_mutex_);
  if (!service_queue_) {
    KILN_ASSIGN(service_queue_, device_->create_queue());
  }
  KILN_TRY(service_queue_->copy(to, from, size));
  return service_queue_->synchronize();
}

Result<void> DeviceContext::fault() const {
  if (!faulted_.load(std::memory_order_acquire))
    return {};
  std::lock_guard lock(fault_mutex_);
  if (!fault_)
    return {};
  return *fault_;
}

Result<void> DeviceContext::note(Result<void> result) {
  if (result)
    return result;
  const Error& error = result.error();
  if (error.code != ErrorCode::launch_failed && error.code != ErrorCode::assert_failed)
    return result;
  std::lock_guard lock(fault_mutex_);
  if (!fault_) {
    fault_ = error;
    faulted_.store(true, std::memory_order_release);
    log(LogLevel::error, info().id + ": " + error.message);
  }
  return result;
}

void DeviceContext::drain() {
  for (const auto& stream : live_streams())
    (void)note(stream->queue_->synchronize()); // also takes the fault out of the queue
}

void DeviceContext::reset() {
  drain();
  std::lock_guard lock(fault_mutex_);
  fault_.reset();
  faulted_.store(false, std::memory_order_release);
}

} // namespace kiln::runtime
