// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Public C API: streams, launches, events.
#include "runtime/api_internal.h"
#include "runtime/launch.h"

using namespace kiln;
using namespace kiln::runtime;

namespace {

kiln_status launch_packed(kiln_stream* stream, kiln_kernel* kernel, const kiln_launch_config* config,
                          const std::function<Result<Bytes>(const codeobj::KernelMetadata&)>& pack) {
  if (!stream || !kernel || !config)
    return invalid("stream, kernel or config is NULL");
  if (config->struct_size < sizeof(kiln_launch_config))
    return invalid("config->struct_size is not set");
  const LoadedKernel& loaded = *unwrap(kernel);
  if (loaded.context != &stream->stream->context())
    return invalid("the kernel was made for another device than the stream's");
  device::Launch launch;
  launch.grid = {config->grid.x, config->grid.y, config->grid.z};
  launch.block = {config->block.x, config->block.y, config->block.z};
  launch.dynamic_local_memory = config->dynamic_local_memory;
  launch.cooperative = config->cooperative != 0;
  const codeobj::KernelMetadata& metadata = loaded.kernel->metadata();
  KILN_API_TRY(
      check_geometry(loaded.context->info(), metadata, launch.grid, launch.block, launch.dynamic_local_memory));
  KILN_API_ASSIGN(launch.arguments, pack(metadata));
  return finish(runtime::launch(*stream->stream, *loaded.kernel, std::move(launch)));
}

} // namespace

kiln_status kiln_stream_create(kiln_device* device, uint32_t flags, kiln_stream** stream) {
  if (!device || !stream || (flags & ~uint32_t(KILN_STREAM_NON_BLOCKING)))
    return invalid("device or stream is NULL, or flags is not a kiln_stream_flags");
  const auto kind = flags & KILN_STREAM_NON_BLOCKING ? StreamKind::non_blocking : StreamKind::blocking;
  auto handle = std::make_unique<kiln_stream>();
  KILN_API_ASSIGN(handle->stream, unwrap(device)->create_stream(kind));
  *stream = handle.release();
  return KILN_OK;
}

void kiln_stream_destroy(kiln_stream* stream) {
  const std::unique_ptr<kiln_stream> owner(stream);
}

kiln_status kiln_stream_synchronize(kiln_stream* stream) {
  return stream ? finish(stream->stream->synchronize()) : invalid("stream is NULL");
}

kiln_status kiln_stream_query(kiln_stream* stream) {
  if (!stream)
    return invalid("stream is NULL");
  if (!stream->stream->idle())
    return fail(Error{ErrorCode::not_ready, "the stream still has work"});
  return finish(stream->stream->synchronize()); // nothing to wait for, but a fault is reported
}

kiln_status kiln_launch(kiln_stream* stream, kiln_kernel* kernel, const kiln_launch_config* config,
                        const void* arguments, size_t arguments_size) {
  return launch_packed(stream, kernel, config, [&](const codeobj::KernelMetadata& metadata) {
    return copy_arguments(metadata, arguments, arguments_size);
  });
}

kiln_status kiln_launch_values(kiln_stream* stream, kiln_kernel* kernel, const kiln_launch_config* config,
                               void** values) {
  return launch_packed(stream, kernel, config,
                       [&](const codeobj::KernelMetadata& metadata) { return pack_arguments(metadata, values); });
}

kiln_status kiln_event_create(kiln_event** event) {
  if (!event)
    return invalid("event is NULL");
  *event = std::make_unique<kiln_event>().release();
  return KILN_OK;
}

void kiln_event_destroy(kiln_event* event) {
  const std::unique_ptr<kiln_event> owner(event);
}

kiln_status kiln_event_record(kiln_event* event, kiln_stream* stream) {
  return event && stream ? finish(event->event.record(*stream->stream)) : invalid("event or stream is NULL");
}

kiln_status kiln_event_wait(kiln_event* event) {
  return event ? finish(event->event.synchronize()) : invalid("event is NULL");
}

kiln_status kiln_stream_wait_event(kiln_stream* stream, kiln_event* event) {
  return event && stream ? finish(event->event.make_wait(*stream->stream)) : invalid("event or stream is NULL");
}

kiln_status kiln_event_elapsed(kiln_event* start, kiln_event* stop, double* milliseconds) {
  if (!start || !stop || !milliseconds)
    return invalid("start, stop or milliseconds is NULL");
  KILN_API_ASSIGN(*milliseconds, Event::elapsed_ms(start->event, stop->event));
  return KILN_OK;
}
