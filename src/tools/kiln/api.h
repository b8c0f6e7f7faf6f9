// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public C API of libkiln as the subcommands use it: statuses as Result, handles that give themselves back.
#pragma once

#include "support/result.h"

#include <kiln/kiln.h>
#include <memory>
#include <string>

namespace kiln::tool {

// Errors carry libkiln's own sentence.
[[nodiscard]] inline Result<void> api(kiln_status status) {
  if (status == KILN_OK)
    return {};
  std::string message = kiln_last_error_message();
  return Error{ErrorCode::launch_failed, message.empty() ? kiln_status_name(status) : message};
}

template <auto give_back> struct GiveBack {
  void operator()(auto* handle) const { give_back(handle); }
};
using ModuleHandle = std::unique_ptr<kiln_module, GiveBack<kiln_module_release>>;
using StreamHandle = std::unique_ptr<kiln_stream, GiveBack<kiln_stream_destroy>>;
using EventHandle = std::unique_ptr<kiln_event, GiveBack<kiln_event_destroy>>;
using DeviceMemory = std::unique_ptr<void, GiveBack<kiln_memory_free>>;

// A structure of the API with its struct_size set.
template <class T> [[nodiscard]] T sized() {
  T value{};
  value.struct_size = sizeof(T);
  return value;
}

} // namespace kiln::tool
