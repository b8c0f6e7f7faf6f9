// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles kernels written as LLVM IR for the host and runs them.
#pragma once

#include "device/host/host_device.h"
#include "target/target.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kiln::test {

// The attributes and declarations that kernels in these tests share, put behind their text where used.
[[nodiscard]] Result<target::Image> compile_ir(const std::string& text, const target::CodegenOptions& options);

// One module, loaded, with a queue.
class Loaded {
public:
  explicit Loaded(const std::string& text, unsigned wave_size = 32, unsigned opt_level = 3);

  // Launches and waits. Arguments as they lie in memory: pointers, integers, floats.
  template <class... Arguments>
  Result<void> run(const std::string& kernel, device::Dim3 grid, device::Dim3 block, uint32_t dynamic_local,
                   Arguments... arguments) {
    Bytes bytes;
    (put(bytes, arguments), ...);
    return launch(kernel, grid, block, dynamic_local, std::move(bytes));
  }
  [[nodiscard]] device::Device& device() { return *device_; }
  [[nodiscard]] device::Executable& executable() { return *executable_; }
  [[nodiscard]] device::Queue& queue() { return *queue_; }

private:
  template <class T> static void put(Bytes& bytes, T value) {
    bytes.resize((bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T));
    bytes.resize(bytes.size() + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
  }
  Result<void> launch(const std::string& kernel, device::Dim3 grid, device::Dim3 block, uint32_t dynamic_local,
                      Bytes arguments);

  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Executable> executable_;
  std::unique_ptr<device::Queue> queue_;
};

#define ASSERT_RUNS(expression)                                                                                        \
  do {                                                                                                                 \
    auto outcome = (expression);                                                                                       \
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;                                                              \
  } while (0)

} // namespace kiln::test
