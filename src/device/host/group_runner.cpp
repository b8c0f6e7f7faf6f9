// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/group_runner.h"

#include "device/host/wave_operations.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace kiln::device::host {
using namespace host_abi;

namespace {

constexpr size_t page = 65536; // at least a page everywhere
constexpr size_t local_bytes = 65536;

// `size` bytes with an inaccessible page before and after, or null.
std::byte* guarded(size_t size) {
  void* memory = mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  std::byte* start = static_cast<std::byte*>(memory) + page;
  if (mprotect(start, size, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, size + 2 * page);
    return nullptr;
  }
  return start;
}

} // namespace

GroupMemory::GroupMemory() {
  if (std::byte* local = guarded(local_bytes))
    local_end_ = local + local_bytes;
  // Reserved, not used: pages come when a frame is touched. Less where the system does not give that much.
  for (size_t size = size_t(1) << 30; size >= (size_t(1) << 24) && !frames_low_; size >>= 2)
    if ((frames_low_ = guarded(size)))
      frames_high_ = frames_low_ + size;
  frames_at_ = frames_low_;
}

GroupMemory::~GroupMemory() {
  if (local_end_)
    munmap(local_end_ - local_bytes - page, local_bytes + 2 * page);
  if (frames_low_)
    munmap(frames_low_ - page, size_t(frames_high_ - frames_low_) + 2 * page);
}

void* GroupMemory::frame(uint64_t size, uint64_t alignment) {
  auto at = reinterpret_cast<uintptr_t>(frames_at_);
  at = (at + alignment - 1) & ~uintptr_t(alignment - 1);
  auto left = reinterpret_cast<uintptr_t>(frames_high_) - at;
  if (at > reinterpret_cast<uintptr_t>(frames_high_) || size > left)
    return nullptr;
  frames_at_ = reinterpret_cast<std::byte*>(at + size);
  return reinterpret_cast<void*>(at);
}

GroupRunner::GroupRunner(Worker& worker, GroupMemory& memory) : worker_(worker), memory_(memory) {
  slots_.resize(1024);
  frames_.resize(1024);
  waves_.reserve(32);
}

void GroupRunner::run(const KernelDescriptor& kernel, const Launch& launch, const uint32_t id[3], uint32_t local_size) {
  kernel_ = &kernel;
  launch_ = &launch;
  std::copy(id, id + 3, group_.id);
  group_.local_size = local_size;
  group_.local = memory_.local(local_size);
  group_.private_low = worker_.stack_low;
  group_.private_high = worker_.stack_high;
  group_.frames_low = memory_.frames_low();
  group_.frames_high = memory_.frames_high();
  group_.executor = this;
  for (unsigned d = 0; d < 3; ++d)
    size_[d] = launch.packet.workgroup_size[d];
  if (kernel.shape == Shape::loops)
    kernel.entry.group(&launch, &group_);
  else
    run_coroutines();
}

void GroupRunner::set_thread(uint32_t lane, uint32_t* id) const {
  id[0] = lane % size_[0];
  id[1] = lane / size_[0] % size_[1];
  id[2] = lane / size_[0] / size_[1];
}

void GroupRunner::start(uint32_t lane) {
  uint32_t id[3];
  set_thread(lane, id);
  lane_ = lane;
  frames_[lane] = kernel_->entry.item(launch_, &group_, &slots_[lane], id[0], id[1], id[2]);
}

// The first word of a coroutine's frame is the function that goes on with it.
void GroupRunner::resume(uint32_t lane) {
  lane_ = lane;
  void* frame = frames_[lane];
  void (*function)(void*);
  std::memcpy(&function, frame, sizeof(function));
  function(frame);
}

void GroupRunner::resume_all(const Wave& wave, uint64_t lanes) {
  for (; lanes; lanes &= lanes - 1)
    resume(wave.first + std::countr_zero(lanes));
}

