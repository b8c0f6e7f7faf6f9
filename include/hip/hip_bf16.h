/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * bfloat16: the upper half of a float. Stored as 16 bits, computed in float and rounded to nearest even after each
 * operation, with integer code that every device has.
 */
#ifndef HIP_BF16_H
#define HIP_BF16_H

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)

#define __KILN_BF16 static __host__ __device__ __attribute__((__always_inline__, __unused__)) inline

__KILN_BF16 constexpr unsigned short __kiln_to_bf16(float __x) {
  unsigned __bits = __builtin_bit_cast(unsigned, __x);
  if (__x != __x)
    return (unsigned short)(__bits >> 16 | 0x40);
  return (unsigned short)((__bits + 0x7fff + (__bits >> 16 & 1)) >> 16);
}
__KILN_BF16 constexpr float __kiln_from_bf16(unsigned short __x) {
  return __builtin_bit_cast(float, (unsigned)__x << 16);
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
  __KILN_BOTH constexpr __hip_bfloat16(const __hip_bfloat16_raw& __raw) : __x(__raw.x) {}
  template <typename __T, typename = typename __kiln_if<__is_arithmetic(__T)>::__type>
  __KILN_BOTH constexpr __hip_bfloat16(__T __value) : __x(__kiln_to_bf16(static_cast<float>(__value))) {}
  __KILN_BOTH constexpr operator float() const { return __kiln_from_bf16(__x); }
  template <typename __T, typename = typename __kiln_if<__is_arithmetic(__T) && !__is_same(__T, float)>::__type>
  __KILN_BOTH explicit constexpr operator __T() const {
    return static_cast<__T>(__kiln_from_bf16(__x));
  }
  __KILN_BOTH constexpr operator __hip_bfloat16_raw() const { return __hip_bfloat16_raw{__x}; }
  __KILN_BOTH constexpr __hip_bfloat16 operator+() const { return *this; }
  __KILN_BOTH constexpr __hip_bfloat16 operator-() const { return __hip_bfloat16_raw{(unsigned short)(__x ^ 0x8000)}; }
#define __KILN_OP(assign, op)                                                                                          \
  template <typename __T> __KILN_BOTH __KILN_CONSTEXPR __hip_bfloat16& operator assign(__T __b) {                      \
    return *this = __hip_bfloat16((float)*this op static_cast<float>(__b));                                            \
  }
  __KILN_OP(+=, +)
  __KILN_OP(-=, -)
  __KILN_OP(*=, *)
  __KILN_OP(/=, /)
#undef __KILN_OP
};

template <typename __T, bool __number = __is_arithmetic(__T)> struct __kiln_bf16_with {};
template <typename __T> struct __kiln_bf16_with<__T, true> {
  typedef __hip_bfloat16 __type;
};
template <> struct __kiln_bf16_with<float, true> {
  typedef float __type;
};
template <> struct __kiln_bf16_with<double, true> {
  typedef double __type;
};
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH constexpr __hip_bfloat16 operator op(const __hip_bfloat16& __a, const __hip_bfloat16& __b) {             \
    return __hip_bfloat16((float)__a op(float) __b);                                                                   \
  }                                                                                                                    \
  template <typename __T, typename __R = typename __kiln_bf16_with<__T>::__type>                                       \
  __KILN_BOTH constexpr __R operator op(const __hip_bfloat16& __a, __T __b) {                                          \
    return static_cast<__R>(__a) op static_cast<__R>(__b);                                                             \
  }                                                                                                                    \
  template <typename __T, typename __R = typename __kiln_bf16_with<__T>::__type>                                       \
  __KILN_BOTH constexpr __R operator op(__T __a, const __hip_bfloat16& __b) {                                          \
    return static_cast<__R>(__a) op static_cast<__R>(__b);                                                             \
  }
