// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/pool.h"

#include <algorithm>
#include <cstdlib>
#include <sched.h>

namespace kiln::device::host {

namespace {

unsigned count_threads() {
  if (const char* text = std::getenv("KILN_HOST_THREADS")) {
    char* end = nullptr;
    unsigned long value = std::strtoul(text, &end, 10);
    if (*text && !*end && value >= 1 && value <= 4096)
      return unsigned(value);
  }
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
    return unsigned(std::max(1, CPU_COUNT(&allowed)));
  return std::max(1u, std::thread::hardware_concurrency());
}

struct Share {
  Grid* grid;
  GroupRunner* runner;
};

// Inside Worker::run: may be left by a fault at any point, so it owns nothing.
void take_groups(void* argument) {
  auto& [grid, runner] = *static_cast<Share*>(argument);
  while (!grid->stop.load(std::memory_order_relaxed)) {
    uint64_t first = grid->next.fetch_add(grid->step, std::memory_order_relaxed);
    if (first >= grid->count)
      return;
    uint64_t last = std::min(first + grid->step, grid->count);
    uint32_t id[3] = {uint32_t(first % grid->blocks[0]), uint32_t(first / grid->blocks[0] % grid->blocks[1]),
                      uint32_t(first / grid->blocks[0] / grid->blocks[1])};
    for (uint64_t group = first; group < last; ++group) {
      runner->run(*grid->kernel, *grid->launch, id, grid->local_size);
      if (++id[0] == grid->blocks[0]) {
        id[0] = 0;
        if (++id[1] == grid->blocks[1]) {
          id[1] = 0;
          ++id[2];
        }
      }
    }
  }
}

} // namespace

void GridWorker::work(Grid& grid) {
  Share share{&grid, &runner_};
  if (!memory_.usable()) {
    std::lock_guard guard(grid.lock);
    grid.result = Error{ErrorCode::out_of_memory, "there is no memory for a worker of the host device"};
    grid.stop = true;
    return;
  }
  if (worker_.run(take_groups, &share))
    return;
  grid.stop = true;
  std::lock_guard guard(grid.lock);
  if (grid.result.ok()) // the first fault is the one that is told
    grid.result = Error{worker_.fault().code,
                        "kernel '" + std::string(grid.name) + "', " + runner_.where() + ": " + worker_.fault().cause};
}

Pool& Pool::get() {
  static Pool& pool = *std::make_unique<Pool>().release();
  return pool;
}

Pool::Pool() : threads_(count_threads()) {
  for (unsigned i = 1; i < threads_; ++i)
    if (!workers_.emplace_back([this] { serve(); }).started()) {
      workers_.pop_back(); // fewer threads than asked for, but all grids run
      threads_ = i;
    }
}

void Pool::serve() {
  GridWorker self;
  std::unique_lock guard(lock_);
  while (true) {
    wake_.wait(guard, [&] { return !grids_.empty(); });
    Grid& grid = *grids_.front();
    if (grid.stop || grid.next >= grid.count) {
      grids_.pop_front(); // nothing left to take
      continue;
    }
    {
      std::lock_guard inside(grid.lock);
      ++grid.workers;
    }
    guard.unlock();
    self.work(grid);
    {
      std::lock_guard inside(grid.lock);
      if (--grid.workers == 0)
        grid.idle.notify_all();
    }
    guard.lock();
  }
}

Result<void> Pool::run(Grid& grid, GridWorker& caller) {
  bool shared = threads_ > 1 && grid.count > 1;
  if (shared) {
    {
      std::lock_guard guard(lock_);
      grids_.push_back(&grid);
    }
    if (grid.count >= threads_)
      wake_.notify_all();
    else
      for (uint64_t i = 1; i < grid.count; ++i)
        wake_.notify_one();
  }
  caller.work(grid);
  if (shared) {
    {
      std::lock_guard guard(lock_); // from here on no worker enters it
      std::erase(grids_, &grid);
    }
    std::unique_lock guard(grid.lock);
    grid.idle.wait(guard, [&] { return grid.workers == 0; });
  }
  return std::move(grid.result);
}

} // namespace kiln::device::host
