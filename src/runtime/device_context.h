// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything the process has on one device besides loaded code: its streams and whether a kernel has faulted.
#pragma once

#include "device/device.h"
#include "runtime/stream.h"
#include "support/result.h"

#include <kiln/api.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace kiln::runtime {

// Thread-safe.
class KILN_API DeviceContext {
public:
  DeviceContext(std::unique_ptr<device::Device> device, int index);
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  [[nodiscard]] device::Device& device() const { return *device_; }
  [[nodiscard]] const device::DeviceInfo& info() const { return device_->info(); }
  [[nodiscard]] int index() const { return index_; } // in Runtime::devices()

  Result<std::shared_ptr<Stream>> create_stream(StreamKind kind, int priority = 0);
  Result<std::shared_ptr<Stream>> null_stream();
  // The calling thread's own stream ("per-thread default stream", a blocking one), made when first asked for.
  Result<std::shared_ptr<Stream>> thread_stream();

  Result<void> synchronize(); // all streams; at once if there was a fault
  void drain();               // waits for all work, even after a fault: nothing runs here any more
  // Writes to device memory now, independent of all streams: for the initial values of variables.
  Result<void> write(void* to, const void* from, uint64_t size);

  // The fault that made the device unusable, if there was one.
  Result<void> fault() const;
  // Passes `result` on; remembers it if it is a kernel's fault.
  Result<void> note(Result<void> result);
  // Waits for all work, whatever comes of it, and forgets the fault.
  void reset();

private:
  friend class Stream;
  // Makes `stream` wait for what the null stream's rules put before its next work.
  Result<void> order_before(Stream& stream);
  bool nothing_before(const Stream& stream);
  std::vector<std::shared_ptr<Stream>> live_streams();

  const std::unique_ptr<device::Device> device_;
  const int index_;
  const uint64_t serial_; // never used again by another context, unlike an address

  std::mutex streams_mutex_; // guards the three below
  std::shared_ptr<Stream> null_stream_;
  std::vector<std::weak_ptr<Stream>> streams_; // all but the null stream
  std::unique_ptr<device::Queue> service_queue_;

  std::atomic<bool> faulted_ = false; // fault_ is set; read first because that is cheap
  mutable std::mutex fault_mutex_;    // guards fault_
  std::optional<Error> fault_;
};

} // namespace kiln::runtime
