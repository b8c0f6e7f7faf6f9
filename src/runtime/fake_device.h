// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device for tests of runtime/ and hip/: memory is the host's, a queue is a list of work that runs when the test says
// so (or at once), kernels are C++ functions. And a compiler that makes "images" of text. Not part of the product.
#pragma once

#include "device/device.h"
#include "runtime/compiler.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace kiln::runtime::testing {

struct FakeMarker final : device::Marker {
  mutable std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  uint64_t time = 0;
  std::optional<Error> error;

  [[nodiscard]] bool done() const override {
    std::lock_guard lock(mutex);
    return is_done;
  }
  Result<void> wait() override {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_done; });
    return error ? Result<void>(*error) : Result<void>();
  }
  [[nodiscard]] uint64_t timestamp_ns() const override {
    std::lock_guard lock(mutex);
    return time;
  }
  void finish() {
    std::lock_guard lock(mutex);
    is_done = true;
    time = uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
    changed.notify_all();
  }
};

// One thread that takes the work in order.
class FakeQueue final : public device::Queue {
public:
  using Run = std::function<Result<void>(device::Kernel&, const device::Launch&)>;
  explicit FakeQueue(Run run) : run_(std::move(run)), thread_([this] { work(); }) {}
  ~FakeQueue() override {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }
  Result<void> launch(device::Kernel& kernel, device::Launch launch) override {
    return add([this, &kernel, launch = std::move(launch)] { return run_(kernel, launch); });
  }
  Result<void> copy(void* to, const void* from, uint64_t size) override {
    return add([=]() -> Result<void> {
      std::memmove(to, from, size);
      return {};
    });
  }
  Result<void> copy_2d(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch, uint64_t width,
                       uint64_t height) override {
    return add([=]() -> Result<void> {
      for (uint64_t row = 0; row < height; ++row)
        std::memmove(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
      return {};
    });
  }
  Result<void> fill(void* to, ByteView pattern, uint64_t count) override {
    return add([to, bytes = Bytes(pattern.begin(), pattern.end()), count]() -> Result<void> {
      for (uint64_t i = 0; i < count; ++i)
        std::memcpy(static_cast<std::byte*>(to) + i * bytes.size(), bytes.data(), bytes.size());
      return {};
    });
  }
  Result<void> host_function(std::function<void()> function) override {
    return add([function = std::move(function)]() -> Result<void> {
      function();
      return {};
    });
  }
  Result<std::shared_ptr<device::Marker>> record() override {
    auto marker = std::make_shared<FakeMarker>();
    KILN_TRY(add([marker]() -> Result<void> {
      marker->finish();
      return {};
    }));
    return std::shared_ptr<device::Marker>(marker);
  }
  Result<void> wait_for(std::shared_ptr<device::Marker> marker) override {
    return add([marker] { return marker->wait(); });
  }
  Result<void> synchronize() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return work_.empty() && !busy_; });
    if (auto error = std::exchange(error_, std::nullopt))
      return *error;
    return {};
  }
  [[nodiscard]] bool idle() const override {
    std::lock_guard lock(mutex_);
    return work_.empty() && !busy_;
  }

private:
  Result<void> add(std::function<Result<void>()> item) {
    std::lock_guard lock(mutex_);
    if (auto error = std::exchange(error_, std::nullopt))
      return *error;
    work_.push_back(std::move(item));
    changed_.notify_all();
    return {};
  }
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stop_ || !work_.empty(); });
      if (work_.empty())
        return;
      auto item = std::move(work_.front());
      work_.pop_front();
      busy_ = true;
      lock.unlock();
      auto result = item();
      item = nullptr;
      lock.lock();
      busy_ = false;
      if (!result && !error_)
        error_ = result.error();
      changed_.notify_all();
    }
  }

  Run run_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<Result<void>()>> work_;
  std::optional<Error> error_;
  bool busy_ = false, stop_ = false;
  std::thread thread_;
};

struct FakeKernel final : device::Kernel {
  codeobj::KernelMetadata data;
  [[nodiscard]] const codeobj::KernelMetadata& metadata() const override { return data; }
};

