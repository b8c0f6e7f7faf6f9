// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with a chosen rounding direction (__fadd_rd, __dmul_rz, ...), without touching the rounding mode of the
// machine, which the optimiser does not know of and some devices do not have.
//
// Every operation is done rounded to nearest; then the sign of (exact result - that) decides whether to step to the
// neighbour. The sign is exact: error-free transformations (two-sum; fma gives the error of a product, and the
// remainder of a quotient or square root), in double for float operands, and on mantissas scaled to [0.5, 1) for double
// ones, so that nothing overflows or underflows on the way. Compiles for the CPU too, where the tests compare with
// fesetround().
#ifdef KILN_DEVLIB_NATIVE
#define EXPORT
typedef unsigned u32;
typedef unsigned long u64;
#else
#include "device.h"
#endif
#pragma STDC FP_CONTRACT OFF

typedef long i64;
typedef enum { NEAREST, DOWN, UP, ZERO } direction;

static inline u64 bits_of(double x) {
  u64 bits;
  __builtin_memcpy(&bits, &x, 8);
  return bits;
}
static inline double from_bits(u64 bits) {
  double x;
  __builtin_memcpy(&x, &bits, 8);
  return x;
}
static inline int is_negative(double x) {
  return (int)(bits_of(x) >> 63);
}
static inline int is_finite(double x) {
  return (bits_of(x) & 0x7ff0000000000000ul) != 0x7ff0000000000000ul;
}
static inline int sign_of(double x) {
  return (x > 0) - (x < 0);
}

// Should a result f step away, and where to, when the exact result lies on the side `exact_minus_f` of it? -1, 0 or 1.
static inline int step(direction to, int exact_minus_f, int f_is_negative) {
  if (to == DOWN || (to == ZERO && !f_is_negative))
    return exact_minus_f < 0 ? -1 : 0;
  if (to == UP || to == ZERO)
    return exact_minus_f > 0 ? 1 : 0;
  return 0;
}

// The neighbour of x above (by = 1) or below (by = -1), with bits as sign and magnitude. Works from zero and from
// infinity.
static inline double neighbour(double x, int by) {
  u64 bits = bits_of(x);
  if ((bits << 1) == 0)
    return from_bits(by < 0 ? 0x8000000000000001ul : 1ul);
  return from_bits((bits >> 63) == (u64)(by < 0) ? bits + 1 : bits - 1);
}
static inline float neighbour_f32(float x, int by) {
  u32 bits;
  __builtin_memcpy(&bits, &x, 4);
  if ((bits << 1) == 0)
    bits = by < 0 ? 0x80000001u : 1u;
  else
    bits += (bits >> 31) == (u32)(by < 0) ? 1u : ~0u;
  __builtin_memcpy(&x, &bits, 4);
  return x;
}

// The exact error of s = a + b rounded to nearest, which does not overflow.
static inline double sum_error(double a, double b, double s) {
  if (__builtin_fabs(a) < __builtin_fabs(b)) {
    double t = a;
    a = b;
    b = t;
  }
  return b - (s - a);
}

// ---- float: d is the exact result rounded to double, `rest` has the sign of (exact - d) ----

static inline float narrow(double d, int rest, direction to) {
  float f = (float)d;
  if (d != d)
    return f;
  int side = d == f ? rest : (d > f ? 1 : -1);
  // An infinity that is exact (from an infinite operand, a division by zero) stays; an overflow steps back.
  int by = step(to, side, is_negative(f));
  return by ? neighbour_f32(f, by) : f;
}

// x - x is +0, but -0 when rounding down.
static inline int is_negative_zero_sum(double a, double b, double s, direction to) {
  return to == DOWN && s == 0 && is_negative(a) != is_negative(b);
}

static inline float add_f32(float a, float b, direction to) {
  double s = (double)a + b;
  if (is_negative_zero_sum(a, b, s, to))
    return -0.0f;
  return narrow(s, is_finite(s) ? sign_of(sum_error(a, b, s)) : 0, to);
}
static inline float mul_f32(float a, float b, direction to) {
  return narrow((double)a * b, 0, to);
}
static inline float div_f32(float a, float b, direction to) {
  double q = (double)a / b;
  int rest = is_finite(q) && is_finite(b) ? sign_of(__builtin_fma(-q, b, a)) * (is_negative(b) ? -1 : 1) : 0;
  return narrow(q, rest, to);
}
static inline float sqrt_f32(float a, direction to) {
  double s = __builtin_sqrt((double)a);
  return narrow(s, is_finite(s) ? sign_of(__builtin_fma(-s, s, (double)a)) : 0, to);
}
static inline float fma_f32(float a, float b, float c, direction to) {
  double p = (double)a * b; // exact: 48 bits
  double s = p + c;
  if (is_negative_zero_sum(p, c, s, to))
    return -0.0f;
  return narrow(s, is_finite(s) ? sign_of(sum_error(p, c, s)) : 0, to);
}

