// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: modules loaded by the program itself, and launches of their kernels.
#include "hip/launch.h"
#include "support/file.h"

#include <unordered_map>

using namespace kiln;
using namespace kiln::hip;
using runtime::LoadedKernel;
using runtime::Runtime;

namespace {

// A hipFunction_t is the address of the kernel, which counts only while it is in this table.
struct Functions {
  std::shared_mutex mutex; // guards owners
  std::unordered_map<const LoadedKernel*, const Module*> owners;
};

Functions& functions() {
  static auto* table = new Functions; // never destroyed: used by destructors of static objects
  return *table;
}

hipError_t give_module(Result<std::shared_ptr<runtime::Module>> loaded, hipModule_t* module) {
  auto made = std::make_shared<Module>();
  KILN_HIP_ASSIGN(made->module, std::move(loaded));
  *module = reinterpret_cast<hipModule_t>(modules().add(std::move(made)));
  return done(hipSuccess);
}

// The packed buffer that `extra` describes: {POINTER, p, SIZE, &bytes, END}.
struct PackedArguments {
  const void* data = nullptr;
  size_t size = 0;
};

Result<PackedArguments> read_extra(void** extra) {
  PackedArguments packed;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      packed.data = extra[1];
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
      packed.size = *static_cast<const size_t*>(extra[1]);
    else
      return Error{ErrorCode::invalid_argument, "hipModuleLaunchKernel: extra has an unknown entry"};
  }
  return packed;
}

hipError_t launch_function(hipFunction_t f, dim3 grid, dim3 block, unsigned shared_bytes, hipStream_t stream,
                           void** kernel_params, void** extra, bool cooperative) {
  const LoadedKernel* kernel = nullptr;
  if (hipError_t error = find_function(f, &kernel); error != hipSuccess)
    return error;
  KILN_HIP_REQUIRE(!kernel_params || !extra, hipErrorInvalidValue, "both kernelParams and extra are given");
  KILN_HIP_FIND(stream, found, stream);
  return launch(*kernel, *found,
                {grid, block, shared_bytes, cooperative, [&](const codeobj::KernelMetadata& metadata) -> Result<Bytes> {
                   if (!extra)
                     return runtime::pack_arguments(metadata, kernel_params);
                   KILN_ASSIGN(PackedArguments packed, read_extra(extra));
                   return runtime::copy_arguments(metadata, packed.data, packed.size);
                 }});
}

} // namespace

namespace kiln::hip {

hipFunction_t add_function(const LoadedKernel* kernel, const Module* owner) {
  std::unique_lock lock(functions().mutex);
  functions().owners[kernel] = owner;
  return reinterpret_cast<hipFunction_t>(const_cast<LoadedKernel*>(kernel));
}

void remove_functions_of(const Module* owner) {
  std::unique_lock lock(functions().mutex);
  std::erase_if(functions().owners, [&](const auto& entry) { return entry.second == owner; });
}

void remove_functions_on(const runtime::DeviceContext& device) {
  std::unique_lock lock(functions().mutex);
  std::erase_if(functions().owners,
                [&](const auto& entry) { return !entry.second && entry.first->context == &device; });
}

hipError_t find_function(hipFunction_t function, const LoadedKernel** kernel) {
  const auto* candidate = reinterpret_cast<const LoadedKernel*>(function);
  std::shared_lock lock(functions().mutex);
  KILN_HIP_REQUIRE(functions().owners.contains(candidate), hipErrorInvalidHandle,
                   "the function is not from hipModuleGetFunction, or its module is unloaded");
  *kernel = candidate;
  return hipSuccess;
}

} // namespace kiln::hip

hipError_t hipModuleLoad(hipModule_t* module, const char* fname) {
  KILN_HIP_REQUIRE(module && fname, hipErrorInvalidValue, "module or fname is null");
  auto bytes = read_file(fname);
  if (!bytes)
    return done(hipErrorFileNotFound, bytes.error().message);
  KILN_HIP_TRY(current_device());
  return give_module(runtime::Module::load(*bytes, runtime::Keep::copy, Runtime::instance().toolchain()), module);
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  KILN_HIP_REQUIRE(module && image, hipErrorInvalidValue, "module or image is null");
  KILN_HIP_TRY(current_device());
  return give_module(runtime::Module::load_at(image, Runtime::instance().toolchain()), module);
}

// The options tune NVIDIA's compiler; as in HIP on AMD, they are not looked at.
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions, hipJitOption* options,
                               void** optionValues) {
  KILN_HIP_REQUIRE(numOptions == 0 || (options && optionValues), hipErrorInvalidValue,
                   "options or optionValues is null");
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleUnload(hipModule_t module) {
  auto removed = modules().remove(module);
  KILN_HIP_REQUIRE(removed, hipErrorInvalidHandle, "the module was not loaded here, or is unloaded");
  remove_functions_of(removed.get());
  Runtime::instance().finish_all(); // its kernels may still be running
  return done(hipSuccess);
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  KILN_HIP_REQUIRE(function && name, hipErrorInvalidValue, "function or name is null");
  KILN_HIP_FIND(module, found, module);
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  KILN_HIP_ASSIGN(const LoadedKernel* kernel, found->module->kernel(*device, name));
  *function = add_function(kernel, found.get());
  return done(hipSuccess);
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t module, const char* name) {
  KILN_HIP_REQUIRE((dptr || bytes) && name, hipErrorInvalidValue, "both results' pointers are null, or name is");
  KILN_HIP_FIND(module, found, module);
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  KILN_HIP_ASSIGN(device::Executable::Symbol symbol, found->module->variable(*device, name));
  if (dptr)
    *dptr = symbol.address;
  if (bytes)
    *bytes = symbol.size;
  return done(hipSuccess);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams, void** extra) {
  return launch_function(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes, stream,
                         kernelParams, extra, false);
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                            unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                            void** kernelParams) {
  return launch_function(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes, stream,
                         kernelParams, nullptr, true);
}
