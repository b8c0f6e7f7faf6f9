// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD GPUs, real or emulated, are reached through the HSA runtime's ABI (libhsa-runtime64.so.1).
#include "device/probe.h"

namespace kiln::device::hsa {

std::string unusable_reason(std::string_view id) {
  if (id.starts_with("emu"))
    return "the emulator is not in this version of Kiln";
  if (!library_exists("libhsa-runtime64.so.1"))
    return "libhsa-runtime64.so.1 not found, and the HSA back end is not in this version of Kiln";
  return "the HSA back end is not in this version of Kiln";
}

} // namespace kiln::device::hsa
