// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Public C API: devices and memory.
#include "runtime/api_internal.h"

using namespace kiln;
using namespace kiln::runtime;

kiln_status kiln_device_count(size_t* count) {
  if (!count)
    return invalid("count is NULL");
  *count = Runtime::instance().devices().size();
  return KILN_OK;
}

kiln_status kiln_device_get(size_t index, kiln_device** device) {
  if (!device)
    return invalid("device is NULL");
  KILN_API_ASSIGN(DeviceContext * context, Runtime::instance().device(int(std::min<size_t>(index, INT32_MAX))));
  *device = reinterpret_cast<kiln_device*>(context);
  return KILN_OK;
}

kiln_status kiln_device_get_info(kiln_device* device, kiln_device_info* info) {
  if (!device)
    return invalid("device is NULL");
  const device::DeviceInfo& from = unwrap(device)->info();
  kiln_device_info to{};
  to.id = from.id.c_str();
  to.name = from.name.c_str();
  to.target = from.target.c_str();
  to.kind = from.kind.c_str();
  to.wave_size = from.wave_size;
  to.compute_units = from.compute_units;
  to.clock_khz = from.clock_khz;
  to.max_threads_per_block = from.max_threads_per_block;
  to.max_block[0] = from.max_block.x;
  to.max_block[1] = from.max_block.y;
  to.max_block[2] = from.max_block.z;
  to.max_grid[0] = from.max_grid.x;
  to.max_grid[1] = from.max_grid.y;
  to.max_grid[2] = from.max_grid.z;
  to.local_memory_per_block = from.local_memory_per_block;
  to.global_memory = from.global_memory;
  to.unified_memory = from.unified_memory;
  return give(to, info);
}

kiln_status kiln_device_synchronize(kiln_device* device) {
  return device ? finish(unwrap(device)->synchronize()) : invalid("device is NULL");
}

kiln_status kiln_device_reset(kiln_device* device) {
  return device ? finish(Runtime::instance().reset(*unwrap(device))) : invalid("device is NULL");
}

kiln_status kiln_unusable_count(size_t* count) {
  if (!count)
    return invalid("count is NULL");
  *count = Runtime::instance().unusable().size();
  return KILN_OK;
}

kiln_status kiln_unusable_get(size_t index, const char** id, const char** reason) {
  const auto& unusable = Runtime::instance().unusable();
  if (!id || !reason || index >= unusable.size())
    return invalid("id or reason is NULL, or index is not below kiln_unusable_count");
  *id = unusable[index].id.c_str();
  *reason = unusable[index].reason.c_str();
  return KILN_OK;
}

kiln_status kiln_memory_allocate(kiln_device* device, size_t size, kiln_memory_kind kind, void** address) {
  if (!device || !address || size == 0)
    return invalid("device or address is NULL, or size is 0");
  if (kind != KILN_MEMORY_DEVICE && kind != KILN_MEMORY_HOST_VISIBLE)
    return invalid("kind is not a kiln_memory_kind");
  const auto what = kind == KILN_MEMORY_DEVICE ? AllocationKind::device : AllocationKind::managed;
  KILN_API_ASSIGN(*address, Runtime::instance().allocate(*unwrap(device), size, what));
  return KILN_OK;
}

kiln_status kiln_memory_free(void* address) {
  return address ? finish(Runtime::instance().free(address)) : KILN_OK;
}

kiln_status kiln_memory_copy(kiln_device* device, void* to, const void* from, size_t size) {
  if (!device || ((!to || !from) && size))
    return invalid("device, to or from is NULL");
  return size ? finish(Runtime::instance().copy(*unwrap(device), to, from, size)) : KILN_OK;
}

kiln_status kiln_memory_copy_async(kiln_stream* stream, void* to, const void* from, size_t size) {
  if (!stream || ((!to || !from) && size))
    return invalid("stream, to or from is NULL");
  return size ? finish(Runtime::instance().copy_async(*stream->stream, to, from, size)) : KILN_OK;
}

kiln_status kiln_memory_fill_async(kiln_stream* stream, void* to, const void* pattern, size_t pattern_size,
                                   size_t count) {
  if (!stream || !pattern || (!to && count))
    return invalid("stream, to or pattern is NULL");
  if (pattern_size != 1 && pattern_size != 2 && pattern_size != 4)
    return invalid("pattern_size must be 1, 2 or 4");
  if (count > SIZE_MAX / pattern_size)
    return invalid("count is too large");
  KILN_API_TRY(Runtime::instance().allocations().check_range(to, count * pattern_size));
  const ByteView bytes(static_cast<const std::byte*>(pattern), pattern_size);
  return finish(stream->stream->submit([&](device::Queue& queue) { return queue.fill(to, bytes, count); }));
}
