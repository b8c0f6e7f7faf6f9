// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/registry.h"

#include "runtime/log.h"
#include "runtime/runtime.h"

#include <cstdlib>
#include <cstring>

namespace kiln::runtime {
Registry& Registry::instance() {
  static auto* registry = new Registry; // never destroyed, see registry.h
  return *registry;
}

FatBinary* Registry::add_fat_binary(const void* wrapper) {
  std::unique_lock lock(mutex_);
  return binaries_.emplace_back(std::make_unique<FatBinary>(wrapper)).get();
}

void Registry::add_function(FatBinary* binary, const void* host_function, std::string name) {
  auto function = std::make_unique<Function>();
  function->binary = binary;
  function->name = std::move(name);
  std::unique_lock lock(mutex_);
  functions_[host_function] = std::move(function);
}

void Registry::add_variable(FatBinary* binary, const void* host_variable, std::string name, uint64_t size) {
  std::unique_lock lock(mutex_);
  variables_[host_variable] = {binary, std::move(name), size, nullptr};
}

Result<void> Registry::add_managed_variable(FatBinary* binary, void** pointer, const void* initial, std::string name,
                                            uint64_t size, uint64_t alignment) {
  // The program may use the variable before the first HIP call, so the memory is made here and now. It is the host's
  // own: devices with unified memory reach it as it is.
  alignment = std::max<uint64_t>(alignment, 64);
  void* memory = std::aligned_alloc(alignment, (std::max<uint64_t>(size, 1) + alignment - 1) / alignment * alignment);
  if (!memory)
    return Error{ErrorCode::out_of_memory, "no memory for the managed variable '" + name + "'"};
  if (initial)
    std::memcpy(memory, initial, size);
  else
    std::memset(memory, 0, size);
  *pointer = memory;
  std::unique_lock lock(mutex_);
  binary->managed_.push_back({name, memory, size});
  variables_[pointer] = {binary, std::move(name), size, memory};
  return {};
}

void Registry::remove_fat_binary(FatBinary* binary) {
  std::unique_ptr<FatBinary> removed;
  {
    std::unique_lock lock(mutex_);
    std::erase_if(functions_, [&](const auto& entry) { return entry.second->binary == binary; });
    std::erase_if(variables_, [&](const auto& entry) { return entry.second.binary == binary; });
    for (auto& candidate : binaries_)
      if (candidate.get() == binary) {
        removed = std::move(candidate);
        std::swap(candidate, binaries_.back());
        binaries_.pop_back();
        break;
      }
  }
  if (!removed)
    return;
  // Kernels of the module may still be running; their code must stay until they are done.
  if (removed->module_ && removed->module_->ok())
    Runtime::instance().finish_all();
  for (const ManagedVariable& managed : removed->managed_)
    std::free(managed.address);
}

Result<std::shared_ptr<Module>> Registry::module(Runtime& runtime, FatBinary& binary) {
  std::lock_guard lock(binary.mutex_);
  if (!binary.module_) {
    binary.module_.emplace(
        Module::load_wrapper(binary.wrapper_, Keep::reference, runtime.toolchain(), binary.managed_));
    if (!binary.module_->ok())
      log(LogLevel::error, binary.module_->error().message);
  }
  return *binary.module_;
}

Result<const LoadedKernel*> Registry::kernel(Runtime& runtime, DeviceContext& context, const void* host_function) {
  Function* function = nullptr;
  {
    std::shared_lock lock(mutex_);
    auto found = functions_.find(host_function);
    if (found == functions_.end())
      return Error{ErrorCode::not_found, "the address launched is not that of a __global__ function"};
    function = found->second.get();
  }
  const auto device = size_t(context.index());
  if (device < cached_devices)
    if (const LoadedKernel* ready = function->ready[device].load(std::memory_order_acquire))
      return ready;
  KILN_ASSIGN(std::shared_ptr<Module> module, this->module(runtime, *function->binary));
  KILN_ASSIGN(const LoadedKernel* kernel, module->kernel(context, function->name));
  if (device < cached_devices)
    function->ready[device].store(kernel, std::memory_order_release);
  return kernel;
}

Result<device::Executable::Symbol> Registry::variable(Runtime& runtime, DeviceContext& context,
                                                      const void* host_variable) {
  Variable variable;
  {
    std::shared_lock lock(mutex_);
    auto found = variables_.find(host_variable);
    if (found == variables_.end())
      return Error{ErrorCode::not_found, "the address is not that of a __device__ or __constant__ variable"};
    variable = found->second;
  }
  if (variable.managed)
    return device::Executable::Symbol{variable.managed, variable.size};
  KILN_ASSIGN(std::shared_ptr<Module> module, this->module(runtime, *variable.binary));
  KILN_ASSIGN(device::Executable::Symbol symbol, module->variable(context, variable.name));
  if (symbol.size == 0)
    symbol.size = variable.size;
  return symbol;
}

std::string Registry::kernel_name(const void* host_function) const {
  std::shared_lock lock(mutex_);
  auto found = functions_.find(host_function);
  return found == functions_.end() ? "" : found->second->name;
}

void Registry::unload(const DeviceContext& context) {
  std::unique_lock lock(mutex_);
  if (size_t(context.index()) < cached_devices)
    for (auto& [address, function] : functions_)
      function->ready[size_t(context.index())].store(nullptr, std::memory_order_release);
  for (auto& binary : binaries_) {
    std::lock_guard binary_lock(binary->mutex_);
    if (binary->module_ && binary->module_->ok())
      (**binary->module_)->unload(context);
  }
}

} // namespace kiln::runtime
