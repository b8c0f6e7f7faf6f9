// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/contain.h"

#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>

namespace kiln::target {
namespace {

constexpr int contained_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
constexpr int fatal_error_code = 70; // as LLVM's own tools exit

thread_local unsigned depth = 0;              // nesting of contain() on this thread
thread_local std::array<char, 4096> reason{}; // what LLVM's fatal error said; no allocation on the way out of a crash

struct Handlers {
  std::mutex lock;
  unsigned users = 0;
  std::array<struct sigaction, std::size(contained_signals)> previous{};
};
Handlers& handlers() {
  static Handlers instance;
  return instance;
}

// A signal of a thread that compiles nothing belongs to whoever handled it before us (the host device's fault handler,
// the program's own), with all its information.
void pass_on(int signal, siginfo_t* info, void* context) {
  for (size_t i = 0; i < std::size(contained_signals); ++i) {
    if (contained_signals[i] != signal)
      continue;
    const struct sigaction& previous = handlers().previous[i];
    if (previous.sa_flags & SA_SIGINFO) {
      previous.sa_sigaction(signal, info, context);
    } else if (previous.sa_handler == SIG_IGN) {
      return;
    } else if (previous.sa_handler == SIG_DFL) {
      ::sigaction(signal, &previous, nullptr);
      ::raise(signal);
    } else {
      previous.sa_handler(signal);
    }
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (depth == 0 || !llvm::CrashRecoveryContext::GetCurrent())
    return pass_on(signal, info, context);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(128 + signal); // does not return
}

void on_fatal_error(void*, const char* message, bool) {
  if (depth != 0 && llvm::CrashRecoveryContext::GetCurrent()) {
    std::strncpy(reason.data(), message, reason.size() - 1);
    llvm::CrashRecoveryContext::GetCurrent()->HandleExit(fatal_error_code); // does not return
  }
  std::fprintf(stderr, "LLVM ERROR: %s\n", message);
}

void install() {
  Handlers& state = handlers();
  std::lock_guard guard(state.lock);
  if (state.users++ != 0)
    return;
  for (size_t i = 0; i < std::size(contained_signals); ++i)
    ::sigaction(contained_signals[i], nullptr, &state.previous[i]);
  // LLVM's recovery puts in signal handlers that forget the handler before them when another thread faults; it is
  // enabled for its bookkeeping (exit() inside LLVM and lld), ours go on top.
  llvm::CrashRecoveryContext::Enable();
  llvm::install_fatal_error_handler(on_fatal_error);
  struct sigaction ours{};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  for (int signal : contained_signals)
    ::sigaction(signal, &ours, nullptr);
}

void uninstall() {
  Handlers& state = handlers();
  std::lock_guard guard(state.lock);
  if (--state.users != 0)
    return;
  llvm::remove_fatal_error_handler();
  llvm::CrashRecoveryContext::Disable();
  for (size_t i = 0; i < std::size(contained_signals); ++i)
    ::sigaction(contained_signals[i], &state.previous[i], nullptr);
}

// Deep recursion in the compiler overflows the stack: the handler needs another one. Kept for the thread's life.
void ensure_signal_stack() {
  stack_t current{};
  ::sigaltstack(nullptr, &current);
  if (!(current.ss_flags & SS_DISABLE))
    return;
  static constexpr size_t size = 65536;
  struct Stack {
    std::array<char, size> bytes;
    ~Stack() {
      stack_t off{};
      off.ss_flags = SS_DISABLE;
      ::sigaltstack(&off, nullptr);
    }
  };
  static thread_local Stack stack;
  stack_t ours{};
  ours.ss_sp = stack.bytes.data();
  ours.ss_size = size;
  ::sigaltstack(&ours, nullptr);
}

Error crash_error(std::string_view what, int code) {
  std::string message(what);
  if (code == fatal_error_code && reason[0] != '\0')
    message += std::string(": LLVM gave up: ") + reason.data();
  else if (code > 128)
    message += std::string(": the compiler crashed (") + strsignal(code - 128) +
               "); please report it with the module, and try a lower optimisation level";
  else
    message += ": the compiler stopped with code " + std::to_string(code);
  while (message.ends_with('\n'))
    message.pop_back();
  return Error{ErrorCode::compile_failed, message};
}

} // namespace

Result<void> contain(std::string_view what, llvm::function_ref<Result<void>()> work) {
  if (depth == 0) {
    ensure_signal_stack();
    install();
  }
  unsigned outer = depth;
  depth = outer + 1;
  reason[0] = '\0';
  Result<void> result;
  int code = 0;
  {
    llvm::CrashRecoveryContext recovery;
    if (!recovery.RunSafely([&] { result = work(); }))
      code = recovery.RetCode == 0 ? fatal_error_code : recovery.RetCode;
  }
  depth = outer;
  if (depth == 0)
    uninstall();
  if (code != 0)
    return crash_error(what, code);
  return result;
}

} // namespace kiln::target