// Knows any kernel by name; every kernel takes (pointer, u32). Has the variables that its text names: "var NAME SIZE".
class FakeExecutable final : public device::Executable {
public:
  explicit FakeExecutable(std::map<std::string, Bytes> variables) : variables_(std::move(variables)) {}
  Result<device::Kernel*> kernel(const std::string& name) override {
    std::lock_guard lock(mutex_);
    auto& kernel = kernels_[name];
    if (!kernel) {
      kernel = std::make_unique<FakeKernel>();
      kernel->data.name = kernel->data.symbol = name;
      kernel->data.arguments = {
          {"p", "global_buffer", "global", 0, 8}, {"n", "by_value", "", 8, 4}, {"", "hidden_block_count_x", "", 16, 4}};
      kernel->data.kernarg_size = 20;
      kernel->data.max_block_size = 256;
      kernel->data.group_size = 16;
    }
    return kernel.get();
  }
  Result<Symbol> variable(const std::string& name) override {
    auto found = variables_.find(name);
    if (found == variables_.end())
      return Error{ErrorCode::not_found, "no variable '" + name + "'"};
    return Symbol{found->second.data(), found->second.size()};
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<FakeKernel>> kernels_;
  std::map<std::string, Bytes> variables_;
};

class FakeDevice final : public device::Device {
public:
  explicit FakeDevice(std::string id = "fake", std::string target = "gfx942") {
    info_.id = std::move(id);
    info_.name = "Fake device";
    info_.target = std::move(target);
    info_.kind = "fake";
    info_.wave_size = 64;
    info_.compute_units = 4;
    info_.global_memory = uint64_t(1) << 30;
    info_.unified_memory = true;
    run = [](device::Kernel&, const device::Launch&) -> Result<void> { return {}; };
  }
  [[nodiscard]] const device::DeviceInfo& info() const override { return info_; }
  device::DeviceInfo& info() { return info_; }
  Result<void*> allocate(uint64_t size, uint64_t alignment, device::MemoryKind) override {
    ++live_allocations;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  Result<void> free(void* address) override {
    --live_allocations;
    std::free(address);
    return {};
  }
  Result<std::unique_ptr<device::Executable>> load(ByteView image, ByteView,
                                                   const device::SymbolResolver& resolve) override {
    ++loads;
    const std::string text(as_text(image));
    if (text.find("unloadable") != std::string::npos)
      return Error{ErrorCode::unsupported, "the image cannot be loaded"};
    if (text.find("uses-global") != std::string::npos)
      KILN_TRY(resolve("counter"));
    std::map<std::string, Bytes> variables;
    if (text.find("globals") != std::string::npos)
      variables = {{"counter", Bytes(4)}, {"managed", Bytes(8)}};
    return std::unique_ptr<device::Executable>(std::make_unique<FakeExecutable>(std::move(variables)));
  }
  Result<std::unique_ptr<device::Queue>> create_queue() override {
    return std::unique_ptr<device::Queue>(std::make_unique<FakeQueue>(
        [this](device::Kernel& kernel, const device::Launch& launch) { return run(kernel, launch); }));
  }
  Result<uint32_t> occupancy(device::Kernel&, uint32_t block_size, uint64_t) override { return 1024 / block_size; }

  FakeQueue::Run run; // what a launch does
  std::atomic<int> live_allocations = 0;
  std::atomic<int> loads = 0;

private:
  device::DeviceInfo info_;
};

class FakeCompiler final : public Compiler {
public:
  Result<std::string> build_id() override { return std::string("fake-1"); }
  Result<cache::Entry> compile(const CompileJob& job) override {
    ++compilations;
    std::this_thread::sleep_for(delay);
    if (job.kernel == "broken")
      return Error{ErrorCode::compile_failed, "llvm.amdgcn.nothing has no meaning on " + job.target};
    std::string image = job.unit == KILN_UNIT_GLOBALS ? "globals" : "kernel " + job.kernel;
    if (job.kernel == "counts")
      image += " uses-global";
    const ByteView bytes = as_bytes(image);
    return cache::Entry{Bytes(bytes.begin(), bytes.end()), {}};
  }
  std::atomic<int> compilations = 0;
  std::chrono::milliseconds delay{0};
};

} // namespace kiln::runtime::testing
