// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() leaves the child process without the threads that run kernels, and with locks that nobody will ever unlock. So
// in a child of a process that has used the host device, every call of a queue is an error, and nothing waits.
#pragma once

#include "support/result.h"

#include <condition_variable>
#include <memory>

namespace kiln::device::host {

void watch_forks();          // from now on; thread-safe
[[nodiscard]] bool forked(); // is this process a child of the one that called watch_forks()?
[[nodiscard]] Result<void> refuse_forked();

// A condition variable that may be destroyed in a child while a thread of the parent waits for it: the destructor of a
// plain one would wait for that thread for ever.
class Signal {
public:
  ~Signal() {
    if (forked())
      (void)condition_.release();
  }
  std::condition_variable* operator->() { return condition_.get(); }

private:
  std::unique_ptr<std::condition_variable> condition_ = std::make_unique<std::condition_variable>();
};

} // namespace kiln::device::host
