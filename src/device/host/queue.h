// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue is a thread that takes its work in order; it is itself a worker, so that a small launch needs no other
// thread.
#pragma once

#include "device/device.h"
#include "device/host/forked.h"
#include "device/host/pool.h"

#include <deque>
#include <functional>
#include <mutex>

namespace kiln::device::host {

class HostMarker final : public Marker {
public:
  [[nodiscard]] bool done() const override;
  Result<void> wait() override;
  [[nodiscard]] uint64_t timestamp_ns() const override;
  void signal();

private:
  mutable std::mutex lock_; // of all below
  Signal reached_;
  bool done_ = false;
  uint64_t timestamp_ = 0;
};

class HostQueue final : public Queue {
public:
  // Errors: out_of_memory, if there is no thread to be had.
  static Result<std::unique_ptr<Queue>> create();
  HostQueue(); // for create()
  ~HostQueue() override;
  Result<void> launch(Kernel& kernel, Launch launch) override;
  Result<void> copy(void* to, const void* from, uint64_t size) override;
  Result<void> copy_2d(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch, uint64_t width,
                       uint64_t height) override;
  Result<void> fill(void* to, ByteView pattern, uint64_t count) override;
  Result<void> host_function(std::function<void()> function) override;
  Result<std::shared_ptr<Marker>> record() override;
  Result<void> wait_for(std::shared_ptr<Marker> marker) override;
  Result<void> synchronize() override;
  [[nodiscard]] bool idle() const override;

private:
  using Task = std::function<Result<void>(GridWorker&)>;
  Result<void> enqueue(Task task, bool after_failure = true);
  Result<void> take_failure(); // with lock_ held
  void serve();

  struct Entry {
    Task run;
    bool after_failure; // also when an earlier kernel failed and nobody has been told yet
  };
  mutable std::mutex lock_; // of all but thread_
  Signal work_, drained_;
  std::deque<Entry> entries_;
  bool busy_ = false, stop_ = false;
  Result<void> failure_;
  WorkerThread thread_; // last: it starts when the rest is there
};

} // namespace kiln::device::host