// ---- double: numbers as m * 2^e with m in [0.5, 1) ----

typedef struct {
  double m;
  int e;
} scaled;

static inline scaled split(double x) { // x finite
  scaled r = {x, 0};
  u64 bits = bits_of(x);
  if ((bits << 1) == 0)
    return r;
  if (((bits >> 52) & 0x7ff) == 0) {
    bits = bits_of(x * 0x1p64);
    r.e = -64;
  }
  r.e += (int)((bits >> 52) & 0x7ff) - 1022;
  r.m = from_bits((bits & ~(0x7fful << 52)) | (1022ul << 52));
  return r;
}

// m * 2^e rounded to nearest once. |m| in [0.125, 2), any e. The products are exact up to the last.
static inline double scale(double m, int e) {
  if (e > 1100)
    e = 1100;
  if (e < -1300)
    e = -1300;
  while (e > 900) {
    m *= 0x1p300;
    e -= 300;
  }
  if (e < -900) { // the last product alone may be subnormal
    int half = e + 900 < -300 ? -600 : -300;
    m *= from_bits((u64)(1023 + half) << 52);
    e -= half;
  }
  return m * from_bits((u64)(1023 + e) << 52);
}

// Rounds (m + rest) * 2^e, with |rest| below half a unit of m's last place.
static inline double finish(double m, double rest, int e, direction to) {
  double f = scale(m, e);
  int side;
  if (!is_finite(f)) {
    side = is_negative(f) ? 1 : -1;
  } else if (f == 0) {
    side = sign_of(m);
  } else {
    scaled s = split(f);
    double back = scale(s.m, s.e - e); // f in m's scale, exact
    side = m != back ? sign_of(m - back) : sign_of(rest);
  }
  int by = step(to, side, is_negative(f));
  return by ? neighbour(f, by) : f;
}

static inline double add_f64(double a, double b, direction to) {
  double s = a + b;
  if (!is_finite(a) || !is_finite(b))
    return s;
  if (is_negative_zero_sum(a, b, s, to))
    return -0.0;
  int side = is_finite(s) ? sign_of(sum_error(a, b, s)) : (is_negative(s) ? 1 : -1);
  int by = step(to, side, is_negative(s));
  return by ? neighbour(s, by) : s;
}

static inline double mul_f64(double a, double b, direction to) {
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0)
    return a * b;
  scaled x = split(a), y = split(b);
  double p = x.m * y.m;
  return finish(p, __builtin_fma(x.m, y.m, -p), x.e + y.e, to);
}

static inline double div_f64(double a, double b, direction to) {
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0)
    return a / b;
  scaled x = split(a), y = split(b);
  double q = x.m / y.m;
  double rest = __builtin_fma(-q, y.m, x.m);
  return finish(q, is_negative(y.m) ? -rest : rest, x.e - y.e, to);
}

static inline double sqrt_f64(double a, direction to) {
  if (!is_finite(a) || !(a > 0))
    return __builtin_sqrt(a);
  scaled x = split(a);
  if (x.e & 1) {
    x.m *= 0.5;
    x.e += 1;
  }
  double s = __builtin_sqrt(x.m);
  return finish(s, __builtin_fma(-s, s, x.m), x.e / 2, to);
}

// Adds x to a sum held as n non-overlapping parts, smallest first, exactly.
static inline void grow(double* parts, int n, double x) {
#pragma unroll
  for (int i = 0; i < n; ++i) {
    double s = parts[i] + x;
    parts[i] = sum_error(parts[i], x, s);
    x = s;
  }
  parts[n] = x;
}

static inline double fma_f64(double a, double b, double c, direction to) {
  double f = __builtin_fma(a, b, c);
  if (!is_finite(a) || !is_finite(b) || !is_finite(c))
    return f;
  if (a == 0 || b == 0)
    return add_f64(a * b, c, to);
  if (c == 0)
    return mul_f64(a, b, to);
  int side;
  if (!is_finite(f)) {
    side = is_negative(f) ? 1 : -1;
  } else {
    scaled x = split(a), y = split(b), z = split(c);
    double p = x.m * y.m, rest = __builtin_fma(x.m, y.m, -p);
    int e = x.e + y.e;
    double parts[4];
    if (z.e - e > 200) { // the product only pushes c
      side = sign_of(p);
    } else {
      // When c is far below, only its sign matters.
      double addend = e - z.e > 200 ? sign_of(c) * 0x1p-200 : scale(z.m, z.e - e);
      scaled g = split(f);
      parts[0] = rest;
      grow(parts, 1, p);
      grow(parts, 2, addend);
      grow(parts, 3, f == 0 ? 0.0 : -scale(g.m, g.e - e));
      side = 0;
#pragma unroll
      for (int i = 3; i >= 0; --i)
        if (side == 0)
          side = sign_of(parts[i]);
      if (f == 0 && side == 0)
        return to == DOWN ? -0.0 : 0.0; // a*b = -c exactly; signs differ, as neither is zero
    }
  }
  int by = step(to, side, is_negative(f));
  return by ? neighbour(f, by) : f;
}

