// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math library against the host's libm in double (or long double) precision, in units in the last place; OpenCL's table
// of maximum errors is the bound. Integer intrinsics against plain C++.
#include "check.h"

#include <cfloat>
#include <cmath>
#include <cstdint>

enum { functions = 22 };

template <class T> __global__ void evaluate(const T* x, const T* y, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T a = x[i], b = y[i], p = fabs(a) + T(0.001);
  T* r = out + size_t(i) * functions;
  r[0] = sin(a);      r[1] = cos(a);       r[2] = tan(a);      r[3] = exp(a * T(0.1));
  r[4] = log(p);      r[5] = pow(p, b);    r[6] = sqrt(p);     r[7] = cbrt(a);
  r[8] = atan2(a, b); r[9] = asin(a / T(200)); r[10] = sinh(b); r[11] = tanh(a);
  r[12] = erf(b);     r[13] = tgamma(fabs(b) + T(1)); r[14] = log2(p); r[15] = exp2(b);
  r[16] = fmod(a, b); r[17] = hypot(a, b); r[18] = log1p(p);   r[19] = expm1(b);
  r[20] = fma(a, b, p); r[21] = a / b;
}

template <class T> long double reference(int f, T x, T y) {
  T p = std::fabs(x) + T(0.001);
  long double a = x, b = y, q = p;
  switch (f) {
  case 0: return std::sin(a);
  case 1: return std::cos(a);
  case 2: return std::tan(a);
  case 3: return std::exp((long double)(T(x * T(0.1))));
  case 4: return std::log(q);
  case 5: return std::pow(q, b);
  case 6: return std::sqrt(q);
  case 7: return std::cbrt(a);
  case 8: return std::atan2(a, b);
  case 9: return std::asin((long double)(T(x / T(200))));
  case 10: return std::sinh(b);
  case 11: return std::tanh(a);
  case 12: return std::erf(b);
  case 13: return std::tgamma((long double)(T(std::fabs(y) + T(1))));
  case 14: return std::log2(q);
  case 15: return std::exp2(b);
  case 16: return std::fmod(a, b);
  case 17: return std::hypot(a, b);
  case 18: return std::log1p(q);
  case 19: return std::expm1(b);
  case 20: return a * b + q;
  default: return a / b;
  }
}

template <class T> void check_math(const double* bounds) {
  int n = 4000;
  std::vector<T> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = T((i - n / 2) * 0.0931 + 0.017);
    y[i] = T((i * 37 % n - n / 2) * 0.0023 + 0.0011);
  }
  check::Buffer<T> dx(x), dy(y), out(size_t(n) * functions);
  evaluate<T><<<(n + 63) / 64, 64>>>(dx, dy, out, n);
  FINISH();
  auto got = out.get();
  for (int f = 0; f < functions; ++f) {
    double worst = 0;
    int at = 0;
    for (int i = 0; i < n; ++i) {
      long double expected = reference<T>(f, x[i], y[i]);
      T rounded = T(expected);
      long double ulp = std::fabs((long double)std::nextafter(rounded, T(INFINITY)) - rounded);
      double error = double(std::fabs((long double)got[size_t(i) * functions + f] - expected) / ulp);
      if (!(error <= worst)) {
        worst = error;
        at = i;
      }
    }
    if (!(worst <= bounds[f]))
      std::fprintf(stderr, "function %d at x=%g y=%g: %g ulp\n", f, double(x[at]), double(y[at]), worst);
    CHECK(worst <= bounds[f]);
  }
}

//                            sin cos tan exp log pow sqrt cbrt atan2 asin sinh tanh erf tgamma log2 exp2 fmod hypot log1p expm1 fma div
static const double ocl[] = {4, 4, 5, 3, 3, 16, 3, 2, 6, 4, 4, 5, 16, 16, 3, 3, 0, 4, 2, 3, 0.5, 2.5};

TEST(float_functions) { check_math<float>(ocl); }
TEST(double_functions) { check_math<double>(ocl); }

