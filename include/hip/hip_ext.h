/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* AMD's extensions of the launch: a kernel between two events. */
#ifndef HIP_EXT_H
#define HIP_EXT_H

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)
template <typename... __Parameters, typename... __Arguments>
inline void hipExtLaunchKernelGGL(void (*__function)(__Parameters...), const dim3& __blocks, const dim3& __threads,
                                  unsigned __shared_bytes, hipStream_t __stream, hipEvent_t __start, hipEvent_t __stop,
                                  unsigned __flags, __Arguments... __arguments) {
  static_assert(sizeof...(__Parameters) == sizeof...(__Arguments), "a launch passes each of the kernel's parameters");
  auto __launch = [&](__Parameters... __values) {
    void* __pointers[sizeof...(__Parameters) + 1] = {(void*)&__values..., nullptr};
    (void)hipExtLaunchKernel((const void*)__function, __blocks, __threads, __pointers, __shared_bytes, __stream,
                             __start, __stop, (int)__flags);
  };
  __launch(static_cast<__Parameters>(__arguments)...);
}
#endif
#endif
