/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types of the memory copy functions. */
#ifndef HIP_DRIVER_TYPES_H
#define HIP_DRIVER_TYPES_H

#include <hip/hip_common.h>

/* Where a copy comes from and goes to. All pointers are in one address space, so Default is always right. */
typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4,
  hipMemcpyDeviceToDeviceNoCU = 1024
} hipMemcpyKind;

typedef void* hipDeviceptr_t;

#endif
