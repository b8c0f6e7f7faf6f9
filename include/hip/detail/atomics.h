/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The atomic functions: relaxed read-modify-write operations at device scope, with _system and _block for the wider and
 * the narrower scope. Integers of 32 and 64 bits, float and double; CAS and Exch take 16 bits too. Each returns the old
 * value. The value's type follows the pointer's, so `atomicAdd(&counter, 1)` works for every counter.
 */
#ifndef HIP_DETAIL_ATOMICS_H
#define HIP_DETAIL_ATOMICS_H

template <typename __T> struct __kiln_same {
  typedef __T __type;
};
template <typename __T> struct __kiln_atomic_operand : __kiln_if<__is_arithmetic(__T), __T> {};
#define __KILN_VALUE(T) typename __kiln_atomic_operand<T>::__type

#define __KILN_ATOMIC(name, builtin, suffix, scope)                                                                    \
  template <typename __T> __KILN_DEVICE __T name##suffix(__T* __address, __KILN_VALUE(__T) __value) {                  \
    return builtin(__address, __value, __ATOMIC_RELAXED, scope);                                                       \
  }
#define __KILN_ATOMICS(suffix, scope, order_scope)                                                                     \
  __KILN_ATOMIC(atomicAdd, __hip_atomic_fetch_add, suffix, scope)                                                      \
  __KILN_ATOMIC(atomicMin, __hip_atomic_fetch_min, suffix, scope)                                                      \
  __KILN_ATOMIC(atomicMax, __hip_atomic_fetch_max, suffix, scope)                                                      \
  __KILN_ATOMIC(atomicAnd, __hip_atomic_fetch_and, suffix, scope)                                                      \
  __KILN_ATOMIC(atomicOr, __hip_atomic_fetch_or, suffix, scope)                                                        \
  __KILN_ATOMIC(atomicXor, __hip_atomic_fetch_xor, suffix, scope)                                                      \
  __KILN_ATOMIC(atomicExch, __hip_atomic_exchange, suffix, scope)                                                      \
  template <typename __T> __KILN_DEVICE __T atomicSub##suffix(__T* __address, __KILN_VALUE(__T) __value) {             \
    return __hip_atomic_fetch_add(__address, (__T) - __value, __ATOMIC_RELAXED, scope);                                \
  }                                                                                                                    \
  template <typename __T>                                                                                              \
  __KILN_DEVICE __T atomicCAS##suffix(__T* __address, __KILN_VALUE(__T) __compare, __KILN_VALUE(__T) __value) {        \
    __hip_atomic_compare_exchange_strong(__address, &__compare, __value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);   \
    return __compare;                                                                                                  \
  }                                                                                                                    \
  __KILN_DEVICE unsigned atomicInc##suffix(unsigned* __address, unsigned __limit) {                                    \
    return __builtin_amdgcn_atomic_inc32(__address, __limit, __ATOMIC_RELAXED, order_scope);                           \
  }                                                                                                                    \
  __KILN_DEVICE unsigned atomicDec##suffix(unsigned* __address, unsigned __limit) {                                    \
    return __builtin_amdgcn_atomic_dec32(__address, __limit, __ATOMIC_RELAXED, order_scope);                           \
  }
__KILN_ATOMICS(, __HIP_MEMORY_SCOPE_AGENT, "agent")
__KILN_ATOMICS(_system, __HIP_MEMORY_SCOPE_SYSTEM, "")
__KILN_ATOMICS(_block, __HIP_MEMORY_SCOPE_WORKGROUP, "workgroup")
#undef __KILN_ATOMICS
#undef __KILN_ATOMIC

// The caller vouches that the memory is ordinary device memory, so that the hardware's own instruction may be used.
#define __KILN_UNSAFE(name, builtin)                                                                                   \
  template <typename __T> __KILN_DEVICE __T unsafe##name(__T* __address, __KILN_VALUE(__T) __value) {                  \
    __T __old;                                                                                                         \
    [[_Clang::__atomic__(no_remote_memory, no_fine_grained_memory, ignore_denormal_mode)]] {                           \
      __old = builtin(__address, __value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                 \
    }                                                                                                                  \
    return __old;                                                                                                      \
  }                                                                                                                    \
  template <typename __T> __KILN_DEVICE __T safe##name(__T* __address, __KILN_VALUE(__T) __value) {                    \
    __T __old;                                                                                                         \
    [[_Clang::__atomic__(remote_memory, fine_grained_memory, no_ignore_denormal_mode)]] {                              \
      __old = builtin(__address, __value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                 \
    }                                                                                                                  \
    return __old;                                                                                                      \
  }
__KILN_UNSAFE(AtomicAdd, __hip_atomic_fetch_add)
__KILN_UNSAFE(AtomicMin, __hip_atomic_fetch_min)
__KILN_UNSAFE(AtomicMax, __hip_atomic_fetch_max)
#undef __KILN_UNSAFE

__KILN_DEVICE void atomicAddNoRet(float* __address, float __value) {
  unsafeAtomicAdd(__address, __value);
}

#endif
