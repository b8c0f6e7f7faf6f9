/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kept for programs that name it; all of it is in hip_runtime.h and in the compiler's own headers. */
#ifndef HIP_MATH_FUNCTIONS_H
#define HIP_MATH_FUNCTIONS_H
#include <hip/hip_runtime.h>
#endif
