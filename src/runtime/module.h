// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module as the program sees it: bytes that any device may be asked to run kernels of.
#pragma once

#include "runtime/program.h"

#include <kiln/api.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace kiln::runtime {

// Thread-safe. Must outlive all work that uses its kernels.
class KILN_API Module {
public:
  // See module_source.h for what the bytes may be. Only the bundle's table is looked at here.
  static Result<std::shared_ptr<Module>> load(ByteView bytes, Keep keep, Toolchain toolchain,
                                              std::vector<ManagedVariable> managed = {});

  // The same for an address without a size (hipModuleLoadData, __hipRegisterFatBinary's wrapper); the image says its
  // size.
  static Result<std::shared_ptr<Module>> load_at(const void* image, Toolchain toolchain);
  static Result<std::shared_ptr<Module>> load_wrapper(const void* wrapper, Keep keep, Toolchain toolchain,
                                                      std::vector<ManagedVariable> managed = {});

  Result<const LoadedKernel*> kernel(DeviceContext& context, const std::string& name);
  Result<device::Executable::Symbol> variable(DeviceContext& context, const std::string& name);
  // Names of the SPIR-V module's kernels, in its order; empty for a module of native objects only.
  [[nodiscard]] Result<std::vector<std::string>> kernel_names();
  // Forgets what was loaded on a device: its variables start anew. Nothing may be running there.
  void unload(const DeviceContext& context);

private:
  struct PerDevice {
    std::mutex mutex; // guards program
    std::optional<Result<std::shared_ptr<Program>>> program;
  };
  Module(ModuleSource source, Toolchain toolchain, std::vector<ManagedVariable> managed)
      : source_(std::move(source)), toolchain_(toolchain), managed_(std::move(managed)) {}
  Result<std::shared_ptr<Program>> program(DeviceContext& context);
  Result<const spirv::ModuleIndex*> index();

  const ModuleSource source_;
  const Toolchain toolchain_;
  const std::vector<ManagedVariable> managed_;

  std::once_flag index_once_;
  std::vector<uint32_t> words_; // that the index points into
  std::optional<Result<spirv::ModuleIndex>> index_;

  std::mutex devices_mutex_; // guards devices_, not what is in it
  std::map<const DeviceContext*, std::unique_ptr<PerDevice>> devices_;
};

} // namespace kiln::runtime