__global__ void specials(double* out) {
  double inf = 1.0 / out[0], nan = inf - inf; // out[0] is 0
  out[1] = isnan(nan);
  out[2] = isinf(-inf);
  out[3] = isfinite(1.0);
  out[4] = fmin(nan, 3.0);
  out[5] = fmax(2.0, nan);
  out[6] = copysign(3.0, -0.0);
  out[7] = rint(2.5);
  out[8] = round(2.5);
  out[9] = floor(-0.5);
  out[10] = trunc(-1.7);
  int exponent;
  out[11] = frexp(48.0, &exponent);
  out[12] = exponent;
  out[13] = ldexp(0.75, 6);
  out[14] = signbit(-0.0);
  out[15] = pow(0.0, 0.0);
  out[16] = fdim(5.0, 3.0);
  out[17] = nextafter(1.0, 2.0) - 1.0;
}

TEST(special_values) {
  check::Buffer<double> out(18);
  specials<<<1, 1>>>(out);
  FINISH();
  auto got = out.get();
  double expected[] = {0, 1, 1, 1, 3, 2, -3, 2, 3, -1, -1, 0.75, 6, 48, 1, 1, 2, DBL_EPSILON};
  for (int i = 1; i < 18; ++i)
    CHECK_EQ(got[i], expected[i]);
}

__global__ void integers(const unsigned* x, const unsigned* y, long long* out, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  unsigned a = x[i], b = y[i];
  unsigned long long w = (unsigned long long)a << 32 | b;
  long long* r = out + i * 18;
  r[0] = __popc(a);            r[1] = __popcll(w);         r[2] = __clz(a);           r[3] = __clzll(w);
  r[4] = __ffs(a);             r[5] = __ffsll(w);          r[6] = __brev(a);          r[7] = (long long)__brevll(w);
  r[8] = __mul24(int(a), int(b)); r[9] = __umul24(a, b);   r[10] = __mulhi(int(a), int(b)); r[11] = __umulhi(a, b);
  r[12] = __sad(int(a), int(b), 7u); r[13] = __hadd(int(a), int(b)); r[14] = __byte_perm(a, b, 0x5142);
  r[15] = __funnelshift_l(a, b, a & 31); r[16] = (long long)__umul64hi(w, w | 1); r[17] = __float_as_int(__int_as_float(int(a)));
}

static int low24(unsigned x) { return int(x << 8) >> 8; }

TEST(integer_intrinsics) {
  std::vector<unsigned> x{0, 1, 0xffffffff, 0x80000000, 0x12345678, 0x00ff00ff, 0x7f, 0xdeadbeef}, y{5, 0, 0xffffffff, 0x7fffffff, 0x9abcdef0, 3, 0x80000001, 0xcafebabe};
  int n = int(x.size());
  check::Buffer<unsigned> dx(x), dy(y);
  check::Buffer<long long> out(n * 18);
  integers<<<1, 64>>>(dx, dy, out, n);
  FINISH();
  auto got = out.get();
  for (int i = 0; i < n; ++i) {
    unsigned a = x[i], b = y[i];
    uint64_t w = uint64_t(a) << 32 | b;
    auto reverse = [](uint64_t v, int bits) {
      uint64_t r = 0;
      for (int k = 0; k < bits; ++k)
        r |= (v >> k & 1) << (bits - 1 - k);
      return r;
    };
    uint64_t both = uint64_t(b) << 32 | a;
    unsigned permuted = 0;
    for (int k = 0; k < 4; ++k)
      permuted |= unsigned(both >> (0x5142 >> (4 * k) & 7) * 8 & 0xff) << (8 * k);
    long long expected[18] = {
        __builtin_popcount(a), __builtin_popcountll(w), a ? __builtin_clz(a) : 32, w ? __builtin_clzll(w) : 64,
        __builtin_ffs(int(a)), __builtin_ffsll((long long)w), (long long)(unsigned)reverse(a, 32), (long long)reverse(w, 64),
        int(unsigned(low24(a)) * unsigned(low24(b))), (a & 0xffffff) * (b & 0xffffff), int((int64_t(int(a)) * int(b)) >> 32),
        (long long)(uint64_t(a) * b >> 32), 7u + unsigned(std::llabs((long long)int(a) - int(b))), (int64_t(int(a)) + int(b)) >> 1, permuted,
        (a & 31) ? (b << (a & 31) | a >> (32 - (a & 31))) : b, (long long)(uint64_t)((unsigned __int128)w * (w | 1) >> 64), int(a)};
    for (int k = 0; k < 18; ++k) {
      if (got[i * 18 + k] != expected[k])
        std::fprintf(stderr, "intrinsic %d of %x, %x: %llx, not %llx\n", k, a, b, got[i * 18 + k], expected[k]);
      CHECK(got[i * 18 + k] == expected[k]);
    }
  }
}
