// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hip/api.h"

#include "runtime/last_error.h"

namespace kiln::hip {
namespace {

struct CodeRow {
  ErrorCode code;
  hipError_t error;
};
constexpr CodeRow code_rows[] = {
    {ErrorCode::invalid_argument, hipErrorInvalidValue},
    {ErrorCode::invalid_module, hipErrorInvalidImage},
    {ErrorCode::unsupported, hipErrorNotSupported},
    {ErrorCode::not_found, hipErrorNotFound},
    {ErrorCode::io, hipErrorFileNotFound},
    {ErrorCode::compile_failed, hipErrorNoBinaryForGpu}, // no machine code for this device, and none to be had
    {ErrorCode::launch_failed, hipErrorLaunchFailure},
    {ErrorCode::assert_failed, hipErrorLaunchFailure}, // as on AMD GPUs, where assert traps; hipErrorAssert is NVIDIA's
    {ErrorCode::out_of_memory, hipErrorOutOfMemory},
    {ErrorCode::no_device, hipErrorNoDevice},
    {ErrorCode::not_ready, hipErrorNotReady},
    {ErrorCode::no_binary, hipErrorNoBinaryForGpu},
};

} // namespace

ThreadState& thread_state() {
  thread_local ThreadState state;
  return state;
}

hipError_t code_of(const Error& error) {
  for (const CodeRow& row : code_rows)
    if (row.code == error.code)
      return row.error;
  return hipErrorUnknown;
}

hipError_t done(hipError_t error) {
  if (error != hipSuccess && error != hipErrorNotReady) // "not ready" is an answer, not an error
    thread_state().last_error = error;
  return error;
}

hipError_t done(hipError_t error, std::string sentence) {
  runtime::set_last_error(std::move(sentence));
  return done(error);
}

hipError_t done(const Error& error) {
  return done(code_of(error), error.message);
}

Result<runtime::DeviceContext*> current_device() {
  return runtime::Runtime::instance().device(thread_state().device);
}

HandleTable<Stream>& streams() {
  static auto* table = new HandleTable<Stream>; // never destroyed: used by destructors of static objects
  return *table;
}

HandleTable<Event>& events() {
  static auto* table = new HandleTable<Event>;
  return *table;
}

HandleTable<Module>& modules() {
  static auto* table = new HandleTable<Module>;
  return *table;
}

hipError_t find_stream(hipStream_t handle, std::shared_ptr<runtime::Stream>* found) {
  if (handle == nullptr || handle == hipStreamLegacy || handle == hipStreamPerThread) {
    KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
    KILN_HIP_ASSIGN(*found, handle == hipStreamPerThread ? device->thread_stream() : device->null_stream());
    return hipSuccess;
  }
  auto stream = streams().find(handle);
  if (!stream)
    return done(hipErrorInvalidHandle, "the stream was not created here, or is destroyed");
  *found = stream->stream;
  return hipSuccess;
}

hipError_t find_event(hipEvent_t handle, std::shared_ptr<Event>* found) {
  *found = events().find(handle);
  return *found ? hipSuccess : done(hipErrorInvalidHandle, "the event was not created here, or is destroyed");
}

hipError_t find_module(hipModule_t handle, std::shared_ptr<Module>* found) {
  *found = modules().find(handle);
  return *found ? hipSuccess : done(hipErrorInvalidHandle, "the module was not loaded here, or is unloaded");
}

hipError_t find_device(int index, runtime::DeviceContext** found) {
  auto device = runtime::Runtime::instance().device(index);
  if (!device) // the same answer for a wrong number whether there are devices or not
    return done(hipErrorInvalidDevice, device.error().message);
  *found = *device;
  return hipSuccess;
}

} // namespace kiln::hip
