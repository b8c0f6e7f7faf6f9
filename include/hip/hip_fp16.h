/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Half precision: __half (half) and __half2 (half2) over the compiler's _Float16, with IEEE 754 binary16 arithmetic on
 * device and host. With a float or double on the other side an operator works in that type, with an integer in half.
 */
#ifndef HIP_FP16_H
#define HIP_FP16_H

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)

#define __KILN_HALF static __host__ __device__ __attribute__((always_inline, unused)) inline

struct __half_raw {
  union {
    unsigned short x;
    _Float16 data;
  };
};
typedef _Float16 __kiln_f16x2 __attribute__((ext_vector_type(2)));
struct __half2_raw {
  union {
    struct {
      unsigned short x, y;
    };
    __kiln_f16x2 data;
  };
};

struct __half {
  union {
    _Float16 data;
    unsigned short __x;
  };
  __half() = default;
  __KILN_BOTH constexpr __half(_Float16 value) : data(value) {}
  __KILN_BOTH constexpr __half(const __half_raw& raw) : data(raw.data) {}
  template <typename T, typename = typename __kiln_if<__is_arithmetic(T) && !__is_same(T, _Float16)>::type>
  __KILN_BOTH constexpr __half(T value) : data(static_cast<_Float16>(value)) {}
  __KILN_BOTH constexpr operator float() const { return data; }
  template <typename T, typename = typename __kiln_if<__is_arithmetic(T) && !__is_same(T, float)>::type>
  __KILN_BOTH explicit constexpr operator T() const {
    return static_cast<T>(data);
  }
  __KILN_BOTH operator __half_raw() const {
    __half_raw raw;
    raw.data = data;
    return raw;
  }
  __KILN_BOTH constexpr __half operator+() const { return *this; }
  __KILN_BOTH constexpr __half operator-() const { return __half((_Float16)-data); }
  __KILN_BOTH __half& operator++() {
    data += 1;
    return *this;
  }
  __KILN_BOTH __half operator++(int) {
    __half old = *this;
    data += 1;
    return old;
  }
  __KILN_BOTH __half& operator--() {
    data -= 1;
    return *this;
  }
  __KILN_BOTH __half operator--(int) {
    __half old = *this;
    data -= 1;
    return old;
  }
  template <typename T> __KILN_BOTH __half& operator+=(T b);
  template <typename T> __KILN_BOTH __half& operator-=(T b);
  template <typename T> __KILN_BOTH __half& operator*=(T b);
  template <typename T> __KILN_BOTH __half& operator/=(T b);
};
typedef __half half;

// The type in which a half meets another number.
template <typename T, bool number = __is_arithmetic(T)> struct __kiln_half_with {};
template <typename T> struct __kiln_half_with<T, true> {
  typedef __half type;
};
template <> struct __kiln_half_with<float, true> {
  typedef float type;
};
template <> struct __kiln_half_with<double, true> {
  typedef double type;
};
#define __KILN_OP(op, assign)                                                                                          \
  __KILN_BOTH constexpr __half operator op(const __half& a, const __half& b) {                                         \
    return __half((_Float16)(a.data op b.data));                                                                       \
  }                                                                                                                    \
  template <typename T> __KILN_BOTH constexpr typename __kiln_half_with<T>::type operator op(const __half& a, T b) {   \
    typedef typename __kiln_half_with<T>::type R;                                                                      \
    return static_cast<R>(a) op static_cast<R>(b);                                                                     \
  }                                                                                                                    \
  template <typename T> __KILN_BOTH constexpr typename __kiln_half_with<T>::type operator op(T a, const __half& b) {   \
    typedef typename __kiln_half_with<T>::type R;                                                                      \
    return static_cast<R>(a) op static_cast<R>(b);                                                                     \
  }                                                                                                                    \
  template <typename T> __KILN_BOTH __half& __half::operator assign(T b) {                                             \
    return *this = __half(*this op b);                                                                                 \
  }
