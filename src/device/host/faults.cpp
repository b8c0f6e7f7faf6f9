// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/faults.h"

#include "device/host/forked.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace kiln::device::host {

namespace {

constexpr size_t stack_size = 16 << 20, guard_size = 1 << 20, signal_stack_size = 64 << 10;
constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
thread_local Worker* current_worker = nullptr;
struct sigaction previous[NSIG];

} // namespace

struct FaultHandler {
  static void handle(int signal, siginfo_t* info, void* context) {
    Worker* worker = current_worker;
    if (worker && worker->running_ && info->si_code > 0) { // raised by this thread's own instruction
      describe(*worker, signal, info);
      worker->fault_.code = ErrorCode::launch_failed;
      worker->fault_.thread_known = false;
      siglongjmp(worker->escape_, 1);
    }
    chain(signal, info, context);
  }

private:
  // Only calls that are safe in a signal handler, so no snprintf.
  static void describe(Worker& worker, int signal, siginfo_t* info) {
    char* at = worker.fault_.cause;
    auto text = [&](const char* s) { at = stpcpy(at, s); };
    const auto* address = static_cast<const std::byte*>(info->si_addr);
    if (signal == SIGSEGV && address < worker.stack_low + 4096 && address >= worker.stack_low - guard_size) {
      text("stack overflow (16 MiB of private memory)");
      return;
    }
    switch (signal) {
    case SIGFPE:
      text("integer division by zero or overflow");
      return;
    case SIGILL:
      text("illegal instruction or trap");
      return;
    default:
      text(signal == SIGBUS ? "bus error at address 0x" : "memory access fault at address 0x");
    }
    auto value = reinterpret_cast<uintptr_t>(info->si_addr);
    for (int shift = 60; shift >= 0; shift -= 4)
      *at++ = "0123456789abcdef"[value >> shift & 15];
    *at = 0;
  }

  static void chain(int signal, siginfo_t* info, void* context) {
    const struct sigaction& old = previous[signal];
    if (old.sa_flags & SA_SIGINFO) {
      old.sa_sigaction(signal, info, context);
    } else if (old.sa_handler == SIG_IGN && info->si_code <= 0) {
      return;
    } else if (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN) {
      ::signal(signal, SIG_DFL); // the instruction runs again and ends the process as it would have without us
      if (info->si_code <= 0)
        raise(signal);
    } else {
      old.sa_handler(signal);
    }
  }
};

// Others (a compiler that guards itself, a host language's runtime) may put theirs in the place of ours and put back
// what was there when they came: so it is looked at before every run. What was there the first time is what we hand on
// to.
void install_fault_handlers() {
  static std::mutex lock;
  static std::atomic<bool> known = false;
  for (int signal : signals) {
    struct sigaction now{};
    auto in_place = [&] {
      sigaction(signal, nullptr, &now);
      return (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == FaultHandler::handle;
    };
    if (in_place())
      continue;
    if (known && now.sa_handler != SIG_DFL)
      continue; // somebody later than us, who hands on to us
    std::lock_guard guard(lock);
    if (in_place()) // put there by another thread meanwhile: what was before is not to be ourselves
      continue;
    struct sigaction action{};
    action.sa_sigaction = FaultHandler::handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, known ? nullptr : &previous[signal]);
  }
  known = true;
}

Worker::Worker() {
  signal_stack_ = std::malloc(signal_stack_size);
  stack_t alternate{};
  alternate.ss_sp = signal_stack_;
  alternate.ss_size = signal_stack_size;
  if (signal_stack_)
    sigaltstack(&alternate, nullptr);
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* low = nullptr;
    size_t size = 0;
    pthread_attr_getstack(&attributes, &low, &size);
    stack_low = static_cast<std::byte*>(low);
    stack_high = stack_low + size;
    pthread_attr_destroy(&attributes);
  }
  current_worker = this;
}

Worker::~Worker() {
  current_worker = nullptr;
  stack_t off{};
  off.ss_flags = SS_DISABLE;
  sigaltstack(&off, nullptr);
  std::free(signal_stack_);
}

Worker* Worker::current() {
  return current_worker;
}

bool Worker::run(void (*function)(void*), void* argument) {
  install_fault_handlers();
  if (sigsetjmp(escape_, 1) != 0) {
    running_ = false;
    return false;
  }
  running_ = true;
  function(argument);
  running_ = false;
  return true;
}

void Worker::fail(ErrorCode code, const char* cause, const uint32_t* thread) {
  fault_.code = code;
  std::snprintf(fault_.cause, sizeof(fault_.cause), "%s", cause);
  fault_.thread_known = thread != nullptr;
  if (thread)
    std::memcpy(fault_.thread, thread, sizeof(fault_.thread));
  siglongjmp(escape_, 1);
}

struct WorkerThread::State {
  std::function<void()> function;
  pthread_t thread{};
  void* memory = MAP_FAILED;
  bool started = false;

  static void* start(void* self) {
    static_cast<State*>(self)->function();
    return nullptr;
  }
  ~State() {
    if (forked())
      return; // the thread is the parent's, and so is what stands on its stack
    if (started)
      pthread_join(thread, nullptr);
    if (memory != MAP_FAILED)
      munmap(memory, stack_size + guard_size);
  }
};

WorkerThread::WorkerThread(std::function<void()> function) : state_(std::make_unique<State>()) {
  state_->function = std::move(function);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  state_->memory =
      mmap(nullptr, stack_size + guard_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (state_->memory != MAP_FAILED) {
    std::byte* stack = static_cast<std::byte*>(state_->memory) + guard_size;
    // Without memory for a big stack the default one does: only deep kernels notice.
    if (mprotect(stack, stack_size, PROT_READ | PROT_WRITE) == 0)
      pthread_attr_setstack(&attributes, stack, stack_size);
  }
  state_->started = pthread_create(&state_->thread, &attributes, State::start, state_.get()) == 0;
  pthread_attr_destroy(&attributes);
}

bool WorkerThread::started() const {
  return state_ && state_->started;
}

WorkerThread::WorkerThread(WorkerThread&& other) noexcept = default;
WorkerThread& WorkerThread::operator=(WorkerThread&& other) noexcept = default;
WorkerThread::~WorkerThread() = default;

} // namespace kiln::device::host
