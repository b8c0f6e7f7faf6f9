/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Platform macros that portable HIP programs test, and the function and variable qualifiers for compilers that do not
 * know the HIP language (a plain C or C++ file that only calls the API): there they mean nothing.
 */
#ifndef HIP_COMMON_H
#define HIP_COMMON_H

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#if defined(__clang__) && defined(__HIP__) && !defined(__HIP_CLANG_ONLY__)
#define __HIP_CLANG_ONLY__ 1
#endif
#if defined(__HIP__) && !defined(__HIPCC__)
#define __HIPCC__ 1
#endif

#ifdef __HIP__
#ifndef __host__
#define __host__ __attribute__((host))
#endif
#ifndef __device__
#define __device__ __attribute__((device))
#endif
#ifndef __global__
#define __global__ __attribute__((global))
#endif
#ifndef __shared__
#define __shared__ __attribute__((shared))
#endif
#ifndef __constant__
#define __constant__ __attribute__((constant))
#endif
#ifndef __managed__
#define __managed__ __attribute__((managed))
#endif
#else
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __managed__
#define __managed__
#endif
#endif

#endif
