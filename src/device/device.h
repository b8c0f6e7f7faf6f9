// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One interface over all devices: memory, loaded code, queues. Each back end (host/, hsa/, cuda/) implements it;
// runtime/ knows nothing else of a device. Every function is thread-safe unless it says otherwise.
#pragma once

#include "codeobj/kernel_metadata.h"
#include "support/bytes.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kiln::device {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] uint64_t count() const { return uint64_t(x) * y * z; }
};

struct DeviceInfo {
  std::string id;     // as in KILN_DEVICES: "host", "emu:gfx950", "amd:0", "cuda:0"
  std::string name;   // marketing name, "Intel(R) Xeon(R) Processor"
  std::string target; // what the compiler is asked for: "host", "gfx942:sramecc+:xnack-", "sm_90"
  std::string kind;   // "host", "amd", "cuda"
  uint32_t wave_size = 32;
  uint32_t compute_units = 1;
  uint32_t clock_khz = 0;
  uint32_t steady_clock_khz = 100000; // what wall_clock64() counts
  uint64_t l2_cache = 0;              // bytes of the one that a compute unit sees; 0: not known
  uint32_t max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 1024};
  Dim3 max_grid{0x7fffffff, 65535, 65535};
  uint64_t local_memory_per_block = 65536; // LDS bytes
  uint64_t global_memory = 0;
  bool unified_memory = false; // device pointers are host pointers
  bool cooperative_launch = false;
};

enum class MemoryKind { device, host_visible };

// Gives the address of a global variable that an image refers to but does not define.
using SymbolResolver = std::function<Result<void*>(const std::string& name)>;

class Kernel {
public:
  virtual ~Kernel() = default;
  [[nodiscard]] virtual const codeobj::KernelMetadata& metadata() const = 0;
};

// A loaded image (code object, shared object, PTX module).
class Executable {
public:
  virtual ~Executable() = default;
  // The kernel lives as long as the executable.
  virtual Result<Kernel*> kernel(const std::string& name) = 0;
  struct Symbol {
    void* address;
    uint64_t size;
  };
  virtual Result<Symbol> variable(const std::string& name) = 0;
};

struct Launch {
  Dim3 grid;  // in blocks
  Dim3 block; // in work-items
  uint32_t dynamic_local_memory = 0;
  Bytes arguments; // explicit kernel arguments laid out as metadata().arguments says; hidden ones are the device's
                   // business
  bool cooperative = false;
};

// A point in a queue. Timestamps are nanoseconds of a clock that is common to all queues of the device.
class Marker {
public:
  virtual ~Marker() = default;
  [[nodiscard]] virtual bool done() const = 0;
  virtual Result<void> wait() = 0;
  [[nodiscard]] virtual uint64_t timestamp_ns() const = 0; // valid once done()
};

// An in-order queue of work. A failure inside a kernel is kept and reported by the next synchronize() or enqueue.
class Queue {
public:
  virtual ~Queue() = default; // waits for what is enqueued
  virtual Result<void> launch(Kernel& kernel, Launch launch) = 0;
  virtual Result<void> copy(void* to, const void* from, uint64_t size) = 0; // any mix of device and host addresses
  virtual Result<void> copy_2d(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch, uint64_t width,
                               uint64_t height) = 0;
  virtual Result<void> fill(void* to, ByteView pattern, uint64_t count) = 0; // pattern of 1, 2 or 4 bytes
  virtual Result<void> host_function(std::function<void()> function) = 0;
  virtual Result<std::shared_ptr<Marker>> record() = 0;
  virtual Result<void> wait_for(std::shared_ptr<Marker> marker) = 0; // later work waits for it, the caller does not
  virtual Result<void> synchronize() = 0;
  [[nodiscard]] virtual bool idle() const = 0;
};

class Device {
public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  virtual Result<void*> allocate(uint64_t size, uint64_t alignment, MemoryKind kind) = 0;
  virtual Result<void> free(void* address) = 0;
  // Loads an image made by the compiler for info().target. `metadata` is the compiler's msgpack.
  virtual Result<std::unique_ptr<Executable>> load(ByteView image, ByteView metadata,
                                                   const SymbolResolver& resolve) = 0;
  virtual Result<std::unique_ptr<Queue>> create_queue() = 0;
  // What clock64() counts, in kHz. May take a few milliseconds the first time. Thread-safe.
  [[nodiscard]] virtual uint32_t cycle_counter_khz() { return info().clock_khz; }
  // Active blocks of `block_size` work-items a compute unit can hold; for the occupancy queries.
  virtual Result<uint32_t> occupancy(Kernel& kernel, uint32_t block_size, uint64_t dynamic_local_memory) = 0;
};

// What was found, and why the rest is not usable.
struct Discovery {
  std::vector<std::unique_ptr<Device>> devices;
  struct Unusable {
    std::string id, reason;
  };
  std::vector<Unusable> unusable;
};

// Opens the devices that `selection` names and orders ("host,emu:gfx950"; empty: real GPUs, then host). The host
// device's wave size is KILN_HOST_WAVE (32 or 64).
[[nodiscard]] Result<Discovery> discover(const std::string& selection);

} // namespace kiln::device
