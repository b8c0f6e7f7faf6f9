// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wall_clock64(): a counter of constant rate, not tied to the shader clock. s_memrealtime before gfx11, a message
// after; clang picks by processor through __builtin_readsteadycounter, which becomes llvm.readsteadycounter and is
// right on every device.
#include "device.h"

EXPORT u64 __ockl_steadyctr_u64(void) {
  return __builtin_readsteadycounter();
}
