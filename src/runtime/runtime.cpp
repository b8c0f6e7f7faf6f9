// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/runtime.h"

#include "cache/memory_cache.h"
#include "runtime/log.h"
#include "runtime/registry.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace kiln::runtime {
namespace {

// Copies from pageable memory up to this size are staged, so that the caller need not wait.
constexpr uint64_t staging_limit = 64 << 10;

std::atomic<Runtime*> test_instance = nullptr;

device::Discovery discover_visible() {
  const char* selection = std::getenv("KILN_DEVICES");
  auto found = device::discover(selection ? selection : "");
  if (!found) {
    log(LogLevel::error, found.error().message);
    device::Discovery nothing;
    nothing.unusable.push_back({selection ? selection : "", found.error().message});
    return nothing;
  }
  if (const char* visible = std::getenv("HIP_VISIBLE_DEVICES")) {
    std::vector<std::unique_ptr<device::Device>> shown;
    for (size_t index : visible_devices(visible, found->devices.size()))
      shown.push_back(std::move(found->devices[index]));
    for (const auto& hidden : found->devices)
      if (hidden)
        found->unusable.push_back({hidden->info().id, "hidden by HIP_VISIBLE_DEVICES"});
    found->devices = std::move(shown);
  }
  return std::move(*found);
}

} // namespace

std::vector<size_t> visible_devices(const char* text, size_t count) {
  std::vector<size_t> shown;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    size_t index = 0;
    auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
    if (error != std::errc() || end != entry.data() + entry.size() || index >= count ||
        std::ranges::find(shown, index) != shown.end())
      break;
    shown.push_back(index);
  }
  return shown;
}

Runtime& Runtime::instance() {
  if (Runtime* other = test_instance.load(std::memory_order_acquire))
    return *other;
  // Never destroyed: streams may be in use by destructors of static objects, and unloading at exit helps nobody.
  static auto* runtime = new Runtime(discover_visible(), make_compiler_loader());
  return *runtime;
}

void Runtime::set_instance_for_test(Runtime* runtime) {
  test_instance.store(runtime, std::memory_order_release);
}

Runtime::Runtime(device::Discovery discovery, std::unique_ptr<Compiler> compiler)
    : unusable_(std::move(discovery.unusable)), compiler_(std::move(compiler)) {
  caches_.append(std::make_unique<cache::MemoryCache>());
  for (auto& device : discovery.devices)
    devices_.push_back(std::make_unique<DeviceContext>(std::move(device), int(devices_.size())));
}

Result<DeviceContext*> Runtime::device(int index) const {
  if (devices_.empty())
    return no_device();
  if (index < 0 || size_t(index) >= devices_.size())
    return Error{ErrorCode::invalid_argument,
                 "there is no device " + std::to_string(index) + "; there are " + std::to_string(devices_.size())};
  return devices_[size_t(index)].get();
}

Error Runtime::no_device() const {
  std::string message = "there is no usable device";
  for (const auto& [id, reason] : unusable_)
    message += "; " + (id.empty() ? "" : id + ": ") + reason;
  return Error{ErrorCode::no_device, message};
}

Result<void*> Runtime::allocate(DeviceContext& device, uint64_t size, AllocationKind kind, uint32_t flags) {
  KILN_TRY(device.fault());
  if (kind == AllocationKind::device && device.info().global_memory && size > device.info().global_memory)
    return Error{ErrorCode::out_of_memory, device.info().id + " has " + std::to_string(device.info().global_memory) +
                                               " bytes of memory, less than the " + std::to_string(size) +
                                               " asked for"};
  const auto memory = kind == AllocationKind::device ? device::MemoryKind::device : device::MemoryKind::host_visible;
  KILN_ASSIGN(void* address, device.device().allocate(size, 256, memory));
  allocations_.add({reinterpret_cast<uintptr_t>(address), size, kind, device.index(), flags});
  return address;
}

Result<void> Runtime::free(void* address) {
  auto allocation = allocations_.find(address);
  if (!allocation || allocation->base != reinterpret_cast<uintptr_t>(address) ||
      allocation->kind == AllocationKind::registered)
    return Error{ErrorCode::invalid_argument, "the address was not allocated here, or was freed before"};
  DeviceContext& device = *devices_[size_t(allocation->device)];
  Result<void> finished = device.synchronize();
  device.drain(); // other streams' kernels may go on after a fault
  if (!allocations_.remove(address))
    return Error{ErrorCode::invalid_argument, "the address was freed by another thread"};
  KILN_TRY(device.device().free(address));
  return finished;
}

// Can one device's queue copy between these two?
bool Runtime::direct(const Allocation& a, const Allocation& b) const {
  auto unified = [&](const Allocation& allocation) {
    return allocation.kind != AllocationKind::device || devices_[size_t(allocation.device)]->info().unified_memory;
  };
  return a.device == b.device || unified(a) || unified(b);
}

Result<void> Runtime::copy(DeviceContext& current, void* to, const void* from, uint64_t size) {
  KILN_TRY(allocations_.check_range(to, size));
  KILN_TRY(allocations_.check_range(from, size));
  auto target = allocations_.find(to);
  auto source = allocations_.find(from);
  auto run = [&](DeviceContext& device, void* where, const void* what) -> Result<void> {
    KILN_ASSIGN(auto stream, device.null_stream());
    KILN_TRY(stream->submit([&](device::Queue& queue) { return queue.copy(where, what, size); }));
    return stream->synchronize();
  };
  if (target && source && !direct(*target, *source)) {
    Bytes through(size); // two devices that cannot reach each other's memory
    KILN_TRY(run(*devices_[size_t(source->device)], through.data(), from));
    return run(*devices_[size_t(target->device)], to, through.data());
  }
  // The device that owns memory of its own does the copy.
  DeviceContext* device = &current;
  for (const auto& end : {source, target})
    if (end && end->kind == AllocationKind::device && !devices_[size_t(end->device)]->info().unified_memory)
      device = devices_[size_t(end->device)].get();
  return run(*device, to, from);
}

Result<void> Runtime::copy_async(Stream& stream, void* to, const void* from, uint64_t size) {
  KILN_TRY(allocations_.check_range(to, size));
  KILN_TRY(allocations_.check_range(from, size));
  auto target = allocations_.find(to);
  auto source = allocations_.find(from);
  if (target && source && !direct(*target, *source)) {
    KILN_TRY(stream.synchronize());
    return copy(stream.context(), to, from, size);
  }
  if (!source && size <= staging_limit && target) {
    auto staged = std::make_shared<Bytes>(size);
    std::memcpy(staged->data(), from, size);
    return stream.submit([&](device::Queue& queue) -> Result<void> {
      KILN_TRY(queue.copy(to, staged->data(), size));
      return queue.host_function([staged] {}); // keeps the bytes until the copy is done
    });
  }
  KILN_TRY(stream.submit([&](device::Queue& queue) { return queue.copy(to, from, size); }));
  return source && target ? Result<void>() : stream.synchronize();
}

void Runtime::finish_all() {
  for (const auto& device : devices_)
    device->drain();
}

Result<void> Runtime::reset(DeviceContext& device) {
  device.reset();
  Registry::instance().unload(device);
  Result<void> first;
  for (const Allocation& allocation : allocations_.remove_all_of(device.index())) {
    if (allocation.kind == AllocationKind::registered)
      continue;
    auto freed = device.device().free(reinterpret_cast<void*>(allocation.base));
    if (!freed && first)
      first = std::move(freed);
  }
  return first;
}

} // namespace kiln::runtime
