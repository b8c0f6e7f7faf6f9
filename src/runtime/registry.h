// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fat binaries of this process. The compiler puts a constructor into each object file that registers the fat
// binary, and by host address its kernels and variables. That runs before main() and for every library of the program,
// so nothing happens here but taking notes: no device is opened, no byte of the fat binary is read before something of
// it is used.
#pragma once

#include "runtime/module.h"

#include <kiln/api.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace kiln::runtime {

class Runtime;

class FatBinary {
public:
  explicit FatBinary(const void* wrapper) : wrapper_(wrapper) {}

private:
  friend class Registry;
  const void* wrapper_; // the struct in .hipFatBinSegment
  std::vector<ManagedVariable> managed_;
  std::mutex mutex_; // guards module_
  std::optional<Result<std::shared_ptr<Module>>> module_;
};

// Thread-safe. Lives for ever: programs unregister from destructors that run after ours would.
class KILN_API Registry {
public:
  static Registry& instance();

  FatBinary* add_fat_binary(const void* wrapper);
  void add_function(FatBinary* binary, const void* host_function, std::string name);
  void add_variable(FatBinary* binary, const void* host_variable, std::string name, uint64_t size);
  // Gives *pointer memory with the initial value.
  Result<void> add_managed_variable(FatBinary* binary, void** pointer, const void* initial, std::string name,
                                    uint64_t size, uint64_t alignment);
  void remove_fat_binary(FatBinary* binary);

  // not_found if the address was not registered.
  Result<const LoadedKernel*> kernel(Runtime& runtime, DeviceContext& context, const void* host_function);
  Result<device::Executable::Symbol> variable(Runtime& runtime, DeviceContext& context, const void* host_variable);
  [[nodiscard]] std::string kernel_name(const void* host_function) const; // "" if it was not registered
  // Forgets all that was loaded on the device.
  void unload(const DeviceContext& context);

private:
  static constexpr size_t cached_devices = 16;
  struct Function {
    FatBinary* binary = nullptr;
    std::string name;
    // Kernels already found, by device index: the way of every launch but the first.
    std::array<std::atomic<const LoadedKernel*>, cached_devices> ready{};
  };
  struct Variable {
    FatBinary* binary = nullptr;
    std::string name;
    uint64_t size = 0;
    void* managed = nullptr; // memory of a managed variable
  };
  Result<std::shared_ptr<Module>> module(Runtime& runtime, FatBinary& binary);

  mutable std::shared_mutex mutex_; // guards the three containers
  std::vector<std::unique_ptr<FatBinary>> binaries_;
  std::unordered_map<const void*, std::unique_ptr<Function>> functions_;
  std::unordered_map<const void*, Variable> variables_;
};

} // namespace kiln::runtime
