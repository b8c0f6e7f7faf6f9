/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * bfloat16: the upper half of a float. Stored as 16 bits, computed in float and rounded to nearest even after each
 * operation, with integer code that every device has.
 */
#ifndef HIP_BF16_H
#define HIP_BF16_H

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)

#define __KILN_BF16 static __host__ __device__ __attribute__((always_inline, unused)) inline

__KILN_BF16 constexpr unsigned short __kiln_to_bf16(float x) {
  unsigned bits = __builtin_bit_cast(unsigned, x);
  if (x != x)
    return (unsigned short)(bits >> 16 | 0x40);
  return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
__KILN_BF16 constexpr float __kiln_from_bf16(unsigned short x) {
  return __builtin_bit_cast(float, (unsigned)x << 16);
}

struct __hip_bfloat16_raw {
  unsigned short x;
};
struct __hip_bfloat162_raw {
  unsigned short x, y;
};

struct __hip_bfloat16 {
  unsigned short __x;
  __hip_bfloat16() = default;
  __KILN_BOTH constexpr __hip_bfloat16(const __hip_bfloat16_raw& raw) : __x(raw.x) {}
  template <typename T, typename = typename __kiln_if<__is_arithmetic(T)>::type>
  __KILN_BOTH constexpr __hip_bfloat16(T value) : __x(__kiln_to_bf16(static_cast<float>(value))) {}
  __KILN_BOTH constexpr operator float() const { return __kiln_from_bf16(__x); }
  template <typename T, typename = typename __kiln_if<__is_arithmetic(T) && !__is_same(T, float)>::type>
  __KILN_BOTH explicit constexpr operator T() const {
    return static_cast<T>(__kiln_from_bf16(__x));
  }
  __KILN_BOTH constexpr operator __hip_bfloat16_raw() const { return __hip_bfloat16_raw{__x}; }
  __KILN_BOTH constexpr __hip_bfloat16 operator+() const { return *this; }
  __KILN_BOTH constexpr __hip_bfloat16 operator-() const { return __hip_bfloat16_raw{(unsigned short)(__x ^ 0x8000)}; }
#define __KILN_OP(assign, op)                                                                                          \
  template <typename T> __KILN_BOTH __KILN_CONSTEXPR __hip_bfloat16& operator assign(T b) {                            \
    return *this = __hip_bfloat16((float)*this op static_cast<float>(b));                                              \
  }
  __KILN_OP(+=, +)
  __KILN_OP(-=, -)
  __KILN_OP(*=, *)
  __KILN_OP(/=, /)
#undef __KILN_OP
};

template <typename T, bool number = __is_arithmetic(T)> struct __kiln_bf16_with {};
template <typename T> struct __kiln_bf16_with<T, true> {
  typedef __hip_bfloat16 type;
};
template <> struct __kiln_bf16_with<float, true> {
  typedef float type;
};
template <> struct __kiln_bf16_with<double, true> {
  typedef double type;
};
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH constexpr __hip_bfloat16 operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {                 \
    return __hip_bfloat16((float)a op(float) b);                                                                       \
  }                                                                                                                    \
  template <typename T, typename R = typename __kiln_bf16_with<T>::type>                                               \
  __KILN_BOTH constexpr R operator op(const __hip_bfloat16& a, T b) {                                                  \
    return static_cast<R>(a) op static_cast<R>(b);                                                                     \
  }                                                                                                                    \
  template <typename T, typename R = typename __kiln_bf16_with<T>::type>                                               \
  __KILN_BOTH constexpr R operator op(T a, const __hip_bfloat16& b) {                                                  \
    return static_cast<R>(a) op static_cast<R>(b);                                                                     \
  }
__KILN_OP(+)
__KILN_OP(-)
__KILN_OP(*)
__KILN_OP(/)
#undef __KILN_OP
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH constexpr bool operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {                           \
    return (float)a op(float) b;                                                                                       \
  }                                                                                                                    \
  template <typename T, typename = typename __kiln_if<__is_arithmetic(T)>::type>                                       \
  __KILN_BOTH constexpr bool operator op(const __hip_bfloat16& a, T b) {                                               \
    return (float)a op b;                                                                                              \
  }                                                                                                                    \
  template <typename T, typename = typename __kiln_if<__is_arithmetic(T)>::type>                                       \
  __KILN_BOTH constexpr bool operator op(T a, const __hip_bfloat16& b) {                                               \
    return a op(float) b;                                                                                              \
  }
__KILN_OP(==)
__KILN_OP(!=)
__KILN_OP(<)
__KILN_OP(<=)
__KILN_OP(>)
__KILN_OP(>=)
#undef __KILN_OP

struct alignas(4) __hip_bfloat162 {
  __hip_bfloat16 x, y;
  __hip_bfloat162() = default;
  __KILN_BOTH constexpr __hip_bfloat162(const __hip_bfloat16& a, const __hip_bfloat16& b) : x(a), y(b) {}
  __KILN_BOTH constexpr __hip_bfloat162(const __hip_bfloat162_raw& raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
};

// Conversions
__KILN_BF16 __hip_bfloat16 __float2bfloat16(float x) {
  return __hip_bfloat16(x);
}
__KILN_BF16 __hip_bfloat16 __float2bfloat16_rn(float x) {
  return __hip_bfloat16(x);
}
__KILN_BF16 __hip_bfloat16 __double2bfloat16(double x) {
  return __hip_bfloat16(x);
}
__KILN_BF16 float __bfloat162float(__hip_bfloat16 x) {
  return x;
}
__KILN_BF16 unsigned short __bfloat16_as_ushort(__hip_bfloat16 x) {
  return x.__x;
}
__KILN_BF16 short __bfloat16_as_short(__hip_bfloat16 x) {
  return (short)x.__x;
}
__KILN_BF16 __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __hip_bfloat16_raw{x};
}
__KILN_BF16 __hip_bfloat16 __short_as_bfloat16(short x) {
  return __hip_bfloat16_raw{(unsigned short)x};
}
__KILN_BF16 __hip_bfloat162 make_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hip_bfloat162(a, b);
}
__KILN_BF16 __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hip_bfloat162(a, b);
}
__KILN_BF16 __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) {
  return __hip_bfloat162(a, a);
}
__KILN_BF16 __hip_bfloat162 __float2bfloat162_rn(float a) {
  return __hip_bfloat162(a, a);
}
__KILN_BF16 __hip_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __hip_bfloat162(a, b);
}
__KILN_BF16 __hip_bfloat162 __float22bfloat162_rn(float2 a) {
  return __hip_bfloat162(a.x, a.y);
}
__KILN_BF16 float2 __bfloat1622float2(__hip_bfloat162 a) {
  return float2((float)a.x, (float)a.y);
}
__KILN_BF16 float __low2float(__hip_bfloat162 a) {
  return a.x;
}
__KILN_BF16 float __high2float(__hip_bfloat162 a) {
  return a.y;
}
__KILN_BF16 __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) {
  return a.x;
}
__KILN_BF16 __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) {
  return a.y;
}

