// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/last_error.h"

#include "runtime/log.h"

namespace kiln::runtime {
namespace {
thread_local std::string message_of_thread;
}

void set_last_error(std::string message) {
  log(LogLevel::debug, message);
  message_of_thread = std::move(message);
}

const char* last_error() {
  return message_of_thread.c_str();
}

} // namespace kiln::runtime
