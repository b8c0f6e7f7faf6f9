// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api_internal.h"
#include "runtime/last_error.h"

namespace kiln::runtime {
namespace {

struct StatusRow {
  ErrorCode code;
  kiln_status status;
  const char* name;
};
constexpr StatusRow rows[] = {
    {ErrorCode::invalid_argument, KILN_INVALID_ARGUMENT, "invalid argument"},
    {ErrorCode::invalid_module, KILN_INVALID_MODULE, "invalid module"},
    {ErrorCode::unsupported, KILN_UNSUPPORTED, "not supported"},
    {ErrorCode::not_found, KILN_NOT_FOUND, "not found"},
    {ErrorCode::io, KILN_IO, "input or output failed"},
    {ErrorCode::compile_failed, KILN_COMPILE_ERROR, "compilation failed"},
    {ErrorCode::launch_failed, KILN_LAUNCH_FAILED, "launch failed"},
    {ErrorCode::assert_failed, KILN_ASSERT_FAILED, "device-side assert failed"},
    {ErrorCode::out_of_memory, KILN_OUT_OF_MEMORY, "out of memory"},
    {ErrorCode::no_device, KILN_NO_DEVICE, "no usable device"},
    {ErrorCode::not_ready, KILN_NOT_READY, "not ready"},
    {ErrorCode::no_binary, KILN_NO_BINARY, "nothing in the module for this device"},
};

} // namespace

kiln_status fail(const Error& error) {
  set_last_error(error.message);
  for (const StatusRow& row : rows)
    if (row.code == error.code)
      return row.status;
  return KILN_INVALID_ARGUMENT;
}

kiln_status invalid(const char* sentence) {
  return fail(Error{ErrorCode::invalid_argument, sentence});
}

} // namespace kiln::runtime

using namespace kiln::runtime;

const char* kiln_last_error_message(void) {
  return last_error();
}

const char* kiln_status_name(kiln_status status) {
  for (const StatusRow& row : rows)
    if (row.status == status)
      return row.name;
  return status == KILN_OK ? "success" : "unknown status";
}
