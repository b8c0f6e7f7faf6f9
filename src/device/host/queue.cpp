// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/queue.h"

#include "device/host/executable.h"
#include "device/host/forked.h"
#include "device/host/services.h"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace kiln::device::host {

namespace {

constexpr uint64_t largest_local_memory = 65536;

std::string text(const Dim3& v) {
  return "(" + std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z) + ")";
}

Result<void> check(const HostKernel& kernel, const Launch& launch) {
  const codeobj::KernelMetadata& metadata = kernel.metadata();
  auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::invalid_argument, "kernel '" + metadata.name + "': " + why};
  };
  const Dim3 &grid = launch.grid, &block = launch.block;
  if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
    return refuse("a grid of " + text(grid) + " blocks; it must be from 1 to 2147483647, 65535 and 65535");
  if (!block.x || !block.y || !block.z || block.x > 1024 || block.y > 1024 || block.z > 1024 || block.count() > 1024)
    return refuse("a block of " + text(block) + " threads; the host device runs up to 1024");
  if (block.count() > metadata.max_block_size)
    return refuse("a block of " + std::to_string(block.count()) + " threads, and it was compiled for at most " +
                  std::to_string(metadata.max_block_size) + " (__launch_bounds__)");
  if (uint64_t(metadata.group_size) + launch.dynamic_local_memory > largest_local_memory)
    return refuse("needs " + std::to_string(uint64_t(metadata.group_size) + launch.dynamic_local_memory) +
                  " bytes of shared memory, and the host device has " + std::to_string(largest_local_memory));
  if (launch.arguments.size() < kernel.explicit_size())
    return refuse("was given " + std::to_string(launch.arguments.size()) + " bytes of arguments and takes " +
                  std::to_string(kernel.explicit_size()));
  if (launch.cooperative && grid.count() > Pool::get().threads())
    return Error{ErrorCode::unsupported, "kernel '" + metadata.name + "': a cooperative launch of " +
                                             std::to_string(grid.count()) +
                                             " blocks, which must all run at once, and the host device runs " +
                                             std::to_string(Pool::get().threads())};
  return {};
}

// Kernel arguments live in 64-byte aligned memory with room behind, as on a GPU.
struct Arguments {
  explicit Arguments(const Bytes& bytes, uint32_t size) : storage(std::max<size_t>(bytes.size(), size) + 64 + 63) {
    auto base = reinterpret_cast<uintptr_t>(storage.data());
    start = storage.data() + (-base & 63);
    std::memcpy(start, bytes.data(), bytes.size());
  }
  Bytes storage;
  std::byte* start;
};

void describe_launch(host_abi::Launch& to, const HostKernel& kernel, const Launch& from, const std::byte* arguments) {
  const uint32_t grid[3] = {from.grid.x, from.grid.y, from.grid.z};
  const uint32_t block[3] = {from.block.x, from.block.y, from.block.z};
  uint16_t dimensions = grid[2] * uint64_t(block[2]) > 1 ? 3 : grid[1] * uint64_t(block[1]) > 1 ? 2 : 1;
  to.packet.setup = dimensions;
  for (int d = 0; d < 3; ++d) {
    to.packet.workgroup_size[d] = uint16_t(block[d]);
    to.packet.grid_size[d] = grid[d] * block[d];
    to.implicit.block_count[d] = grid[d];
    to.implicit.group_size[d] = uint16_t(block[d]);
  }
  to.packet.group_segment_size = kernel.metadata().group_size + from.dynamic_local_memory;
  to.packet.kernarg_address = reinterpret_cast<uint64_t>(arguments);
  to.implicit.grid_dims = dimensions;
  to.implicit.dynamic_lds_size = from.dynamic_local_memory;
  to.kernarg = arguments;
  to.callbacks = &callbacks();
  static std::atomic<uint64_t> dispatches;
  to.dispatch_id = ++dispatches;
}

Result<void> run_launch(const HostKernel& kernel, const Launch& launch, GridWorker& self) {
  Arguments arguments(launch.arguments, kernel.metadata().kernarg_size);
  auto block = std::make_unique<host_abi::Launch>();
  describe_launch(*block, kernel, launch, arguments.start);
  Grid grid;
  grid.kernel = &kernel.descriptor();
  grid.launch = block.get();
  grid.name = kernel.metadata().name.c_str();
  grid.local_size = kernel.metadata().group_size + launch.dynamic_local_memory;
  grid.blocks[0] = launch.grid.x;
  grid.blocks[1] = launch.grid.y;
  grid.blocks[2] = launch.grid.z;
  grid.count = launch.grid.count();
  Pool& pool = Pool::get();
  grid.step = launch.cooperative ? 1 : std::clamp<uint64_t>(grid.count / (uint64_t(pool.threads()) * 16), 1, 256);
  static std::mutex cooperative; // two of them could hold half of the workers each, for ever
  std::unique_lock<std::mutex> guard;
  if (launch.cooperative)
    guard = std::unique_lock(cooperative);
  return pool.run(grid, self);
}

// Memory that the caller names may not be there: a fault of the copy is an error, not the end.
template <class Function> Result<void> contained(GridWorker& self, const char* what, Function function) {
  bool fine = self.worker().run([](void* f) { (*static_cast<Function*>(f))(); }, &function);
  if (fine)
    return {};
  return Error{ErrorCode::invalid_argument, std::string(what) + ": " + self.worker().fault().cause};
}

} // namespace

