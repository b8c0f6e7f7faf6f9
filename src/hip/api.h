// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the chapters of the HIP API share. An entry point checks its arguments, calls the runtime and ends with
// `return done(...)`, which keeps the error for hipGetLastError and the sentence for kiln_last_error_message.
#pragma once

#include "hip/handles.h"
#include "runtime/runtime.h"

#include <hip/hip_runtime_api.h>

#include <array>
#include <type_traits>

namespace kiln::hip {

// The state of a thread.
struct CallConfiguration {
  dim3 grid, block;
  size_t shared_bytes = 0;
  hipStream_t stream = nullptr;
};
// Without a destructor: those of a program's static objects call us too, after the main thread's objects are destroyed.
struct ThreadState {
  int device = 0;
  hipError_t last_error = hipSuccess;
  // Pushed by <<<>>>, popped by the stub. More than one only while arguments of a launch are computed by launches.
  std::array<CallConfiguration, 32> configurations{};
  size_t configuration_count = 0;
};
static_assert(std::is_trivially_destructible_v<ThreadState>);
[[nodiscard]] ThreadState& thread_state();

[[nodiscard]] hipError_t code_of(const Error& error);

// What an entry point returns: remembers errors for the thread.
hipError_t done(hipError_t error);
hipError_t done(hipError_t error, std::string sentence);
hipError_t done(const Error& error);
template <class T> hipError_t done(const Result<T>& result) {
  return result ? hipSuccess : done(result.error());
}

// The calling thread's device.
[[nodiscard]] Result<runtime::DeviceContext*> current_device();

[[nodiscard]] HandleTable<Stream>& streams();
[[nodiscard]] HandleTable<Event>& events();
[[nodiscard]] HandleTable<Module>& modules();

// The stream that a handle means: null or hipStreamLegacy, hipStreamPerThread, or one that was created. These four set
// *found, or end as an entry point does that got a bad handle.
[[nodiscard]] hipError_t find_stream(hipStream_t handle, std::shared_ptr<runtime::Stream>* found);
[[nodiscard]] hipError_t find_event(hipEvent_t handle, std::shared_ptr<Event>* found);
[[nodiscard]] hipError_t find_module(hipModule_t handle, std::shared_ptr<Module>* found);
[[nodiscard]] hipError_t find_device(int index, runtime::DeviceContext** found);

} // namespace kiln::hip

// As KILN_TRY and KILN_ASSIGN, in an entry point.
#define KILN_HIP_TRY(expr)                                                                                             \
  do {                                                                                                                 \
    if (auto kiln_result_ = (expr); !kiln_result_.ok())                                                                \
      return kiln::hip::done(kiln_result_.error());                                                                    \
  } while (0)
#define KILN_HIP_ASSIGN(declaration, expr) KILN_HIP_ASSIGN_(KILN_CONCAT(kiln_result_, __LINE__), declaration, expr)
#define KILN_HIP_ASSIGN_(name, declaration, expr)                                                                      \
  auto name = (expr);                                                                                                  \
  if (!name.ok())                                                                                                      \
    return kiln::hip::done(name.error());                                                                              \
  declaration = std::move(*name)
// KILN_HIP_FIND(stream, x, handle): x is what the handle means, or the entry point is left.
#define KILN_HIP_FIND(what, declaration, handle)                                                                       \
  KILN_HIP_FIND_TYPE_##what declaration{};                                                                             \
  if (hipError_t kiln_error_ = kiln::hip::find_##what(handle, &(declaration)); kiln_error_ != hipSuccess)              \
  return kiln_error_
#define KILN_HIP_FIND_TYPE_stream std::shared_ptr<kiln::runtime::Stream>
#define KILN_HIP_FIND_TYPE_event std::shared_ptr<kiln::hip::Event>
#define KILN_HIP_FIND_TYPE_module std::shared_ptr<kiln::hip::Module>
#define KILN_HIP_FIND_TYPE_device kiln::runtime::DeviceContext*
// Leaves the entry point with an error of HIP's if a condition does not hold.
#define KILN_HIP_REQUIRE(condition, error, sentence)                                                                   \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      return kiln::hip::done(error, std::string(__func__) + ": " + (sentence));                                        \
  } while (0)
