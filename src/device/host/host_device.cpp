// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/host_device.h"

#include "device/host/cycle_counter.h"
#include "device/host/executable.h"
#include "device/host/faults.h"
#include "device/host/pool.h"
#include "device/host/queue.h"

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sys/sysinfo.h>
#include <unordered_map>

namespace kiln::device::host {

namespace {

// The value of a line "key : value" of /proc/cpuinfo, "" if there is none.
std::string cpu_info(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(':');
    if (colon != std::string::npos && line.starts_with(key) && colon + 2 <= line.size())
      return line.substr(colon + 2);
  }
  return "";
}

// The unified cache of level 2 of the first processor: "2048K".
uint64_t l2_cache() {
  const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index";
  auto read = [&](int index, const char* name) {
    std::string text;
    std::getline(std::ifstream(folder + std::to_string(index) + "/" + name) >> std::ws, text);
    return text;
  };
  for (int index = 0; index < 8; ++index)
    if (read(index, "level") == "2" && read(index, "type") == "Unified") {
      std::string size = read(index, "size");
      uint64_t number = std::strtoull(size.c_str(), nullptr, 10);
      return number << (size.ends_with('K') ? 10 : size.ends_with('M') ? 20 : 0);
    }
  return 0;
}

DeviceInfo describe(uint32_t wave_size) {
  DeviceInfo info;
  info.id = "host";
  info.name = cpu_info("model name");
  if (info.name.empty())
    info.name = "CPU";
  info.target = "host";
  info.kind = "host";
  info.wave_size = wave_size;
  info.compute_units = Pool::get().threads();
  info.clock_khz = uint32_t(std::strtod(cpu_info("cpu MHz").c_str(), nullptr) * 1000);
  struct sysinfo memory{};
  if (sysinfo(&memory) == 0)
    info.global_memory = uint64_t(memory.totalram) * memory.mem_unit;
  info.l2_cache = l2_cache();
  info.unified_memory = true;
  info.cooperative_launch = true;
  return info;
}

class HostDevice final : public Device {
public:
  explicit HostDevice(uint32_t wave_size) : info_(describe(wave_size)) { install_fault_handlers(); }

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  Result<void*> allocate(uint64_t size, uint64_t alignment, MemoryKind) override {
    alignment = std::max<uint64_t>(alignment, 256);
    if (size == 0 || (alignment & (alignment - 1)))
      return Error{ErrorCode::invalid_argument,
                   "an allocation of " + std::to_string(size) + " bytes, aligned to " + std::to_string(alignment)};
    std::lock_guard guard(lock_);
    if (size > info_.global_memory || allocated_ > info_.global_memory - size)
      return Error{ErrorCode::out_of_memory, "an allocation of " + std::to_string(size) + " bytes, and of the host's " +
                                                 std::to_string(info_.global_memory) + " " +
                                                 std::to_string(allocated_) + " are in use"};
    void* memory = std::aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    if (!memory)
      return Error{ErrorCode::out_of_memory, "an allocation of " + std::to_string(size) + " bytes failed"};
    sizes_[memory] = size;
    allocated_ += size;
    return memory;
  }

  Result<void> free(void* address) override {
    std::lock_guard guard(lock_);
    auto found = sizes_.find(address);
    if (found == sizes_.end())
      return Error{ErrorCode::invalid_argument, "an address is freed that was not allocated, or is freed twice"};
    allocated_ -= found->second;
    sizes_.erase(found);
    std::free(address);
    return {};
  }

  Result<std::unique_ptr<Executable>> load(ByteView image, ByteView metadata, const SymbolResolver& resolve) override {
    return HostExecutable::load(image, metadata, resolve, info_.wave_size);
  }

  Result<std::unique_ptr<Queue>> create_queue() override { return HostQueue::create(); }

  [[nodiscard]] uint32_t cycle_counter_khz() override { return host::cycle_counter_khz(); }

  // A compute unit is a worker, and a worker runs one block at a time.
  Result<uint32_t> occupancy(Kernel& kernel, uint32_t block_size, uint64_t dynamic_local_memory) override {
    const codeobj::KernelMetadata& metadata = kernel.metadata();
    bool fits = block_size >= 1 && block_size <= std::min(metadata.max_block_size, info_.max_threads_per_block) &&
                dynamic_local_memory <= info_.local_memory_per_block &&
                metadata.group_size + dynamic_local_memory <= info_.local_memory_per_block;
    return fits ? 1u : 0u;
  }

private:
  DeviceInfo info_;
  std::mutex lock_; // of sizes_ and allocated_
  std::unordered_map<void*, uint64_t> sizes_;
  uint64_t allocated_ = 0;
};

} // namespace

std::unique_ptr<Device> make_device(uint32_t wave_size) {
  return std::make_unique<HostDevice>(wave_size == 64 ? 64 : 32);
}

} // namespace kiln::device::host