// Arithmetic and comparison by name
#define __KILN_NAMED(name, op)                                                                                         \
  __KILN_BF16 __hip_bfloat16 __h##name(__hip_bfloat16 a, __hip_bfloat16 b) {                                           \
    return a op b;                                                                                                     \
  }                                                                                                                    \
  __KILN_BF16 __hip_bfloat162 operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) {                        \
    return __hip_bfloat162(a.x op b.x, a.y op b.y);                                                                    \
  }
__KILN_NAMED(add, +)
__KILN_NAMED(sub, -)
__KILN_NAMED(mul, *)
__KILN_NAMED(div, /)
#undef __KILN_NAMED
__KILN_BF16 __hip_bfloat162 __hadd2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a + b;
}
__KILN_BF16 __hip_bfloat162 __hsub2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a - b;
}
__KILN_BF16 __hip_bfloat162 __hmul2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a * b;
}
__KILN_BF16 __hip_bfloat162 __h2div(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a / b;
}
__KILN_BF16 __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __builtin_fmaf(a, b, c);
}
__KILN_BF16 __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return __hip_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__KILN_BF16 __hip_bfloat16 __hneg(__hip_bfloat16 a) {
  return -a;
}
__KILN_BF16 __hip_bfloat16 __habs(__hip_bfloat16 a) {
  return __hip_bfloat16_raw{(unsigned short)(a.__x & 0x7fff)};
}
__KILN_BF16 bool __hisnan(__hip_bfloat16 a) {
  return (a.__x & 0x7fff) > 0x7f80;
}
__KILN_BF16 bool __hisinf(__hip_bfloat16 a) {
  return (a.__x & 0x7fff) == 0x7f80;
}
__KILN_BF16 __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hisnan(a) || b < a ? b : a;
}
__KILN_BF16 __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hisnan(a) || b > a ? b : a;
}
#define __KILN_COMPARE(name, op)                                                                                       \
  __KILN_BF16 bool __h##name(__hip_bfloat16 a, __hip_bfloat16 b) {                                                     \
    return a op b;                                                                                                     \
  }
__KILN_COMPARE(eq, ==)
__KILN_COMPARE(ne, !=)
__KILN_COMPARE(lt, <)
__KILN_COMPARE(le, <=)
__KILN_COMPARE(gt, >)
__KILN_COMPARE(ge, >=)
#undef __KILN_COMPARE

// Mathematics, in float
#define __KILN_MATH(name, function)                                                                                    \
  __KILN_DEVICE __hip_bfloat16 h##name(__hip_bfloat16 x) {                                                             \
    return function((float)x);                                                                                         \
  }                                                                                                                    \
  __KILN_DEVICE __hip_bfloat162 h2##name(__hip_bfloat162 x) {                                                          \
    return __hip_bfloat162(h##name(x.x), h##name(x.y));                                                                \
  }
__KILN_MATH(exp, expf)
__KILN_MATH(exp2, exp2f)
__KILN_MATH(exp10, exp10f)
__KILN_MATH(log, logf)
__KILN_MATH(log2, log2f)
__KILN_MATH(log10, log10f)
__KILN_MATH(sin, sinf)
__KILN_MATH(cos, cosf)
__KILN_MATH(sqrt, sqrtf)
__KILN_MATH(rsqrt, rsqrtf)
__KILN_MATH(floor, floorf)
__KILN_MATH(ceil, ceilf)
__KILN_MATH(trunc, truncf)
__KILN_MATH(rint, rintf)
#undef __KILN_MATH

// Two are one word in memory: a loop over compare-and-exchange, correct on every device.
__KILN_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  unsigned* word = (unsigned*)address;
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __hip_bfloat162 sum = __builtin_bit_cast(__hip_bfloat162, old) + value;
    unsigned seen = atomicCAS(word, old, __builtin_bit_cast(unsigned, sum));
    if (seen == old)
      return __builtin_bit_cast(__hip_bfloat162, old);
    old = seen;
  }
}
__KILN_DEVICE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return atomicAdd(address, value);
}

#endif
#endif
