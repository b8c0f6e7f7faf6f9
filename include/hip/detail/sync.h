/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Barriers of a work-group and of a wave, fences, clocks, and the end of a work-item. */
#ifndef HIP_DETAIL_SYNC_H
#define HIP_DETAIL_SYNC_H

#define __KILN_DEVICE static __device__ __attribute__((__always_inline__, __unused__)) inline

__KILN_DEVICE void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
__KILN_DEVICE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
__KILN_DEVICE void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

__KILN_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__KILN_DEVICE void __barrier(int) {
  __syncthreads();
}
__KILN_DEVICE void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <typename __Mask> __KILN_DEVICE void __syncwarp(__Mask) {
  static_assert(sizeof(__Mask) == 8, "the mask must be a 64-bit integer");
  __syncwarp();
}

// The three voting barriers add to one counter in LDS.
__KILN_DEVICE int __syncthreads_count(int __predicate) {
  __shared__ int __votes;
  bool __first =
      (__builtin_amdgcn_workitem_id_x() | __builtin_amdgcn_workitem_id_y() | __builtin_amdgcn_workitem_id_z()) == 0;
  if (__first)
    __votes = 0;
  __syncthreads();
  if (__predicate)
    __hip_atomic_fetch_add(&__votes, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  int __sum = __votes;
  __syncthreads();
  return __sum;
}
__KILN_DEVICE int __syncthreads_or(int __predicate) {
  return __syncthreads_count(__predicate != 0) != 0;
}
__KILN_DEVICE int __syncthreads_and(int __predicate) {
  return __syncthreads_count(__predicate == 0) == 0;
}

// Core cycles, and a counter of constant rate.
__KILN_DEVICE long long clock64() {
  return (long long)__builtin_readcyclecounter();
}
__KILN_DEVICE long long __clock64() {
  return clock64();
}
__KILN_DEVICE long long wall_clock64() {
  return (long long)__builtin_readsteadycounter();
}
// The C library declares clock(); on the device this one is found.
extern "C" __device__ __attribute__((__always_inline__, __unused__)) inline clock_t clock() {
  return (clock_t)__builtin_readcyclecounter();
}
__KILN_DEVICE clock_t __clock() {
  return clock();
}
__KILN_DEVICE void __nanosleep(unsigned) {
  __builtin_amdgcn_s_sleep(1);
}

// A failed assertion names itself and stops the kernel.
extern "C" {
__device__ void __kiln_assert_fail(const char* __expression, const char* __file, unsigned __line,
                                   const char* __function);
__device__ __attribute__((__noinline__, __weak__, __noreturn__)) inline void
__assert_fail(const char* __expression, const char* __file, unsigned __line, const char* __function) {
  __kiln_assert_fail(__expression, __file, __line, __function);
  __builtin_trap();
}
__device__ __attribute__((__always_inline__, __noreturn__)) inline void abort() {
  __builtin_trap();
}
}
__KILN_DEVICE void trap() {
  __builtin_trap();
}
__KILN_DEVICE void __trap() {
  __builtin_trap();
}

#endif
