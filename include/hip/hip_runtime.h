/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * HIP for device and host code: the API (hip_runtime_api.h), the launch syntax, the vector types and what a kernel can
 * call. Mathematics comes with the compiler (clang's HIP wrapper headers); half precision, bfloat16, complex numbers
 * and cooperative groups have their own headers, so that a kernel that does not use them does not pay for them.
 */
#ifndef HIP_RUNTIME_H
#define HIP_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#include <hip/hip_runtime_api.h>
#include <hip/hip_vector_types.h>

#if defined(__HIP__) && defined(__cplusplus)

// Launches. kernel<<<...>>>(...) is the compiler's; these are the portable spellings.
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGLInternal(kernel, blocks, threads, shared_bytes, stream, ...)                                 \
  do {                                                                                                                 \
    kernel<<<(blocks), (threads), (shared_bytes), (stream)>>>(__VA_ARGS__);                                            \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) hipLaunchKernelGGLInternal((kernel), __VA_ARGS__)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// __launch_bounds__(threads[, waves per SIMD]); further values are for other vendors.
#define __KILN_BOUNDS_1(threads) __attribute__((__amdgpu_flat_work_group_size__(1, threads)))
#define __KILN_BOUNDS_2(threads, waves)                                                                                \
  __attribute__((__amdgpu_flat_work_group_size__(1, threads), __amdgpu_waves_per_eu__(waves)))
#define __KILN_BOUNDS_3(threads, waves, other) __KILN_BOUNDS_2(threads, waves)
#define __KILN_BOUNDS_SELECT(a, b, c, name, ...) name
#define __launch_bounds__(...)                                                                                         \
  __KILN_BOUNDS_SELECT(__VA_ARGS__, __KILN_BOUNDS_3, __KILN_BOUNDS_2, __KILN_BOUNDS_1, )(__VA_ARGS__)

#ifndef __forceinline__
#define __forceinline__ inline __attribute__((__always_inline__))
#endif
#ifndef __align__
#define __align__(n) __attribute__((__aligned__(n)))
#endif

extern "C" __device__ int printf(const char* __format, ...);

#include <hip/detail/predicates.h>

#include <hip/detail/coordinates.h>

#include <hip/detail/sync.h>
// Uses what stands above.
#include <hip/detail/atomics.h>
#include <hip/detail/integer.h>
#include <hip/detail/wave.h>
// Uses integer.h.
#include <hip/detail/convert.h>
#include <hip/detail/memory.h>

#endif
#endif
