// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where printf's buffer is: in the implicit kernel arguments (hidden_printf_buffer of code object version 5). A file of
// its own, so that a device without such arguments can put another function in its place.
#include "device.h"

EXPORT GLOBAL void* __kiln_printf_buffer(void) {
  return *(GLOBAL void* CONSTANT*)(implicit_arguments() + 72);
}
