// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one work-group on the calling worker: the loops shape by a call, the coroutines shape by resuming lanes, wave by
// wave, with the convergence and barrier rules of support/host_abi.h.
#pragma once

#include "device/host/faults.h"
#include "support/host_abi.h"

#include <string>
#include <vector>

namespace kiln::device::host {

// Memory that one worker reuses for all groups it runs: local memory and coroutine frames, both between guard pages.
class GroupMemory {
public:
  GroupMemory();
  ~GroupMemory();
  GroupMemory(const GroupMemory&) = delete;
  GroupMemory& operator=(const GroupMemory&) = delete;

  [[nodiscard]] bool usable() const { return local_end_ && frames_low_; }
  // The block ends at a guard page, so that running over its end faults. 256-byte aligned.
  [[nodiscard]] std::byte* local(uint32_t size) const { return local_end_ - ((size + 255) & ~255u); }
  void release_frames() { frames_at_ = frames_low_; }
  [[nodiscard]] void* frame(uint64_t size, uint64_t alignment); // null: full
  [[nodiscard]] const std::byte* frames_low() const { return frames_low_; }
  [[nodiscard]] const std::byte* frames_high() const { return frames_high_; }

private:
  std::byte* local_end_ = nullptr;
  std::byte *frames_low_ = nullptr, *frames_high_ = nullptr, *frames_at_ = nullptr;
};

class GroupRunner {
public:
  GroupRunner(Worker& worker, GroupMemory& memory);

  // To be called inside Worker::run: faults leave it.
  void run(const host_abi::KernelDescriptor& kernel, const host_abi::Launch& launch, const uint32_t id[3],
           uint32_t local_size);

  // After a fault: where it was. Empty if the kernel's code does not tell.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] const host_abi::Group& group() const { return group_; }
  [[nodiscard]] Worker& worker() { return worker_; }
  [[nodiscard]] GroupMemory& memory() { return memory_; }

private:
  enum class State { running, yielding, at_barrier, done };
  struct Wave {
    uint32_t first, count;
    State state;
  };

  void run_coroutines();
  State run_wave(Wave& wave);
  void start(uint32_t lane);
  void resume(uint32_t lane);
  void resume_all(const Wave& wave, uint64_t lanes);
  [[noreturn]] void divergent_barrier(const Wave& wave);
  void set_thread(uint32_t lane, uint32_t* id) const;

  Worker& worker_;
  GroupMemory& memory_;
  host_abi::Group group_{};
  const host_abi::KernelDescriptor* kernel_ = nullptr;
  const host_abi::Launch* launch_ = nullptr;
  uint32_t size_[3] = {};
  uint32_t lane_ = 0; // the lane that runs
  std::vector<Wave> waves_;
  std::vector<host_abi::Slot> slots_;
  std::vector<void*> frames_;
};

} // namespace kiln::device::host