__KILN_OP(+)
__KILN_OP(-)
__KILN_OP(*)
__KILN_OP(/)
#undef __KILN_OP
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH constexpr bool operator op(const __hip_bfloat16& __a, const __hip_bfloat16& __b) {                       \
    return (float)__a op(float) __b;                                                                                   \
  }                                                                                                                    \
  template <typename __T, typename = typename __kiln_if<__is_arithmetic(__T)>::__type>                                 \
  __KILN_BOTH constexpr bool operator op(const __hip_bfloat16& __a, __T __b) {                                         \
    return (float)__a op __b;                                                                                          \
  }                                                                                                                    \
  template <typename __T, typename = typename __kiln_if<__is_arithmetic(__T)>::__type>                                 \
  __KILN_BOTH constexpr bool operator op(__T __a, const __hip_bfloat16& __b) {                                         \
    return __a op(float) __b;                                                                                          \
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
  __KILN_BOTH constexpr __hip_bfloat162(const __hip_bfloat16& __a, const __hip_bfloat16& __b) : x(__a), y(__b) {}
  __KILN_BOTH constexpr __hip_bfloat162(const __hip_bfloat162_raw& __raw)
      : x(__hip_bfloat16_raw{__raw.x}), y(__hip_bfloat16_raw{__raw.y}) {}
};

// Conversions
__KILN_BF16 __hip_bfloat16 __float2bfloat16(float __x) {
  return __hip_bfloat16(__x);
}
__KILN_BF16 __hip_bfloat16 __float2bfloat16_rn(float __x) {
  return __hip_bfloat16(__x);
}
__KILN_BF16 __hip_bfloat16 __double2bfloat16(double __x) {
  return __hip_bfloat16(__x);
}
__KILN_BF16 float __bfloat162float(__hip_bfloat16 __x) {
  return __x;
}
__KILN_BF16 unsigned short __bfloat16_as_ushort(__hip_bfloat16 __x) {
  return __x.__x;
}
__KILN_BF16 short __bfloat16_as_short(__hip_bfloat16 __x) {
  return (short)__x.__x;
}
__KILN_BF16 __hip_bfloat16 __ushort_as_bfloat16(unsigned short __x) {
  return __hip_bfloat16_raw{__x};
}
__KILN_BF16 __hip_bfloat16 __short_as_bfloat16(short __x) {
  return __hip_bfloat16_raw{(unsigned short)__x};
}
__KILN_BF16 __hip_bfloat162 make_bfloat162(__hip_bfloat16 __a, __hip_bfloat16 __b) {
  return __hip_bfloat162(__a, __b);
}
__KILN_BF16 __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 __a, __hip_bfloat16 __b) {
  return __hip_bfloat162(__a, __b);
}
__KILN_BF16 __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 __a) {
  return __hip_bfloat162(__a, __a);
}
__KILN_BF16 __hip_bfloat162 __float2bfloat162_rn(float __a) {
  return __hip_bfloat162(__a, __a);
}
__KILN_BF16 __hip_bfloat162 __floats2bfloat162_rn(float __a, float __b) {
  return __hip_bfloat162(__a, __b);
}
__KILN_BF16 __hip_bfloat162 __float22bfloat162_rn(float2 __a) {
  return __hip_bfloat162(__a.x, __a.y);
}
__KILN_BF16 float2 __bfloat1622float2(__hip_bfloat162 __a) {
  return float2((float)__a.x, (float)__a.y);
}
__KILN_BF16 float __low2float(__hip_bfloat162 __a) {
  return __a.x;
}
__KILN_BF16 float __high2float(__hip_bfloat162 __a) {
  return __a.y;
}
__KILN_BF16 __hip_bfloat16 __low2bfloat16(__hip_bfloat162 __a) {
  return __a.x;
}
__KILN_BF16 __hip_bfloat16 __high2bfloat16(__hip_bfloat162 __a) {
  return __a.y;
}

