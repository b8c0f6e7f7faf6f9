// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 2^x and log2(x), which AMD GPUs have as instructions (v_exp_f32, v_log_f32: 1 ulp) and which AMD's library builds
// exp, log, pow and others upon. For devices without such instructions: no branches and no tables, so that they
// vectorise, within 1 ulp, also near 1 and for denormal numbers. Coefficients: polynomial through Chebyshev nodes, the
// first ones rounded to float. Compiles for the CPU too, where the test compares with libm in higher precision.
#ifdef KILN_DEVLIB_NATIVE
#define EXPORT
typedef unsigned u32;
#else
#include "device.h"
#endif
#pragma STDC FP_CONTRACT OFF

static inline u32 bits_of_f32(float x) {
  u32 bits;
  __builtin_memcpy(&bits, &x, 4);
  return bits;
}
static inline float f32_of(u32 bits) {
  float x;
  __builtin_memcpy(&x, &bits, 4);
  return x;
}

// 2^n * 2^f with n = rint(x), |f| <= 1/2. The two factors of 2^n are normal numbers, so only the last product rounds.
EXPORT float __kiln_exp2_f32(float x) {
  float inside = x > 129 ? 129 : x; // NaN passes both comparisons and the arithmetic
  inside = inside < -151 ? -151 : inside;
  const float to_integer = 0x1.8p23f; // adding it leaves rint(x) in the low bits
  float shifted = inside + to_integer;
  u32 n = bits_of_f32(shifted) - bits_of_f32(to_integer);
  float f = inside - (shifted - to_integer);
  float q = 0x1.44138ap-13f;
  q = __builtin_fmaf(q, f, 0x1.5f0890p-10f);
  q = __builtin_fmaf(q, f, 0x1.3b2a54p-7f);
  q = __builtin_fmaf(q, f, 0x1.c6af6cp-5f);
  q = __builtin_fmaf(q, f, 0x1.ebfbe0p-3f);
  q = __builtin_fmaf(q, f, 0x1.62e430p-1f);
  u32 half = (u32)((int)n >> 1);
  return __builtin_fmaf(q, f, 1) * f32_of((half + 127) << 23) * f32_of((n - half + 127) << 23);
}

// x = 2^e * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); log2(1 + f) = f / ln 2 + f^2 q(f), the first product in two
// parts.
EXPORT float __kiln_log2_f32(float x) {
  int denormal = x < 0x1p-126f;
  u32 above = bits_of_f32(denormal ? x * 0x1p23f : x) - 0x3f3504f3u; // sqrt(1/2)
  float e = (float)(((int)above >> 23) - (denormal ? 23 : 0));
  float f = f32_of((above & 0x7fffffu) + 0x3f3504f3u) - 1;
  float q = 0x1.900022p-4f;
  q = __builtin_fmaf(q, f, -0x1.5579e8p-3f);
  q = __builtin_fmaf(q, f, 0x1.5d018cp-3f);
  q = __builtin_fmaf(q, f, -0x1.6efd84p-3f);
  q = __builtin_fmaf(q, f, 0x1.a48380p-3f);
  q = __builtin_fmaf(q, f, -0x1.ec7732p-3f);
  q = __builtin_fmaf(q, f, 0x1.277c3ep-2f);
  q = __builtin_fmaf(q, f, -0x1.715480p-2f);
  q = __builtin_fmaf(q, f, 0x1.ec7094p-2f);
  q = __builtin_fmaf(q, f, -0x1.715476p-1f);
  float high = f * 0x1.715476p+0f;
  float low = __builtin_fmaf(f, 0x1.4ae0cp-26f, __builtin_fmaf(f, 0x1.715476p+0f, -high));
  low = __builtin_fmaf(f, f * q, low);
  float sum = e + high; // e is 0 or larger than high: the rounding error is exact
  float result = sum + ((high - (sum - e)) + low);
  result = x == __builtin_inff() ? x : result;
  result = x == 0 ? -__builtin_inff() : result;
  return x >= 0 ? result : __builtin_nanf("");
}

#ifndef KILN_DEVLIB_NATIVE
EXPORT _Float16 __kiln_exp2_f16(_Float16 x) {
  return (_Float16)__kiln_exp2_f32(x);
}
EXPORT _Float16 __kiln_log2_f16(_Float16 x) {
  return (_Float16)__kiln_log2_f32(x);
}
#endif
