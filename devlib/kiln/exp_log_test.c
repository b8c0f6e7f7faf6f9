// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares exp_log.c, compiled for the CPU, with libm in double over every 61st float, and with what IEEE says at the
// ends.
#include <math.h>
#include <stdio.h>
#include <string.h>
#define KILN_DEVLIB_NATIVE
#include "exp_log.c"

static double ulps(float got, double want) {
  if (isnan(want) || isnan(got))
    return isnan(want) && isnan(got) ? 0 : 1e9;
  if (isinf((float)want) || want == 0)
    return got == (float)want ? 0 : 1e9;
  int exponent;
  frexp(want, &exponent);
  return fabs(got - want) / ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

static int check(const char* name, float (*function)(float), double (*reference)(double), float x, double* worst) {
  double error = ulps(function(x), reference(x));
  if (error > *worst)
    *worst = error;
  if (error <= 1)
    return 0;
  printf("%s(%a) = %a, not %a: %.2f ulp\n", name, x, function(x), reference(x), error);
  return 1;
}

int main(void) {
  static const float ends[] = {
      0.0f,           -0.0f,        INFINITY, -INFINITY,  NAN,     -1.0f,   1.0f,    0x1p-149f,       0x1p-126f,
      -126.0f,        127.0f,       128.0f,   127.99999f, -149.0f, -149.9f, -150.1f, 0x1.fffffep127f, -3e38f,
      0x1.fffffep-1f, 0x1.000002p0f};
  double worst[2] = {0, 0};
  int failures = 0;
  for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); ++i) {
    failures += check("exp2", __kiln_exp2_f32, exp2, ends[i], &worst[0]);
    failures += check("log2", __kiln_log2_f32, log2, ends[i], &worst[1]);
  }
  for (unsigned long bits = 0; bits < 1ul << 32 && failures < 20; bits += 61) {
    failures += check("exp2", __kiln_exp2_f32, exp2, f32_of((u32)bits), &worst[0]);
    failures += check("log2", __kiln_log2_f32, log2, f32_of((u32)bits), &worst[1]);
  }
  for (u32 bits = 0x3f7f0000; bits < 0x3f810000 && failures < 20; ++bits) // near 1, where log2 is near 0
    failures += check("log2", __kiln_log2_f32, log2, f32_of(bits), &worst[1]);
  printf("worst: exp2 %.3f ulp, log2 %.3f ulp; %d failures\n", worst[0], worst[1], failures);
  return failures != 0;
}
