// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the chapters of the C API share: handles, statuses, the sentence of the last failure.
#pragma once

#include "runtime/runtime.h"

#include <kiln/kiln.h>

#include <cstring>
#include <string>

// A kiln_device is a DeviceContext, a kiln_kernel a LoadedKernel: handles that are not owned need no object of their
// own.
struct kiln_module {
  std::shared_ptr<kiln::runtime::Module> module;
  std::vector<std::string> kernel_names;
};
struct kiln_stream {
  std::shared_ptr<kiln::runtime::Stream> stream;
};
struct kiln_event {
  kiln::runtime::Event event{true};
};

namespace kiln::runtime {

inline DeviceContext* unwrap(kiln_device* device) {
  return reinterpret_cast<DeviceContext*>(device);
}
inline const LoadedKernel* unwrap(kiln_kernel* kernel) {
  return reinterpret_cast<const LoadedKernel*>(kernel);
}

// Keeps the sentence for kiln_last_error_message and gives the code.
kiln_status fail(const Error& error);
kiln_status invalid(const char* sentence);
template <class T> kiln_status finish(const Result<T>& result) {
  return result ? KILN_OK : fail(result.error());
}

// Fills the part of `*to` that its caller knows.
template <class T> kiln_status give(T from, T* to) {
  if (!to || to->struct_size < sizeof(size_t))
    return invalid("the structure is NULL or its struct_size is not set");
  from.struct_size = std::min(to->struct_size, sizeof(T));
  const size_t caller_size = to->struct_size;
  std::memcpy(to, &from, from.struct_size);
  to->struct_size = caller_size;
  return KILN_OK;
}

} // namespace kiln::runtime

#define KILN_API_TRY(expr)                                                                                             \
  do {                                                                                                                 \
    if (auto kiln_result_ = (expr); !kiln_result_.ok())                                                                \
      return kiln::runtime::fail(kiln_result_.error());                                                                \
  } while (0)
#define KILN_API_ASSIGN(declaration, expr) KILN_API_ASSIGN_(KILN_CONCAT(kiln_result_, __LINE__), declaration, expr)
#define KILN_API_ASSIGN_(name, declaration, expr)                                                                      \
  auto name = (expr);                                                                                                  \
  if (!name.ok())                                                                                                      \
    return kiln::runtime::fail(name.error());                                                                          \
  declaration = std::move(*name)