__KILN_OP(+, +=)
__KILN_OP(-, -=)
__KILN_OP(*, *=)
__KILN_OP(/, /=)
#undef __KILN_OP
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH constexpr bool operator op(const __half& a, const __half& b) {                                           \
    return a.data op b.data;                                                                                           \
  }                                                                                                                    \
  template <typename T, typename R = typename __kiln_half_with<T>::type>                                               \
  __KILN_BOTH constexpr bool operator op(const __half& a, T b) {                                                       \
    return static_cast<R>(a) op static_cast<R>(b);                                                                     \
  }                                                                                                                    \
  template <typename T, typename R = typename __kiln_half_with<T>::type>                                               \
  __KILN_BOTH constexpr bool operator op(T a, const __half& b) {                                                       \
    return static_cast<R>(a) op static_cast<R>(b);                                                                     \
  }
__KILN_OP(==)
__KILN_OP(!=)
__KILN_OP(<)
__KILN_OP(<=)
__KILN_OP(>)
__KILN_OP(>=)
#undef __KILN_OP

struct __half2 {
  union {
    __kiln_f16x2 data;
    struct {
      __half x, y;
    };
  };
  __half2() = default;
  __KILN_BOTH __half2(__kiln_f16x2 value) : data(value) {}
  __KILN_BOTH __half2(const __half2_raw& raw) : data(raw.data) {}
  __KILN_BOTH constexpr __half2(const __half& a, const __half& b) : x(a), y(b) {}
  __KILN_BOTH explicit constexpr __half2(const __half& a) : x(a), y(a) {}
  __KILN_BOTH operator __kiln_f16x2() const { return data; }
  __KILN_BOTH operator __half2_raw() const {
    __half2_raw raw;
    raw.data = data;
    return raw;
  }
  __KILN_BOTH __half2 operator-() const { return __half2(-data); }
#define __KILN_OP(assign)                                                                                              \
  __KILN_BOTH __half2& operator assign(const __half2& b) {                                                             \
    data assign b.data;                                                                                                \
    return *this;                                                                                                      \
  }
  __KILN_OP(+=)
  __KILN_OP(-=)
  __KILN_OP(*=)
  __KILN_OP(/=)
#undef __KILN_OP
};
typedef __half2 half2;
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH __half2 operator op(const __half2& a, const __half2& b) {                                                \
    return __half2(a.data op b.data);                                                                                  \
  }
__KILN_OP(+)
__KILN_OP(-)
__KILN_OP(*)
__KILN_OP(/)
#undef __KILN_OP
__KILN_BOTH bool operator==(const __half2& a, const __half2& b) {
  return a.x == b.x && a.y == b.y;
}
__KILN_BOTH bool operator!=(const __half2& a, const __half2& b) {
  return !(a == b);
}

// Conversions between the two widths and to other numbers
__KILN_HALF __half __float2half(float x) {
  return __half(x);
}
__KILN_HALF __half __float2half_rn(float x) {
  return __half(x);
}
__KILN_HALF __half __double2half(double x) {
  return __half(x);
}
__KILN_HALF float __half2float(__half x) {
  return x.data;
}
// The nearest half moved one step when it lies on the wrong side of x.
__KILN_HALF __half __kiln_half_directed(float x, char mode) {
  _Float16 h = (_Float16)x;
  float back = h;
  if (back == x || x != x)
    return __half(h);
  bool negative = x < 0, down = mode == 'd' || (mode == 'z' && !negative);
  if (down ? back < x : back > x)
    return __half(h);
  unsigned short bits = __builtin_bit_cast(unsigned short, h);
  if (h == 0)
    bits = down ? 0x8001 : 0x0001;
  else
    bits = (unsigned short)((h > 0) == down ? bits - 1 : bits + 1);
  return __half(__builtin_bit_cast(_Float16, bits));
}
__KILN_HALF __half __float2half_rz(float x) {
  return __kiln_half_directed(x, 'z');
}
__KILN_HALF __half __float2half_rd(float x) {
  return __kiln_half_directed(x, 'd');
}
__KILN_HALF __half __float2half_ru(float x) {
  return __kiln_half_directed(x, 'u');
}
#define __KILN_CONVERT(type, name)                                                                                     \
  __KILN_HALF type __half2##name##_rn(__half x) {                                                                      \
    return (type)__builtin_rintf(x.data);                                                                              \
  }                                                                                                                    \
  __KILN_HALF type __half2##name##_rz(__half x) {                                                                      \
    return (type)(float)x.data;                                                                                        \
  }                                                                                                                    \
  __KILN_HALF type __half2##name##_rd(__half x) {                                                                      \
    return (type)__builtin_floorf(x.data);                                                                             \
  }                                                                                                                    \
  __KILN_HALF type __half2##name##_ru(__half x) {                                                                      \
    return (type)__builtin_ceilf(x.data);                                                                              \
  }                                                                                                                    \
  __KILN_HALF __half __##name##2half_rn(type x) {                                                                      \
    return __half((_Float16)x);                                                                                        \
  }
