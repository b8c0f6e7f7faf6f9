// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/last_error.h"

#include "runtime/log.h"

#include <algorithm>
#include <array>

namespace kiln::runtime {
namespace {

// An array and not a string: destructors of a program's static objects call us too, and by then the main thread's
// objects are destroyed. What is longer is cut off.
thread_local std::array<char, 2048> message_of_thread{};

} // namespace

void set_last_error(std::string message) {
  log(LogLevel::debug, message);
  const size_t size = std::min(message.size(), message_of_thread.size() - 1);
  std::copy_n(message.data(), size, message_of_thread.data());
  message_of_thread[size] = '\0';
}

const char* last_error() {
  return message_of_thread.data();
}

} // namespace kiln::runtime
