// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA GPUs are reached through the CUDA driver (libcuda.so.1).
#include "device/probe.h"

namespace kiln::device::cuda {

std::string unusable_reason() {
  if (!library_exists("libcuda.so.1"))
    return "libcuda.so.1 not found, and the CUDA back end is not in this version of Kiln";
  return "the CUDA back end is not in this version of Kiln";
}

} // namespace kiln::device::cuda
