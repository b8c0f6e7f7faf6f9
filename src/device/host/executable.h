// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host image in the process: a shared object (support/host_abi.h) loaded with dlopen from a file in memory.
#pragma once

#include "device/device.h"
#include "support/host_abi.h"

#include <map>
#include <unordered_map>

namespace kiln::device::host {

class HostKernel final : public Kernel {
public:
  HostKernel(codeobj::KernelMetadata metadata, const host_abi::KernelDescriptor& descriptor);
  [[nodiscard]] const codeobj::KernelMetadata& metadata() const override { return metadata_; }
  [[nodiscard]] const host_abi::KernelDescriptor& descriptor() const { return descriptor_; }
  [[nodiscard]] uint32_t explicit_size() const { return explicit_size_; } // bytes of arguments a launch must bring

private:
  codeobj::KernelMetadata metadata_;
  const host_abi::KernelDescriptor& descriptor_;
  uint32_t explicit_size_ = 0;
};

class HostExecutable final : public Executable {
public:
  static Result<std::unique_ptr<Executable>> load(ByteView image, ByteView metadata, const SymbolResolver& resolve,
                                                  uint32_t wave_size);
  ~HostExecutable() override;
  Result<Kernel*> kernel(const std::string& name) override;
  Result<Symbol> variable(const std::string& name) override;

private:
  HostExecutable() = default;
  Result<void> open(ByteView image);
  Result<void> fill_slots(ByteView image, const SymbolResolver& resolve);
  Result<void> add_kernels(ByteView metadata, uint32_t wave_size);

  void* library_ = nullptr;
  std::map<std::string, std::unique_ptr<HostKernel>, std::less<>> kernels_;
  std::unordered_map<std::string, uint64_t> variables_; // sizes
};

} // namespace kiln::device::host
