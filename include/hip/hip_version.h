/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The version of the HIP API that these headers and libkiln-hip follow. Programs compare HIP_VERSION. */
#ifndef HIP_VERSION_H
#define HIP_VERSION_H

#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION_GITHASH "kiln"
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

/*
 * clang's HIP headers include this file before they declare the mathematical functions. The device library has the
 * arithmetic with directed rounding (__fadd_rd, __dmul_rz, ...), which they declare only where this is defined.
 */
#if defined(__HIP__) && !defined(OCML_BASIC_ROUNDED_OPERATIONS)
#define OCML_BASIC_ROUNDED_OPERATIONS 1
#endif

#endif
