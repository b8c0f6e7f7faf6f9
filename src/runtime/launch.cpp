// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch.h"

#include "runtime/device_context.h"

#include <algorithm>
#include <cstring>

namespace kiln::runtime {
namespace {

std::string text(const device::Dim3& d) {
  return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

bool any_above(const device::Dim3& value, const device::Dim3& limit) {
  return value.x > limit.x || value.y > limit.y || value.z > limit.z;
}

uint64_t explicit_size(const codeobj::KernelMetadata& kernel) {
  uint64_t end = 0;
  for (const codeobj::KernelArgument& argument : kernel.arguments)
    if (!argument.hidden())
      end = std::max<uint64_t>(end, uint64_t(argument.offset) + argument.size);
  return end;
}

} // namespace

Result<void> check_geometry(const device::DeviceInfo& device, const codeobj::KernelMetadata& kernel,
                            const device::Dim3& grid, const device::Dim3& block, uint64_t dynamic_local_memory) {
  auto wrong = [&](const std::string& what) {
    return Error{ErrorCode::invalid_argument, "kernel '" + kernel.name + "': " + what};
  };
  if (grid.count() == 0 || block.count() == 0)
    return wrong("grid " + text(grid) + " and block " + text(block) + " must not be empty");
  if (any_above(grid, device.max_grid))
    return wrong("grid " + text(grid) + " is above the device's " + text(device.max_grid));
  if (any_above(block, device.max_block))
    return wrong("block " + text(block) + " is above the device's " + text(device.max_block));
  const uint64_t threads =
      std::min<uint64_t>(device.max_threads_per_block, kernel.max_block_size ? kernel.max_block_size : UINT32_MAX);
  if (block.count() > threads)
    return wrong("block " + text(block) + " has more than " + std::to_string(threads) +
                 " work-items, the limit of the device or of the kernel's __launch_bounds__");
  if (kernel.group_size + dynamic_local_memory > device.local_memory_per_block)
    return wrong("needs " + std::to_string(kernel.group_size) + " + " + std::to_string(dynamic_local_memory) +
                 " bytes of shared memory, the device has " + std::to_string(device.local_memory_per_block));
  return {};
}

Result<Bytes> pack_arguments(const codeobj::KernelMetadata& kernel, void** values) {
  Bytes packed(explicit_size(kernel));
  size_t position = 0;
  for (const codeobj::KernelArgument& argument : kernel.arguments) {
    if (argument.hidden())
      continue;
    if (!values || !values[position])
      return Error{ErrorCode::invalid_argument, "kernel '" + kernel.name + "': argument " + std::to_string(position) +
                                                    " is missing: the pointer to its value is null"};
    std::memcpy(packed.data() + argument.offset, values[position++], argument.size);
  }
  return packed;
}

Result<Bytes> copy_arguments(const codeobj::KernelMetadata& kernel, const void* data, uint64_t size) {
  const uint64_t needed = explicit_size(kernel);
  if (size < needed || (needed && !data))
    return Error{ErrorCode::invalid_argument, "kernel '" + kernel.name + "' takes " + std::to_string(needed) +
                                                  " bytes of arguments, but got " + std::to_string(size)};
  const auto* first = static_cast<const std::byte*>(data);
  return Bytes(first, first + needed);
}

Result<void> launch(Stream& stream, device::Kernel& kernel, device::Launch launch) {
  return stream.submit([&](device::Queue& queue) { return queue.launch(kernel, std::move(launch)); });
}

} // namespace kiln::runtime
