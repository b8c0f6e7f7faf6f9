// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Kiln's own device functions are written with. They are compiled as plain C for amdgcn (pointers are generic) and
// renumbered for the other devices.
#ifndef KILN_DEVLIB_DEVICE_H
#define KILN_DEVLIB_DEVICE_H

typedef unsigned u32;
typedef unsigned long u64;

#define EXPORT __attribute__((visibility("protected")))
#define GLOBAL __attribute__((address_space(1)))
#define CONSTANT __attribute__((address_space(4)))

static inline const CONSTANT char* implicit_arguments(void) {
  return (const CONSTANT char*)__builtin_amdgcn_implicitarg_ptr();
}

static inline u64 add_u64(GLOBAL u64* to, u64 value) {
  return __scoped_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

#endif
