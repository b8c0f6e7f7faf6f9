/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and stores with a cache hint, and the C library's memory functions for device code. */
#ifndef HIP_DETAIL_MEMORY_H
#define HIP_DETAIL_MEMORY_H

#define __KILN_LOAD(name)                                                                                              \
  template <typename __T> __KILN_DEVICE __T name(const __T* __address) {                                               \
    if constexpr (__is_arithmetic(__T)) {                                                                              \
      return __builtin_nontemporal_load(__address);                                                                    \
    } else {                                                                                                           \
      return *__address;                                                                                               \
    }                                                                                                                  \
  }
#define __KILN_STORE(name)                                                                                             \
  template <typename __T> __KILN_DEVICE void name(__T* __address, typename __kiln_same<__T>::__type __value) {         \
    if constexpr (__is_arithmetic(__T)) {                                                                              \
      __builtin_nontemporal_store(__value, __address);                                                                 \
    } else {                                                                                                           \
      *__address = __value;                                                                                            \
    }                                                                                                                  \
  }
// Read-only and cached: the plain load.
template <typename __T> __KILN_DEVICE __T __ldg(const __T* __address) {
  return *__address;
}
template <typename __T> __KILN_DEVICE __T __ldca(const __T* __address) {
  return *__address;
}
template <typename __T> __KILN_DEVICE __T __ldcg(const __T* __address) {
  return *__address;
}
__KILN_LOAD(__ldcs)
__KILN_STORE(__stcs)
#undef __KILN_LOAD
#undef __KILN_STORE

__KILN_DEVICE void* memcpy(void* __to, const void* __from, size_t __size) {
  return __builtin_memcpy(__to, __from, __size);
}
__KILN_DEVICE void* memmove(void* __to, const void* __from, size_t __size) {
  return __builtin_memmove(__to, __from, __size);
}
__KILN_DEVICE void* memset(void* __to, int __value, size_t __size) {
  return __builtin_memset(__to, __value, __size);
}

#endif
