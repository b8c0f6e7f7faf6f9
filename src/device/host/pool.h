// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's workers: launches of all queues share them, the thread that asks works along. Work-groups are handed
// out in order of their number, a few at a time; nothing is stored per group.
#pragma once

#include "device/host/group_runner.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace kiln::device::host {

struct Grid {
  const host_abi::KernelDescriptor* kernel;
  const host_abi::Launch* launch;
  const char* name;
  uint32_t local_size;
  uint64_t blocks[3];
  uint64_t count;
  uint64_t step; // groups taken at a time
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex lock; // of what follows
  std::condition_variable idle;
  unsigned workers = 0; // that are in it
  Result<void> result;
};

// A worker with what it needs to run groups. One per thread.
class GridWorker {
public:
  // Takes groups until there are none left.
  void work(Grid& grid);
  [[nodiscard]] Worker& worker() { return worker_; }

private:
  Worker worker_;
  GroupMemory memory_;
  GroupRunner runner_{worker_, memory_};
};

class Pool {
public:
  // Made when first asked for and never destroyed: a kernel that hangs does not keep a process from its end.
  static Pool& get();
  [[nodiscard]] unsigned threads() const { return threads_; } // that work on one grid, the caller included

  // Runs the whole grid; the calling thread takes part with its own worker. Thread-safe.
  Result<void> run(Grid& grid, GridWorker& caller);

  Pool();

private:
  void serve();

  unsigned threads_;
  std::mutex lock_; // of grids_
  std::condition_variable wake_;
  std::deque<Grid*> grids_;
  std::vector<WorkerThread> workers_;
};

} // namespace kiln::device::host
