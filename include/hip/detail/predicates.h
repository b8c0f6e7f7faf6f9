/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Late architecture checks, spelled as in upstream clang, for a clang that does not have them:
 *     if (__builtin_amdgcn_processor_is("gfx950")) ...
 *     if (__builtin_amdgcn_is_invocable(__builtin_amdgcn_mfma_f32_32x32x1f32)) ...
 * In a portable module they are calls that are decided when the kernel is compiled for a device; the branch not taken
 * is removed before code generation, so it may hold code (inline assembly, intrinsics) that the device does not have.
 * They may only steer control flow. In host code they are false. Compiled ahead of time for one processor, the first
 * compares its name and the second is false, as stock clang cannot tell: the portable branch is taken.
 */
#ifndef HIP_DETAIL_PREDICATES_H
#define HIP_DETAIL_PREDICATES_H

extern "C" {
__device__ __attribute__((__const__, __nothrow__)) bool __kiln_processor_is(const char* __name);
__device__ __attribute__((__const__, __nothrow__)) bool __kiln_is_invocable(const char* __builtin_name);
}

#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#ifdef __SPIRV__
#define __builtin_amdgcn_processor_is(name) __kiln_processor_is("" name)
#define __builtin_amdgcn_is_invocable(...) __kiln_is_invocable(#__VA_ARGS__)
#else
#define __builtin_amdgcn_processor_is(name) (__builtin_strcmp("" name, __amdgcn_processor__) == 0)
#define __builtin_amdgcn_is_invocable(...) false
#endif
#else
#define __builtin_amdgcn_processor_is(name) false
#define __builtin_amdgcn_is_invocable(...) false
#endif

#endif