__KILN_CONVERT(int, int)
__KILN_CONVERT(unsigned, uint)
__KILN_CONVERT(short, short)
__KILN_CONVERT(unsigned short, ushort)
__KILN_CONVERT(long long, ll)
__KILN_CONVERT(unsigned long long, ull)
#undef __KILN_CONVERT
__KILN_HALF short __half_as_short(__half x) {
  return (short)x.__x;
}
__KILN_HALF unsigned short __half_as_ushort(__half x) {
  return x.__x;
}
__KILN_HALF __half __short_as_half(short x) {
  return __half(__builtin_bit_cast(_Float16, x));
}
__KILN_HALF __half __ushort_as_half(unsigned short x) {
  return __half(__builtin_bit_cast(_Float16, x));
}
__KILN_HALF __half2 make_half2(__half a, __half b) {
  return __half2(a, b);
}
__KILN_HALF __half2 __halves2half2(__half a, __half b) {
  return __half2(a, b);
}
__KILN_HALF __half2 __half2half2(__half a) {
  return __half2(a, a);
}
__KILN_HALF __half2 __float2half2_rn(float a) {
  return __half2(__half(a), __half(a));
}
__KILN_HALF __half2 __floats2half2_rn(float a, float b) {
  return __half2(__half(a), __half(b));
}
__KILN_HALF __half2 __float22half2_rn(float2 a) {
  return __half2(__half(a.x), __half(a.y));
}
__KILN_HALF float2 __half22float2(__half2 a) {
  return float2(a.x, a.y);
}
__KILN_HALF float __low2float(__half2 a) {
  return a.x;
}
__KILN_HALF float __high2float(__half2 a) {
  return a.y;
}
__KILN_HALF __half __low2half(__half2 a) {
  return a.x;
}
__KILN_HALF __half __high2half(__half2 a) {
  return a.y;
}
__KILN_HALF __half2 __low2half2(__half2 a) {
  return __half2(a.x, a.x);
}
__KILN_HALF __half2 __high2half2(__half2 a) {
  return __half2(a.y, a.y);
}
__KILN_HALF __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
__KILN_HALF __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
__KILN_HALF __half2 __lowhigh2highlow(__half2 a) {
  return __half2(a.y, a.x);
}

// Arithmetic by name, on one and on two
__KILN_HALF __half __kiln_saturate(__half x) {
  return x.data > 0 ? x.data < 1 ? x : __half(1) : __half(0);
}
#define __KILN_NAMED(name, op)                                                                                         \
  __KILN_HALF __half __h##name(__half a, __half b) {                                                                   \
    return a op b;                                                                                                     \
  }                                                                                                                    \
  __KILN_HALF __half __h##name##_rn(__half a, __half b) {                                                              \
    return a op b;                                                                                                     \
  }                                                                                                                    \
  __KILN_HALF __half __h##name##_sat(__half a, __half b) {                                                             \
    return __kiln_saturate(a op b);                                                                                    \
  }                                                                                                                    \
  __KILN_HALF __half2 __h##name##2_sat(__half2 a, __half2 b) {                                                         \
    __half2 r = a op b;                                                                                                \
    return __half2(__kiln_saturate(r.x), __kiln_saturate(r.y));                                                        \
  }
