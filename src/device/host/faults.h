// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that may fault, contained. A Worker is a thread of ours that runs kernels: it has a big stack with guard pages
// and an alternate signal stack. While it is inside run(), a SIGSEGV, SIGBUS, SIGFPE or SIGILL of its own, or a call of
// fail(), ends what it runs and comes back as a Fault; signals of all other code go on to the handler that was there
// before.
#pragma once

#include "support/result.h"

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace kiln::device::host {

// Early, when the device is made: before a compiler puts its own handlers over these for a while.
void install_fault_handlers();

struct Fault {
  ErrorCode code = ErrorCode::launch_failed;
  char cause[256] = "";
  bool thread_known = false;
  uint32_t thread[3] = {};
};

// One per thread, made at the thread's start. Not thread-safe: it belongs to its thread.
class Worker {
public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Calls function(argument). False: it faulted, see fault(). What it had on its stack is abandoned, not destroyed.
  bool run(void (*function)(void*), void* argument);
  [[nodiscard]] const Fault& fault() const { return fault_; }

  // From inside run(), on this thread.
  [[noreturn]] void fail(ErrorCode code, const char* cause, const uint32_t* thread);

  static Worker* current(); // of this thread, or null

  const std::byte *stack_low = nullptr, *stack_high = nullptr;

private:
  friend struct FaultHandler;
  Fault fault_;
  sigjmp_buf escape_;
  volatile bool running_ = false;
  void* signal_stack_ = nullptr;
};

// A joinable thread with a stack fit for kernels. The function makes its own Worker.
class WorkerThread {
public:
  WorkerThread() = default;
  explicit WorkerThread(std::function<void()> function);
  WorkerThread(WorkerThread&& other) noexcept;
  WorkerThread& operator=(WorkerThread&& other) noexcept;
  ~WorkerThread();                    // joins
  [[nodiscard]] bool started() const; // false: the system gave no thread

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace kiln::device::host