// Arithmetic and comparison by name
#define __KILN_NAMED(name, op)                                                                                         \
  __KILN_BF16 __hip_bfloat16 __h##name(__hip_bfloat16 __a, __hip_bfloat16 __b) {                                       \
    return __a op __b;                                                                                                 \
  }                                                                                                                    \
  __KILN_BF16 __hip_bfloat162 operator op(const __hip_bfloat162& __a, const __hip_bfloat162& __b) {                    \
    return __hip_bfloat162(__a.x op __b.x, __a.y op __b.y);                                                            \
  }
__KILN_NAMED(add, +)
__KILN_NAMED(sub, -)
__KILN_NAMED(mul, *)
__KILN_NAMED(div, /)
#undef __KILN_NAMED
__KILN_BF16 __hip_bfloat162 __hadd2(__hip_bfloat162 __a, __hip_bfloat162 __b) {
  return __a + __b;
}
__KILN_BF16 __hip_bfloat162 __hsub2(__hip_bfloat162 __a, __hip_bfloat162 __b) {
  return __a - __b;
}
__KILN_BF16 __hip_bfloat162 __hmul2(__hip_bfloat162 __a, __hip_bfloat162 __b) {
  return __a * __b;
}
__KILN_BF16 __hip_bfloat162 __h2div(__hip_bfloat162 __a, __hip_bfloat162 __b) {
  return __a / __b;
}
__KILN_BF16 __hip_bfloat16 __hfma(__hip_bfloat16 __a, __hip_bfloat16 __b, __hip_bfloat16 __c) {
  return __builtin_fmaf(__a, __b, __c);
}
__KILN_BF16 __hip_bfloat162 __hfma2(__hip_bfloat162 __a, __hip_bfloat162 __b, __hip_bfloat162 __c) {
  return __hip_bfloat162(__hfma(__a.x, __b.x, __c.x), __hfma(__a.y, __b.y, __c.y));
}
__KILN_BF16 __hip_bfloat16 __hneg(__hip_bfloat16 __a) {
  return -__a;
}
__KILN_BF16 __hip_bfloat16 __habs(__hip_bfloat16 __a) {
  return __hip_bfloat16_raw{(unsigned short)(__a.__x & 0x7fff)};
}
__KILN_BF16 bool __hisnan(__hip_bfloat16 __a) {
  return (__a.__x & 0x7fff) > 0x7f80;
}
__KILN_BF16 bool __hisinf(__hip_bfloat16 __a) {
  return (__a.__x & 0x7fff) == 0x7f80;
}
__KILN_BF16 __hip_bfloat16 __hmin(__hip_bfloat16 __a, __hip_bfloat16 __b) {
  return __hisnan(__a) || __b < __a ? __b : __a;
}
__KILN_BF16 __hip_bfloat16 __hmax(__hip_bfloat16 __a, __hip_bfloat16 __b) {
  return __hisnan(__a) || __b > __a ? __b : __a;
}
#define __KILN_COMPARE(name, op)                                                                                       \
  __KILN_BF16 bool __h##name(__hip_bfloat16 __a, __hip_bfloat16 __b) {                                                 \
    return __a op __b;                                                                                                 \
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
  __KILN_DEVICE __hip_bfloat16 h##name(__hip_bfloat16 __x) {                                                           \
    return function((float)__x);                                                                                       \
  }                                                                                                                    \
  __KILN_DEVICE __hip_bfloat162 h2##name(__hip_bfloat162 __x) {                                                        \
    return __hip_bfloat162(h##name(__x.x), h##name(__x.y));                                                            \
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
__KILN_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162* __address, __hip_bfloat162 __value) {
  unsigned* __word = (unsigned*)__address;
  unsigned __old = __hip_atomic_load(__word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __hip_bfloat162 __sum = __builtin_bit_cast(__hip_bfloat162, __old) + __value;
    unsigned __seen = atomicCAS(__word, __old, __builtin_bit_cast(unsigned, __sum));
    if (__seen == __old)
      return __builtin_bit_cast(__hip_bfloat162, __old);
    __old = __seen;
  }
}
__KILN_DEVICE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* __address, __hip_bfloat162 __value) {
  return atomicAdd(__address, __value);
}

#endif
#endif