bool HostMarker::done() const {
  std::lock_guard guard(lock_);
  return done_;
}
Result<void> HostMarker::wait() {
  KILN_TRY(refuse_forked());
  std::unique_lock guard(lock_);
  reached_->wait(guard, [&] { return done_; });
  return {};
}
uint64_t HostMarker::timestamp_ns() const {
  std::lock_guard guard(lock_);
  return timestamp_;
}
void HostMarker::signal() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::lock_guard guard(lock_);
  timestamp_ = uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
  done_ = true;
  reached_->notify_all();
}

HostQueue::HostQueue() : thread_([this] { serve(); }) {}

Result<std::unique_ptr<Queue>> HostQueue::create() {
  watch_forks();
  KILN_TRY(refuse_forked());
  auto queue = std::make_unique<HostQueue>();
  if (!queue->thread_.started())
    return Error{ErrorCode::out_of_memory, "the system gives no thread for another stream of the host device"};
  return std::unique_ptr<Queue>(std::move(queue));
}

HostQueue::~HostQueue() {
  if (forked())
    return; // the thread is the parent's
  std::lock_guard guard(lock_);
  stop_ = true; // what is enqueued is done first; thread_ joins
  work_->notify_all();
}

Result<void> HostQueue::take_failure() {
  Result<void> failure = std::move(failure_);
  failure_ = {};
  return failure;
}

Result<void> HostQueue::enqueue(Task task, bool after_failure) {
  KILN_TRY(refuse_forked());
  std::lock_guard guard(lock_);
  KILN_TRY(take_failure());
  entries_.push_back({std::move(task), after_failure});
  work_->notify_one();
  return {};
}

void HostQueue::serve() {
  GridWorker self;
  std::unique_lock guard(lock_);
  while (true) {
    work_->wait(guard, [&] { return stop_ || !entries_.empty(); });
    if (entries_.empty())
      return;
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    busy_ = true;
    bool skip = !entry.after_failure && !failure_.ok();
    guard.unlock();
    Result<void> result;
    if (!skip)
      result = entry.run(self);
    entry.run = nullptr; // what it holds goes before anybody is told
    guard.lock();
    busy_ = false;
    if (!result.ok() && failure_.ok())
      failure_ = std::move(result);
    if (entries_.empty())
      drained_->notify_all();
  }
}

Result<void> HostQueue::launch(Kernel& kernel, Launch launch) {
  auto* host = dynamic_cast<HostKernel*>(&kernel);
  if (!host)
    return Error{ErrorCode::invalid_argument, "kernel '" + kernel.metadata().name + "' is not one of the host device"};
  KILN_TRY(check(*host, launch));
  auto shared = std::make_shared<Launch>(std::move(launch));
  return enqueue([host, shared](GridWorker& self) { return run_launch(*host, *shared, self); }, false);
}

Result<void> HostQueue::copy(void* to, const void* from, uint64_t size) {
  return enqueue([=](GridWorker& self) { return contained(self, "copy", [&] { std::memmove(to, from, size); }); });
}

Result<void> HostQueue::copy_2d(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch, uint64_t width,
                                uint64_t height) {
  if (width > to_pitch || width > from_pitch)
    return Error{ErrorCode::invalid_argument, "copy of rows of " + std::to_string(width) +
                                                  " bytes, wider than a pitch of " +
                                                  std::to_string(std::min(to_pitch, from_pitch))};
  return enqueue([=](GridWorker& self) {
    return contained(self, "copy", [&] {
      for (uint64_t row = 0; row < height; ++row)
        std::memmove(static_cast<std::byte*>(to) + row * to_pitch,
                     static_cast<const std::byte*>(from) + row * from_pitch, width);
    });
  });
}

Result<void> HostQueue::fill(void* to, ByteView pattern, uint64_t count) {
  if (pattern.size() != 1 && pattern.size() != 2 && pattern.size() != 4)
    return Error{ErrorCode::invalid_argument,
                 "fill with a pattern of " + std::to_string(pattern.size()) + " bytes; it must have 1, 2 or 4"};
  uint32_t value = 0;
  std::memcpy(&value, pattern.data(), pattern.size());
  size_t size = pattern.size();
  return enqueue([=](GridWorker& self) {
    return contained(self, "fill", [&] {
      if (size == 1)
        std::memset(to, int(value), count);
      else
        for (uint64_t i = 0; i < count; ++i)
          std::memcpy(static_cast<std::byte*>(to) + i * size, &value, size);
    });
  });
}

Result<void> HostQueue::host_function(std::function<void()> function) {
  return enqueue([function = std::move(function)](GridWorker&) -> Result<void> {
    function();
    return {};
  });
}

Result<std::shared_ptr<Marker>> HostQueue::record() {
  auto marker = std::make_shared<HostMarker>();
  KILN_TRY(enqueue([marker](GridWorker&) -> Result<void> {
    marker->signal();
    return {};
  }));
  return std::shared_ptr<Marker>(marker);
}

Result<void> HostQueue::wait_for(std::shared_ptr<Marker> marker) {
  return enqueue([marker = std::move(marker)](GridWorker&) { return marker->wait(); });
}

Result<void> HostQueue::synchronize() {
  KILN_TRY(refuse_forked());
  std::unique_lock guard(lock_);
  drained_->wait(guard, [&] { return entries_.empty() && !busy_; });
  return take_failure();
}

bool HostQueue::idle() const {
  if (forked())
    return true; // whatever it did, it does in the parent
  std::lock_guard guard(lock_);
  return entries_.empty() && !busy_;
}

} // namespace kiln::device::host
