// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares rounded.c, compiled for the CPU, with the CPU's own rounding modes: special values in all pairs, then random
// bits.
#include <fenv.h>
#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define KILN_DEVLIB_NATIVE
#include "rounded.c"
#pragma STDC FENV_ACCESS ON

static unsigned long state = 88172645463325252ul;
static unsigned long random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
static unsigned long failures, checks;

static double random_f64(int i) {
  static const double special[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   0x1p-1074,
                                   -0x1p-1074,
                                   0x1p-1022,
                                   0x1.fffffffffffffp1023,
                                   -0x1.fffffffffffffp1023,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   3.0,
                                   0x1.0000000000001p0,
                                   0x1p-537,
                                   0x1p512};
  unsigned long bits = random_bits();
  if (i % 4 == 0)
    return special[bits % 16];
  if (i % 4 == 1) // near 1, where cancellation happens
    return (bits & 1 ? -1 : 1) * (1.0 + (double)(bits >> 1 & 63) * 0x1p-52);
  if (i % 4 == 2) // subnormal neighbourhood
    bits &= 0x807ffffffffffffful;
  double x;
  memcpy(&x, &bits, 8);
  return x;
}
static float random_f32(int i) {
  unsigned bits = (unsigned)(random_bits() >> 20);
  static const float special[] = {0,        -0.0f,     1,   -1, 0x1p-149f, 0x1p-126f, 0x1.fffffep127f,
                                  INFINITY, -INFINITY, NAN, 3,  0x1p-75f};
  if (i % 4 == 0)
    return special[bits % 12];
  if (i % 4 == 1)
    return (bits & 1 ? -1.0f : 1.0f) * (1.0f + (float)(bits >> 1 & 63) * 0x1p-23f);
  if (i % 4 == 2)
    bits &= 0x80ffffff;
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

// NaNs are equal, zeros of different sign are not.
static void check_f64(const char* what, double a, double b, double c, double got, double want) {
  ++checks;
  if (memcmp(&got, &want, 8) != 0 && !(got != got && want != want) && failures++ < 10)
    printf("%s(%a, %a, %a) = %a, not %a\n", what, a, b, c, got, want);
}
static void check_f32(const char* what, float a, float b, float c, float got, float want) {
  ++checks;
  if (memcmp(&got, &want, 4) != 0 && !(got != got && want != want) && failures++ < 10)
    printf("%s(%a, %a, %a) = %a, not %a\n", what, a, b, c, got, want);
}

#define CHECK(T, suffix, mode, name, call, expression)                                                                 \
  do {                                                                                                                 \
    volatile T va = a, vb = b, vc = c;                                                                                 \
    (void)va, (void)vb, (void)vc;                                                                                      \
    fesetround(mode);                                                                                                  \
    volatile T want = expression;                                                                                      \
    fesetround(FE_TONEAREST);                                                                                          \
    check_##suffix(name, a, b, c, call, want);                                                                         \
  } while (0)
#define CHECK_MODE(T, suffix, mode, r, fma_, sqrt_)                                                                    \
  CHECK(T, suffix, mode, "add_" #r, __ocml_add_##r##_##suffix(a, b), va + vb);                                         \
  CHECK(T, suffix, mode, "sub_" #r, __ocml_sub_##r##_##suffix(a, b), va - vb);                                         \
  CHECK(T, suffix, mode, "mul_" #r, __ocml_mul_##r##_##suffix(a, b), va* vb);                                          \
  CHECK(T, suffix, mode, "div_" #r, __ocml_div_##r##_##suffix(a, b), va / vb);                                         \
  CHECK(T, suffix, mode, "sqrt_" #r, __ocml_sqrt_##r##_##suffix(a), sqrt_(va));                                        \
  CHECK(T, suffix, mode, "fma_" #r, __ocml_fma_##r##_##suffix(a, b, c), fma_(va, vb, vc));

int main(int argc, char** argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 400000;
  for (long i = 0; i < rounds; ++i) {
    {
      double a = random_f64((int)(random_bits() % 64)), b = random_f64((int)(random_bits() % 64)),
             c = random_f64((int)(random_bits() % 64));
      if (i % 3 == 0) // a product that nearly cancels
        c = -(a * b);
      CHECK_MODE(double, f64, FE_DOWNWARD, rtn, fma, sqrt)
      CHECK_MODE(double, f64, FE_UPWARD, rtp, fma, sqrt)
      CHECK_MODE(double, f64, FE_TOWARDZERO, rtz, fma, sqrt)
      CHECK_MODE(double, f64, FE_TONEAREST, rte, fma, sqrt)
    }
    {
      float a = random_f32((int)(random_bits() % 64)), b = random_f32((int)(random_bits() % 64)),
            c = random_f32((int)(random_bits() % 64));
      if (i % 3 == 0)
        c = -(a * b);
      CHECK_MODE(float, f32, FE_DOWNWARD, rtn, fmaf, sqrtf)
      CHECK_MODE(float, f32, FE_UPWARD, rtp, fmaf, sqrtf)
      CHECK_MODE(float, f32, FE_TOWARDZERO, rtz, fmaf, sqrtf)
      CHECK_MODE(float, f32, FE_TONEAREST, rte, fmaf, sqrtf)
    }
  }
  for (long i = 0; i < rounds; ++i) { // F16C rounds in any direction
    float x = random_f32((int)(random_bits() % 64));
    if (i & 1) // where half has its values
      x = ldexpf(1.0f + (float)(random_bits() & 0x7fffff) * 0x1p-23f, (int)(random_bits() % 45) - 28) *
          (i & 2 ? 1 : -1);
    unsigned short want[3] = {_cvtss_sh(x, _MM_FROUND_TO_NEG_INF), _cvtss_sh(x, _MM_FROUND_TO_POS_INF),
                              _cvtss_sh(x, _MM_FROUND_TO_ZERO)};
    _Float16 got[3] = {__ocml_cvtrtn_f16_f32(x), __ocml_cvtrtp_f16_f32(x), __ocml_cvtrtz_f16_f32(x)};
    for (int k = 0; k < 3; ++k) {
      ++checks;
      if (memcmp(&got[k], &want[k], 2) != 0 && x == x && failures++ < 10)
        printf("cvt mode %d of %a = %a\n", k, x, (double)got[k]);
    }
  }
  printf("%lu checks, %lu failures\n", checks, failures);
  return failures != 0;
}
