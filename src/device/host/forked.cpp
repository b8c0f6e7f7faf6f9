// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/forked.h"

#include <atomic>
#include <mutex>
#include <pthread.h>

namespace kiln::device::host {

namespace {
std::atomic<bool> is_child = false;
}

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { is_child = true; }); });
}

bool forked() {
  return is_child.load(std::memory_order_relaxed);
}

Result<void> refuse_forked() {
  if (!forked())
    return {};
  return Error{ErrorCode::unsupported, "this process was forked from one that had used the host device, whose threads "
                                       "did not come along; use the device in one of the two only, or start the child "
                                       "with exec"};
}

} // namespace kiln::device::host