void GroupRunner::run_coroutines() {
  memory_.release_frames();
  const uint32_t count = size_[0] * size_[1] * size_[2];
  waves_.clear();
  for (uint32_t first = 0; first < count; first += kernel_->wave_size)
    waves_.push_back({first, std::min(kernel_->wave_size, count - first), State::running});
  for (Wave& wave : waves_) {
    for (uint32_t lane = wave.first; lane < wave.first + wave.count; ++lane)
      start(lane);
    wave.state = run_wave(wave);
  }
  while (true) {
    bool running = false, waiting = false;
    for (Wave& wave : waves_) {
      if (wave.state == State::yielding)
        wave.state = run_wave(wave);
      running |= wave.state == State::yielding;
      waiting |= wave.state == State::at_barrier;
    }
    if (running)
      continue;
    if (!waiting)
      return;
    for (Wave& wave : waves_) // every wave that is not done has come to its barrier
      if (wave.state == State::at_barrier)
        wave.state = run_wave(wave);
  }
}

// From one stop of the wave to the next. A wave comes in just started, yielding, or released from a barrier.
GroupRunner::State GroupRunner::run_wave(Wave& wave) {
  Slot* slots = &slots_[wave.first];
  bool released = wave.state == State::at_barrier, yielded = wave.state == State::yielding;
  while (true) {
    uint32_t lowest = finished, barrier = finished;
    uint64_t active = 0, at_barrier = 0;
    bool mixed = false;
    for (uint32_t lane = 0; lane < wave.count; ++lane) {
      uint32_t site = slots[lane].site;
      if (site == finished)
        continue;
      uint64_t bit = uint64_t(1) << lane;
      if (slots[lane].operation == Operation::barrier) {
        mixed |= at_barrier && site != barrier;
        barrier = site;
        at_barrier |= bit;
      } else if (site <= lowest) {
        active = site < lowest ? bit : active | bit;
        lowest = site;
      }
    }
    if (released) {
      released = false;
      resume_all(wave, at_barrier);
      continue;
    }
    if (!active && !at_barrier)
      return State::done;
    if (!active) { // every live lane is at a barrier
      if (mixed)
        divergent_barrier(wave);
      return State::at_barrier;
    }
    Operation operation = slots[std::countr_zero(active)].operation;
    if (operation == Operation::yield && !yielded && waves_.size() > 1)
      return State::yielding;
    yielded = false;
    apply_operation(slots, active);
    resume_all(wave, active);
  }
}

void GroupRunner::divergent_barrier(const Wave& wave) {
  uint32_t a = wave.first;
  while (slots_[a].site == finished)
    ++a;
  uint32_t b = a;
  while (slots_[b].site == finished || slots_[b].site == slots_[a].site)
    ++b;
  uint32_t first[3], second[3];
  set_thread(a, first);
  set_thread(b, second);
  char text[224];
  std::snprintf(
      text, sizeof(text),
      "divergent barrier: thread [%u,%u,%u] of the same wave waits at another barrier than thread [%u,%u,%u]; all "
      "threads must reach the same __syncthreads()",
      second[0], second[1], second[2], first[0], first[1], first[2]);
  worker_.fail(ErrorCode::launch_failed, text, first);
}

std::string GroupRunner::where() const {
  auto triple = [](const uint32_t* v) {
    return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "]";
  };
  std::string text = "block " + triple(group_.id) + ", thread ";
  if (worker_.fault().thread_known)
    return text + triple(worker_.fault().thread);
  if (kernel_->shape == Shape::coroutines) {
    uint32_t id[3];
    set_thread(lane_, id);
    return text + triple(id);
  }
  if (uint64_t(size_[0]) == 1) {
    uint32_t id[3] = {0, group_.row[0], group_.row[1]};
    return text + triple(id);
  }
  // The loop over x may be vectorised: which of the row it was is not kept.
  return text + "[0.." + std::to_string(size_[0] - 1) + "," + std::to_string(group_.row[0]) + "," +
         std::to_string(group_.row[1]) + "]";
}

} // namespace kiln::device::host
