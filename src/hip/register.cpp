// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the constructors call that clang puts into each object file with kernels. They run before main(), so only notes
// are taken here (runtime/registry.h). The signatures are those that clang 22 emits calls of.
#include "hip/api.h"
#include "runtime/log.h"
#include "runtime/registry.h"

using namespace kiln;
using runtime::FatBinary;
using runtime::Registry;

namespace {

FatBinary* binary_of(void** handle) {
  return reinterpret_cast<FatBinary*>(handle);
}

void not_supported(const char* kind, const char* name) {
  runtime::log(runtime::LogLevel::error,
               std::string(kind) + " '" + name +
                   "': textures and surfaces are not supported (docs/limits.md); kernels that use it "
                   "will not load");
}

} // namespace

extern "C" {

KILN_API void** __hipRegisterFatBinary(const void* wrapper) {
  return reinterpret_cast<void**>(Registry::instance().add_fat_binary(wrapper));
}

KILN_API void __hipRegisterFunction(void** handle, const void* host_function, char*, const char* device_name,
                                    unsigned int, void*, void*, dim3*, dim3*, int*) {
  Registry::instance().add_function(binary_of(handle), host_function, device_name);
}

KILN_API void __hipRegisterVar(void** handle, void* host_variable, char*, char* device_name, int, size_t size, int,
                               int) {
  Registry::instance().add_variable(binary_of(handle), host_variable, device_name, size);
}

KILN_API void __hipRegisterManagedVar(void** handle, void** pointer, void* initial, const char* name, size_t size,
                                      unsigned alignment) {
  auto made = Registry::instance().add_managed_variable(binary_of(handle), pointer, initial, name, size, alignment);
  if (!made)
    runtime::log(runtime::LogLevel::error, made.error().message);
}

KILN_API void __hipRegisterSurface(void**, void*, char*, char* device_name, int, int) {
  not_supported("surface", device_name);
}

KILN_API void __hipRegisterTexture(void**, void*, char*, char* device_name, int, int, int) {
  not_supported("texture", device_name);
}

KILN_API void __hipUnregisterFatBinary(void** handle) {
  Registry::instance().remove_fat_binary(binary_of(handle));
}

} // extern "C"
