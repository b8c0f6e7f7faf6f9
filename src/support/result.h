// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result<T>: a value or an Error, the only way a failure travels inside Kiln. No exception, exit() or abort() crosses a
// library's border; every Error ends up as a code of the public API plus one sentence for a person.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace kiln {

enum class ErrorCode {
  invalid_argument, // the caller passed something that no valid program passes
  invalid_module,   // bytes that are not what they claim to be: SPIR-V, bundle, ELF, cache entry
  unsupported,      // valid, but Kiln (or the device) cannot do it; listed in docs/limits.md
  not_found,        // a name, file, symbol or device that is not there
  io,               // the operating system refused to read or write
  compile_failed,   // the compiler could not turn the kernel into machine code
  launch_failed,    // the kernel faulted while running
  assert_failed,    // a device-side assert() failed
  out_of_memory,
  no_device, // no usable device, or the one asked for is unusable
  not_ready, // asynchronous work has not finished
  no_binary, // a module has nothing for this device
};

struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message; // lower case, one sentence: what, where, and what to do about it

  // The same error with "context: " in front; called on the way up, so the outermost context comes first.
  [[nodiscard]] Error context(std::string_view where) && {
    message.insert(0, std::string(where) + ": ");
    return std::move(*this);
  }
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return const_cast<Result*>(this)->value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &const_cast<Result*>(this)->value(); }

  [[nodiscard]] Error& error() {
    assert(!ok() && "error() of a Result that holds a value");
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] const Error& error() const { return const_cast<Result*>(this)->error(); }

private:
  T& value() {
    assert(ok() && "value of a Result that holds an error");
    return *std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] Error& error() {
    assert(!ok() && "error() of a Result that holds success");
    return *error_;
  }
  [[nodiscard]] const Error& error() const { return const_cast<Result*>(this)->error(); }

private:
  std::optional<Error> error_;
};

} // namespace kiln

// KILN_TRY(expr): leave the function with the error of `expr` (a Result of any type), if it has one.
#define KILN_TRY(expr)                                                                                                 \
  do {                                                                                                                 \
    if (auto kiln_result_ = (expr); !kiln_result_.ok())                                                                \
      return std::move(kiln_result_.error());                                                                          \
  } while (0)

// KILN_ASSIGN(auto x, expr): x is the value of `expr`, or the function is left with its error.
#define KILN_CONCAT_(a, b) a##b
#define KILN_CONCAT(a, b) KILN_CONCAT_(a, b)
#define KILN_ASSIGN(declaration, expr) KILN_ASSIGN_(KILN_CONCAT(kiln_result_, __LINE__), declaration, expr)
#define KILN_ASSIGN_(name, declaration, expr)                                                                          \
  auto name = (expr);                                                                                                  \
  if (!name.ok())                                                                                                      \
    return std::move(name.error());                                                                                    \
  declaration = std::move(*name)
