// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with directed rounding, against the CPU's own rounding modes.
#include "check.h"

#include <cfenv>
#include <cmath>
#include <cstdint>

enum { operations = 6, modes = 4 }; // add sub mul div sqrt fma; n d u z

#define ALL(f, suffix)                                                                                                 \
  out[0] = __##f##add_##suffix(a, b), out[1] = __##f##sub_##suffix(a, b), out[2] = __##f##mul_##suffix(a, b),          \
  out[3] = __##f##div_##suffix(a, b)

__global__ void run_float(const float* in, float* result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  float* out = result + i * operations * modes;
  ALL(f, rn), out[4] = __fsqrt_rn(a), out[5] = __fmaf_rn(a, b, c), out += operations;
  ALL(f, rd), out[4] = __fsqrt_rd(a), out[5] = __fmaf_rd(a, b, c), out += operations;
  ALL(f, ru), out[4] = __fsqrt_ru(a), out[5] = __fmaf_ru(a, b, c), out += operations;
  ALL(f, rz), out[4] = __fsqrt_rz(a), out[5] = __fmaf_rz(a, b, c);
}
__global__ void run_double(const double* in, double* result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  double* out = result + i * operations * modes;
  ALL(d, rn), out[4] = __dsqrt_rn(a), out[5] = __fma_rn(a, b, c), out += operations;
  ALL(d, rd), out[4] = __dsqrt_rd(a), out[5] = __fma_rd(a, b, c), out += operations;
  ALL(d, ru), out[4] = __dsqrt_ru(a), out[5] = __fma_ru(a, b, c), out += operations;
  ALL(d, rz), out[4] = __dsqrt_rz(a), out[5] = __fma_rz(a, b, c);
}

// volatile: the compiler must neither compute these itself nor move them across the change of mode.
template <class T> static T expected(int mode, int operation, T x, T y, T z) {
  const int names[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  volatile T a = x, b = y, c = z, result = 0;
  std::fesetround(names[mode]);
  switch (operation) {
  case 0:
    result = a + b;
    break;
  case 1:
    result = a - b;
    break;
  case 2:
    result = a * b;
    break;
  case 3:
    result = a / b;
    break;
  case 4:
    result = std::sqrt(a);
    break;
  default:
    result = std::fma(a, b, c);
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T, class Bits> static void compare(void (*kernel)(const T*, T*, int)) {
  const int n = 4096;
  std::vector<T> in(3 * n);
  uint64_t state = 88172645463325252ull;
  for (T& x : in) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    x = T(1) + T(state % 1000003) / T(1000003) * (state >> 40 & 1 ? T(1e-3) : T(1));
    if (state >> 41 & 1)
      x *= T(1e10);
    if ((state >> 42 & 7) == 0)
      x = -x;
  }
  in[0] = 0, in[1] = T(-0.0), in[3] = 1, in[4] = T(-1), in[6] = T(INFINITY), in[9] = 1, in[10] = 0;
  check::Buffer<T> given(in), got(n * operations * modes);
  kernel<<<n / 256, 256>>>(given, got, n);
  FINISH();
  auto results = got.get();
  int directed = 0;
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < modes; ++mode)
      for (int operation = 0; operation < operations; ++operation) {
        T result = results[(i * modes + mode) * operations + operation];
        T wanted = expected(mode, operation, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
        directed += mode != 0 && wanted != expected(0, operation, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
        if (wanted != wanted)
          CHECK(result != result);
        else
          CHECK_EQ((unsigned long long)__builtin_bit_cast(Bits, result),
                   (unsigned long long)__builtin_bit_cast(Bits, wanted));
      }
  CHECK(directed > n); // the modes do differ on these numbers
}

TEST(float_arithmetic) {
  compare<float, uint32_t>(run_float);
}
TEST(double_arithmetic) {
  compare<double, uint64_t>(run_double);
}
