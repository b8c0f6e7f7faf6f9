// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime of a process: its devices, the way from SPIR-V to code, and what is allocated. The public C API
// (api_*.cpp) and the HIP API (hip/) are two faces of it.
#pragma once

#include "cache/chain.h"
#include "device/device.h"
#include "runtime/allocations.h"
#include "runtime/compiler.h"
#include "runtime/device_context.h"
#include "runtime/jit_log.h"
#include "runtime/module.h"

#include <kiln/api.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kiln::runtime {

// Thread-safe.
class KILN_API Runtime {
public:
  // The process's own: devices as KILN_DEVICES and HIP_VISIBLE_DEVICES say, the compiler from libkiln-compiler.so. Made
  // when first asked for, never destroyed.
  static Runtime& instance();
  // Puts another runtime in the place of the process's own; null: back. Not while anything runs.
  static void set_instance_for_test(Runtime* runtime);

  Runtime(device::Discovery discovery, std::unique_ptr<Compiler> compiler);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  [[nodiscard]] std::span<const std::unique_ptr<DeviceContext>> devices() const { return devices_; }
  [[nodiscard]] Result<DeviceContext*> device(int index) const;
  [[nodiscard]] const std::vector<device::Discovery::Unusable>& unusable() const { return unusable_; }
  // Why devices() is empty.
  [[nodiscard]] Error no_device() const;

  [[nodiscard]] Toolchain toolchain() { return {*compiler_, caches_, jit_log_}; }
  [[nodiscard]] JitLog& jit_log() { return jit_log_; }
  [[nodiscard]] Allocations& allocations() { return allocations_; }

  // Memory of `device`, or of the host that devices can reach (kind host or managed).
  Result<void*> allocate(DeviceContext& device, uint64_t size, AllocationKind kind, uint32_t flags = 0);
  // Waits for the device's work first, as kernels may still use the memory.
  Result<void> free(void* address);
  // Copies now, after the null stream's earlier work. Addresses of different devices are fine.
  Result<void> copy(DeviceContext& current, void* to, const void* from, uint64_t size);
  // Puts a copy into the stream. `from` or `to` may be pageable host memory, which is the caller's own again when this
  // returns (staged if small, waited for otherwise).
  Result<void> copy_async(Stream& stream, void* to, const void* from, uint64_t size);

  void finish_all(); // waits for all devices' work, whatever comes of it
  // Back to how the device was at the start: no work, allocations, loaded code or fault.
  Result<void> reset(DeviceContext& device);

private:
  [[nodiscard]] bool direct(const Allocation& a, const Allocation& b) const;

  std::vector<std::unique_ptr<DeviceContext>> devices_;
  std::vector<device::Discovery::Unusable> unusable_;
  std::unique_ptr<Compiler> compiler_;
  cache::Chain caches_;
  JitLog jit_log_;
  Allocations allocations_;
};

// Which of `count` devices HIP_VISIBLE_DEVICES shows ("2,0"), in that order: up to the first entry that is not a
// device.
[[nodiscard]] std::vector<size_t> visible_devices(const char* text, size_t count);

} // namespace kiln::runtime
