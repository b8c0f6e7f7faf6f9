/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and stores with a cache hint, and the C library's memory functions for device code. */
#ifndef HIP_DETAIL_MEMORY_H
#define HIP_DETAIL_MEMORY_H

#define __KILN_LOAD(name)                                                                                              \
  template <typename T> __KILN_DEVICE T name(const T* address) {                                                       \
    if constexpr (__is_arithmetic(T)) {                                                                                \
      return __builtin_nontemporal_load(address);                                                                      \
    } else {                                                                                                           \
      return *address;                                                                                                 \
    }                                                                                                                  \
  }
#define __KILN_STORE(name)                                                                                             \
  template <typename T> __KILN_DEVICE void name(T* address, typename __kiln_same<T>::type value) {                     \
    if constexpr (__is_arithmetic(T)) {                                                                                \
      __builtin_nontemporal_store(value, address);                                                                     \
    } else {                                                                                                           \
      *address = value;                                                                                                \
    }                                                                                                                  \
  }
// Read-only and cached: the plain load.
template <typename T> __KILN_DEVICE T __ldg(const T* address) {
  return *address;
}
template <typename T> __KILN_DEVICE T __ldca(const T* address) {
  return *address;
}
template <typename T> __KILN_DEVICE T __ldcg(const T* address) {
  return *address;
}
__KILN_LOAD(__ldcs)
__KILN_STORE(__stcs)
#undef __KILN_LOAD
#undef __KILN_STORE

__KILN_DEVICE void* memcpy(void* to, const void* from, size_t size) {
  return __builtin_memcpy(to, from, size);
}
__KILN_DEVICE void* memmove(void* to, const void* from, size_t size) {
  return __builtin_memmove(to, from, size);
}
__KILN_DEVICE void* memset(void* to, int value, size_t size) {
  return __builtin_memset(to, value, size);
}

#endif
