// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP chapter: memory management: __device__, __constant__ and __managed__ variables, which the program names by the
// address of their shadow on the host.
#include "hip/api.h"
#include "runtime/registry.h"

using namespace kiln;
using namespace kiln::hip;
using runtime::Runtime;

namespace {

// The variable's place on the current device. Sets *symbol, or ends as an entry point does.
hipError_t find_symbol(const void* shadow, device::Executable::Symbol* symbol) {
  KILN_HIP_REQUIRE(shadow, hipErrorInvalidSymbol, "the symbol is null");
  KILN_HIP_ASSIGN(runtime::DeviceContext * device, current_device());
  auto found = runtime::Registry::instance().variable(Runtime::instance(), *device, shadow);
  if (!found && found.error().code == ErrorCode::not_found)
    return done(hipErrorInvalidSymbol, found.error().message);
  KILN_HIP_TRY(found);
  *symbol = *found;
  return hipSuccess;
}

// The part [offset, offset + size) of it.
hipError_t find_part(const void* shadow, size_t offset, size_t size, std::byte** part) {
  device::Executable::Symbol symbol{};
  if (hipError_t error = find_symbol(shadow, &symbol); error != hipSuccess)
    return error;
  KILN_HIP_REQUIRE(offset <= symbol.size && size <= symbol.size - offset, hipErrorInvalidValue,
                   "the variable has " + std::to_string(symbol.size) + " bytes");
  *part = static_cast<std::byte*>(symbol.address) + offset;
  return hipSuccess;
}

bool to_device(hipMemcpyKind kind) {
  return kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault;
}
bool from_device(hipMemcpyKind kind) {
  return kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault;
}

} // namespace

hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t size, size_t offset, hipMemcpyKind kind) {
  KILN_HIP_REQUIRE(to_device(kind), hipErrorInvalidMemcpyDirection, "the kind does not lead to the device");
  std::byte* part = nullptr;
  if (hipError_t error = find_part(symbol, offset, size, &part); error != hipSuccess)
    return error;
  return hipMemcpy(part, src, size, kind);
}

hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t size, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream) {
  KILN_HIP_REQUIRE(to_device(kind), hipErrorInvalidMemcpyDirection, "the kind does not lead to the device");
  std::byte* part = nullptr;
  if (hipError_t error = find_part(symbol, offset, size, &part); error != hipSuccess)
    return error;
  return hipMemcpyAsync(part, src, size, kind, stream);
}

hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind) {
  KILN_HIP_REQUIRE(from_device(kind), hipErrorInvalidMemcpyDirection, "the kind does not lead from the device");
  std::byte* part = nullptr;
  if (hipError_t error = find_part(symbol, offset, size, &part); error != hipSuccess)
    return error;
  return hipMemcpy(dst, part, size, kind);
}

hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  KILN_HIP_REQUIRE(from_device(kind), hipErrorInvalidMemcpyDirection, "the kind does not lead from the device");
  std::byte* part = nullptr;
  if (hipError_t error = find_part(symbol, offset, size, &part); error != hipSuccess)
    return error;
  return hipMemcpyAsync(dst, part, size, kind, stream);
}

hipError_t hipGetSymbolAddress(void** devPtr, const void* symbol) {
  KILN_HIP_REQUIRE(devPtr, hipErrorInvalidValue, "devPtr is null");
  device::Executable::Symbol found{};
  if (hipError_t error = find_symbol(symbol, &found); error != hipSuccess)
    return error;
  *devPtr = found.address;
  return done(hipSuccess);
}

hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  KILN_HIP_REQUIRE(size, hipErrorInvalidValue, "size is null");
  device::Executable::Symbol found{};
  if (hipError_t error = find_symbol(symbol, &found); error != hipSuccess)
    return error;
  *size = found.size;
  return done(hipSuccess);
}
