/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* AMD's extensions of the launch: a kernel between two events. */
#ifndef HIP_EXT_H
#define HIP_EXT_H

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)
template <typename... Parameters, typename... Arguments>
inline void hipExtLaunchKernelGGL(void (*kernel)(Parameters...), const dim3& blocks, const dim3& threads,
                                  unsigned shared_bytes, hipStream_t stream, hipEvent_t start, hipEvent_t stop,
                                  unsigned flags, Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "a launch passes each of the kernel's parameters");
  auto launch = [&](Parameters... values) {
    void* pointers[sizeof...(Parameters) + 1] = {(void*)&values..., nullptr};
    (void)hipExtLaunchKernel((const void*)kernel, blocks, threads, pointers, shared_bytes, stream, start, stop,
                             (int)flags);
  };
  launch(static_cast<Parameters>(arguments)...);
}
#endif
#endif