__KILN_NAMED(add, +)
__KILN_NAMED(sub, -)
__KILN_NAMED(mul, *)
#undef __KILN_NAMED
__KILN_HALF __half2 __hadd2(__half2 a, __half2 b) {
  return a + b;
}
__KILN_HALF __half2 __hsub2(__half2 a, __half2 b) {
  return a - b;
}
__KILN_HALF __half2 __hmul2(__half2 a, __half2 b) {
  return a * b;
}
__KILN_HALF __half __hdiv(__half a, __half b) {
  return a / b;
}
__KILN_HALF __half2 __h2div(__half2 a, __half2 b) {
  return a / b;
}
__KILN_HALF __half __hneg(__half a) {
  return -a;
}
__KILN_HALF __half2 __hneg2(__half2 a) {
  return -a;
}
__KILN_HALF __half __habs(__half a) {
  return __ushort_as_half(a.__x & 0x7fff);
}
__KILN_HALF __half2 __habs2(__half2 a) {
  return __half2(__habs(a.x), __habs(a.y));
}
__KILN_HALF __half __hfma(__half a, __half b, __half c) {
  return __half(__builtin_fmaf16(a.data, b.data, c.data));
}
__KILN_HALF __half __hfma_sat(__half a, __half b, __half c) {
  return __kiln_saturate(__hfma(a, b, c));
}
__KILN_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__builtin_elementwise_fma(a.data, b.data, c.data));
}
__KILN_HALF bool __hisnan(__half a) {
  return a.data != a.data;
}
__KILN_HALF int __hisinf(__half a) {
  return (a.__x & 0x7fff) == 0x7c00 ? (a.__x >> 15 ? -1 : 1) : 0;
}
__KILN_HALF __half __hmin(__half a, __half b) {
  return __hisnan(a) || b < a ? b : a;
}
__KILN_HALF __half __hmax(__half a, __half b) {
  return __hisnan(a) || b > a ? b : a;
}
__KILN_HALF __half2 __hmin2(__half2 a, __half2 b) {
  return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
__KILN_HALF __half2 __hmax2(__half2 a, __half2 b) {
  return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}

// Comparisons; the "u" forms are true when an operand is not a number
#define __KILN_COMPARE(name, op)                                                                                       \
  __KILN_HALF bool __h##name(__half a, __half b) {                                                                     \
    return a op b;                                                                                                     \
  }                                                                                                                    \
  __KILN_HALF bool __h##name##u(__half a, __half b) {                                                                  \
    return __hisnan(a) || __hisnan(b) || a op b;                                                                       \
  }                                                                                                                    \
  __KILN_HALF __half2 __h##name##2(__half2 a, __half2 b) {                                                             \
    return __half2(__half(a.x op b.x), __half(a.y op b.y));                                                            \
  }                                                                                                                    \
  __KILN_HALF bool __hb##name##2(__half2 a, __half2 b) {                                                               \
    return a.x op b.x && a.y op b.y;                                                                                   \
  }
__KILN_COMPARE(eq, ==)
__KILN_COMPARE(ne, !=)
__KILN_COMPARE(lt, <)
__KILN_COMPARE(le, <=)
__KILN_COMPARE(gt, >)
__KILN_COMPARE(ge, >=)
#undef __KILN_COMPARE

// Mathematics, in half by the device library; h2name works on both elements
#define __KILN_MATH(name, function)                                                                                    \
  __KILN_DEVICE __half h##name(__half x) {                                                                             \
    return __half(__ocml_##function##_f16(x.data));                                                                    \
  }                                                                                                                    \
  __KILN_DEVICE __half2 h2##name(__half2 x) {                                                                          \
    return __half2(h##name(x.x), h##name(x.y));                                                                        \
  }
__KILN_MATH(exp, exp)
__KILN_MATH(exp2, exp2)
__KILN_MATH(exp10, exp10)
__KILN_MATH(log, log)
__KILN_MATH(log2, log2)
__KILN_MATH(log10, log10)
__KILN_MATH(sin, sin)
__KILN_MATH(cos, cos)
__KILN_MATH(sqrt, sqrt)
__KILN_MATH(rsqrt, rsqrt)
__KILN_MATH(floor, floor)
__KILN_MATH(ceil, ceil)
__KILN_MATH(trunc, trunc)
__KILN_MATH(rint, rint)
#undef __KILN_MATH
__KILN_DEVICE __half hrcp(__half x) {
  return __half((_Float16)1 / x.data);
}
__KILN_DEVICE __half2 h2rcp(__half2 x) {
  return __half2(hrcp(x.x), hrcp(x.y));
}

// Two halves are one word in memory: a loop over compare-and-exchange, correct on every device.
__KILN_DEVICE __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned* word = (unsigned*)address;
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __half2 sum = __builtin_bit_cast(__half2, old) + value;
    unsigned seen = atomicCAS(word, old, __builtin_bit_cast(unsigned, sum));
    if (seen == old)
      return __builtin_bit_cast(__half2, old);
    old = seen;
  }
}
__KILN_DEVICE __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
  return atomicAdd(address, value);
}

#endif
#endif