// ---- the exported names ----

#define ROUNDED(name, to)                                                                                              \
  EXPORT float __ocml_add_##name##_f32(float a, float b) {                                                             \
    return add_f32(a, b, to);                                                                                          \
  }                                                                                                                    \
  EXPORT float __ocml_sub_##name##_f32(float a, float b) {                                                             \
    return add_f32(a, -b, to);                                                                                         \
  }                                                                                                                    \
  EXPORT float __ocml_mul_##name##_f32(float a, float b) {                                                             \
    return mul_f32(a, b, to);                                                                                          \
  }                                                                                                                    \
  EXPORT float __ocml_div_##name##_f32(float a, float b) {                                                             \
    return div_f32(a, b, to);                                                                                          \
  }                                                                                                                    \
  EXPORT float __ocml_sqrt_##name##_f32(float a) {                                                                     \
    return sqrt_f32(a, to);                                                                                            \
  }                                                                                                                    \
  EXPORT float __ocml_fma_##name##_f32(float a, float b, float c) {                                                    \
    return fma_f32(a, b, c, to);                                                                                       \
  }                                                                                                                    \
  EXPORT double __ocml_add_##name##_f64(double a, double b) {                                                          \
    return add_f64(a, b, to);                                                                                          \
  }                                                                                                                    \
  EXPORT double __ocml_sub_##name##_f64(double a, double b) {                                                          \
    return add_f64(a, -b, to);                                                                                         \
  }                                                                                                                    \
  EXPORT double __ocml_mul_##name##_f64(double a, double b) {                                                          \
    return mul_f64(a, b, to);                                                                                          \
  }                                                                                                                    \
  EXPORT double __ocml_div_##name##_f64(double a, double b) {                                                          \
    return div_f64(a, b, to);                                                                                          \
  }                                                                                                                    \
  EXPORT double __ocml_sqrt_##name##_f64(double a) {                                                                   \
    return sqrt_f64(a, to);                                                                                            \
  }                                                                                                                    \
  EXPORT double __ocml_fma_##name##_f64(double a, double b, double c) {                                                \
    return fma_f64(a, b, c, to);                                                                                       \
  }
ROUNDED(rtn, DOWN)
ROUNDED(rtp, UP)
ROUNDED(rtz, ZERO)

#define NEAREST_F(type, suffix, sqrt_, fma_)                                                                           \
  EXPORT type __ocml_add_rte_##suffix(type a, type b) {                                                                \
    return a + b;                                                                                                      \
  }                                                                                                                    \
  EXPORT type __ocml_sub_rte_##suffix(type a, type b) {                                                                \
    return a - b;                                                                                                      \
  }                                                                                                                    \
  EXPORT type __ocml_mul_rte_##suffix(type a, type b) {                                                                \
    return a * b;                                                                                                      \
  }                                                                                                                    \
  EXPORT type __ocml_div_rte_##suffix(type a, type b) {                                                                \
    return a / b;                                                                                                      \
  }                                                                                                                    \
  EXPORT type __ocml_sqrt_rte_##suffix(type a) {                                                                       \
    return sqrt_(a);                                                                                                   \
  }                                                                                                                    \
  EXPORT type __ocml_fma_rte_##suffix(type a, type b, type c) {                                                        \
    return fma_(a, b, c);                                                                                              \
  }
NEAREST_F(float, f32, __builtin_sqrtf, __builtin_fmaf)
NEAREST_F(double, f64, __builtin_sqrt, __builtin_fma)

static inline _Float16 narrow_f16(float x, direction to) {
  _Float16 h = (_Float16)x;
  float back = h;
  if (x != x || x == back)
    return h;
  int by = step(to, x > back ? 1 : -1, is_negative(back));
  if (by) {
    unsigned short bits;
    __builtin_memcpy(&bits, &h, 2);
    if ((bits & 0x7fff) == 0)
      bits = by < 0 ? 0x8001 : 1;
    else
      bits = (unsigned short)(bits + ((bits >> 15) == (by < 0) ? 1 : -1));
    __builtin_memcpy(&h, &bits, 2);
  }
  return h;
}
EXPORT _Float16 __ocml_cvtrtn_f16_f32(float x) {
  return narrow_f16(x, DOWN);
}
EXPORT _Float16 __ocml_cvtrtp_f16_f32(float x) {
  return narrow_f16(x, UP);
}
EXPORT _Float16 __ocml_cvtrtz_f16_f32(float x) {
  return narrow_f16(x, ZERO);
}
