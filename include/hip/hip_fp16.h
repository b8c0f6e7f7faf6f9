/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Half precision: __half (half) and __half2 (half2) over the compiler's _Float16, with IEEE 754 binary16 arithmetic on
 * device and host. With a float or double on the other side an operator works in that type, with an integer in half.
 */
#ifndef HIP_FP16_H
#define HIP_FP16_H

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)

#define __KILN_HALF static __host__ __device__ __attribute__((__always_inline__, __unused__)) inline

struct __half_raw {
  union {
    unsigned short x;
    _Float16 data;
  };
};
typedef _Float16 __kiln_f16x2 __attribute__((__ext_vector_type__(2)));
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
  __KILN_BOTH constexpr __half(_Float16 __value) : data(__value) {}
  __KILN_BOTH constexpr __half(const __half_raw& __raw) : data(__raw.data) {}
  template <typename __T, typename = typename __kiln_if<__is_arithmetic(__T) && !__is_same(__T, _Float16)>::__type>
  __KILN_BOTH constexpr __half(__T __value) : data(static_cast<_Float16>(__value)) {}
  __KILN_BOTH constexpr operator float() const { return data; }
  template <typename __T, typename = typename __kiln_if<__is_arithmetic(__T) && !__is_same(__T, float)>::__type>
  __KILN_BOTH explicit constexpr operator __T() const {
    return static_cast<__T>(data);
  }
  __KILN_BOTH operator __half_raw() const {
    __half_raw __raw;
    __raw.data = data;
    return __raw;
  }
  __KILN_BOTH constexpr __half operator+() const { return *this; }
  __KILN_BOTH constexpr __half operator-() const { return __half((_Float16)-data); }
  __KILN_BOTH __half& operator++() {
    data += 1;
    return *this;
  }
  __KILN_BOTH __half operator++(int) {
    __half __old = *this;
    data += 1;
    return __old;
  }
  __KILN_BOTH __half& operator--() {
    data -= 1;
    return *this;
  }
  __KILN_BOTH __half operator--(int) {
    __half __old = *this;
    data -= 1;
    return __old;
  }
  template <typename __T> __KILN_BOTH __half& operator+=(__T __b);
  template <typename __T> __KILN_BOTH __half& operator-=(__T __b);
  template <typename __T> __KILN_BOTH __half& operator*=(__T __b);
  template <typename __T> __KILN_BOTH __half& operator/=(__T __b);
};
typedef __half half;

// The type in which a half meets another number.
template <typename __T, bool __number = __is_arithmetic(__T)> struct __kiln_half_with {};
template <typename __T> struct __kiln_half_with<__T, true> {
  typedef __half __type;
};
template <> struct __kiln_half_with<float, true> {
  typedef float __type;
};
template <> struct __kiln_half_with<double, true> {
  typedef double __type;
};
#define __KILN_OP(op, assign)                                                                                          \
  __KILN_BOTH constexpr __half operator op(const __half& __a, const __half& __b) {                                     \
    return __half((_Float16)(__a.data op __b.data));                                                                   \
  }                                                                                                                    \
  template <typename __T>                                                                                              \
  __KILN_BOTH constexpr typename __kiln_half_with<__T>::__type operator op(const __half& __a, __T __b) {               \
    typedef typename __kiln_half_with<__T>::__type __R;                                                                \
    return static_cast<__R>(__a) op static_cast<__R>(__b);                                                             \
  }                                                                                                                    \
  template <typename __T>                                                                                              \
  __KILN_BOTH constexpr typename __kiln_half_with<__T>::__type operator op(__T __a, const __half& __b) {               \
    typedef typename __kiln_half_with<__T>::__type __R;                                                                \
    return static_cast<__R>(__a) op static_cast<__R>(__b);                                                             \
  }                                                                                                                    \
  template <typename __T> __KILN_BOTH __half& __half::operator assign(__T __b) {                                       \
    return *this = __half(*this op __b);                                                                               \
  }
__KILN_OP(+, +=)
__KILN_OP(-, -=)
__KILN_OP(*, *=)
__KILN_OP(/, /=)
#undef __KILN_OP
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH constexpr bool operator op(const __half& __a, const __half& __b) {                                       \
    return __a.data op __b.data;                                                                                       \
  }                                                                                                                    \
  template <typename __T, typename __R = typename __kiln_half_with<__T>::__type>                                       \
  __KILN_BOTH constexpr bool operator op(const __half& __a, __T __b) {                                                 \
    return static_cast<__R>(__a) op static_cast<__R>(__b);                                                             \
  }                                                                                                                    \
  template <typename __T, typename __R = typename __kiln_half_with<__T>::__type>                                       \
  __KILN_BOTH constexpr bool operator op(__T __a, const __half& __b) {                                                 \
    return static_cast<__R>(__a) op static_cast<__R>(__b);                                                             \
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
  __KILN_BOTH __half2(__kiln_f16x2 __value) : data(__value) {}
  __KILN_BOTH __half2(const __half2_raw& __raw) : data(__raw.data) {}
  __KILN_BOTH constexpr __half2(const __half& __a, const __half& __b) : x(__a), y(__b) {}
  __KILN_BOTH explicit constexpr __half2(const __half& __a) : x(__a), y(__a) {}
  __KILN_BOTH operator __kiln_f16x2() const { return data; }
  __KILN_BOTH operator __half2_raw() const {
    __half2_raw __raw;
    __raw.data = data;
    return __raw;
  }
  __KILN_BOTH __half2 operator-() const { return __half2(-data); }
#define __KILN_OP(assign)                                                                                              \
  __KILN_BOTH __half2& operator assign(const __half2& __b) {                                                           \
    data assign __b.data;                                                                                              \
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
  __KILN_BOTH __half2 operator op(const __half2& __a, const __half2& __b) {                                            \
    return __half2(__a.data op __b.data);                                                                              \
  }
__KILN_OP(+)
__KILN_OP(-)
__KILN_OP(*)
__KILN_OP(/)
#undef __KILN_OP
__KILN_BOTH bool operator==(const __half2& __a, const __half2& __b) {
  return __a.x == __b.x && __a.y == __b.y;
}
__KILN_BOTH bool operator!=(const __half2& __a, const __half2& __b) {
  return !(__a == __b);
}

// Conversions between the two widths and to other numbers
__KILN_HALF __half __float2half(float __x) {
  return __half(__x);
}
__KILN_HALF __half __float2half_rn(float __x) {
  return __half(__x);
}
__KILN_HALF __half __double2half(double __x) {
  return __half(__x);
}
__KILN_HALF float __half2float(__half __x) {
  return __x.data;
}
// The nearest half moved one step when it lies on the wrong side of x.
__KILN_HALF __half __kiln_half_directed(float __x, char __mode) {
  _Float16 __h = (_Float16)__x;
  float __back = __h;
  if (__back == __x || __x != __x)
    return __half(__h);
  bool __negative = __x < 0, __down = __mode == 'd' || (__mode == 'z' && !__negative);
  if (__down ? __back < __x : __back > __x)
    return __half(__h);
  unsigned short __bits = __builtin_bit_cast(unsigned short, __h);
  if (__h == 0)
    __bits = __down ? 0x8001 : 0x0001;
  else
    __bits = (unsigned short)((__h > 0) == __down ? __bits - 1 : __bits + 1);
  return __half(__builtin_bit_cast(_Float16, __bits));
}
__KILN_HALF __half __float2half_rz(float __x) {
  return __kiln_half_directed(__x, 'z');
}
__KILN_HALF __half __float2half_rd(float __x) {
  return __kiln_half_directed(__x, 'd');
}
__KILN_HALF __half __float2half_ru(float __x) {
  return __kiln_half_directed(__x, 'u');
}
#define __KILN_CONVERT(type, name)                                                                                     \
  __KILN_HALF type __half2##name##_rn(__half __x) {                                                                    \
    return (type)__builtin_rintf(__x.data);                                                                            \
  }                                                                                                                    \
  __KILN_HALF type __half2##name##_rz(__half __x) {                                                                    \
    return (type)(float)__x.data;                                                                                      \
  }                                                                                                                    \
  __KILN_HALF type __half2##name##_rd(__half __x) {                                                                    \
    return (type)__builtin_floorf(__x.data);                                                                           \
  }                                                                                                                    \
  __KILN_HALF type __half2##name##_ru(__half __x) {                                                                    \
    return (type)__builtin_ceilf(__x.data);                                                                            \
  }                                                                                                                    \
  __KILN_HALF __half __##name##2half_rn(type __x) {                                                                    \
    return __half((_Float16)__x);                                                                                      \
  }
__KILN_CONVERT(int, int)
__KILN_CONVERT(unsigned, uint)
__KILN_CONVERT(short, short)
__KILN_CONVERT(unsigned short, ushort)
__KILN_CONVERT(long long, ll)
__KILN_CONVERT(unsigned long long, ull)
#undef __KILN_CONVERT
__KILN_HALF short __half_as_short(__half __x) {
  return (short)__x.__x;
}
__KILN_HALF unsigned short __half_as_ushort(__half __x) {
  return __x.__x;
}
__KILN_HALF __half __short_as_half(short __x) {
  return __half(__builtin_bit_cast(_Float16, __x));
}
__KILN_HALF __half __ushort_as_half(unsigned short __x) {
  return __half(__builtin_bit_cast(_Float16, __x));
}
__KILN_HALF __half2 make_half2(__half __a, __half __b) {
  return __half2(__a, __b);
}
__KILN_HALF __half2 __halves2half2(__half __a, __half __b) {
  return __half2(__a, __b);
}
__KILN_HALF __half2 __half2half2(__half __a) {
  return __half2(__a, __a);
}
__KILN_HALF __half2 __float2half2_rn(float __a) {
  return __half2(__half(__a), __half(__a));
}
__KILN_HALF __half2 __floats2half2_rn(float __a, float __b) {
  return __half2(__half(__a), __half(__b));
}
__KILN_HALF __half2 __float22half2_rn(float2 __a) {
  return __half2(__half(__a.x), __half(__a.y));
}
__KILN_HALF float2 __half22float2(__half2 __a) {
  return float2(__a.x, __a.y);
}
__KILN_HALF float __low2float(__half2 __a) {
  return __a.x;
}
__KILN_HALF float __high2float(__half2 __a) {
  return __a.y;
}
__KILN_HALF __half __low2half(__half2 __a) {
  return __a.x;
}
__KILN_HALF __half __high2half(__half2 __a) {
  return __a.y;
}
__KILN_HALF __half2 __low2half2(__half2 __a) {
  return __half2(__a.x, __a.x);
}
__KILN_HALF __half2 __high2half2(__half2 __a) {
  return __half2(__a.y, __a.y);
}
__KILN_HALF __half2 __lows2half2(__half2 __a, __half2 __b) {
  return __half2(__a.x, __b.x);
}
__KILN_HALF __half2 __highs2half2(__half2 __a, __half2 __b) {
  return __half2(__a.y, __b.y);
}
__KILN_HALF __half2 __lowhigh2highlow(__half2 __a) {
  return __half2(__a.y, __a.x);
}

// Arithmetic by name, on one and on two
__KILN_HALF __half __kiln_saturate(__half __x) {
  return __x.data > 0 ? __x.data < 1 ? __x : __half(1) : __half(0);
}
#define __KILN_NAMED(name, op)                                                                                         \
  __KILN_HALF __half __h##name(__half __a, __half __b) {                                                               \
    return __a op __b;                                                                                                 \
  }                                                                                                                    \
  __KILN_HALF __half __h##name##_rn(__half __a, __half __b) {                                                          \
    return __a op __b;                                                                                                 \
  }                                                                                                                    \
  __KILN_HALF __half __h##name##_sat(__half __a, __half __b) {                                                         \
    return __kiln_saturate(__a op __b);                                                                                \
  }                                                                                                                    \
  __KILN_HALF __half2 __h##name##2_sat(__half2 __a, __half2 __b) {                                                     \
    __half2 __r = __a op __b;                                                                                          \
    return __half2(__kiln_saturate(__r.x), __kiln_saturate(__r.y));                                                    \
  }
__KILN_NAMED(add, +)
__KILN_NAMED(sub, -)
__KILN_NAMED(mul, *)
#undef __KILN_NAMED
__KILN_HALF __half2 __hadd2(__half2 __a, __half2 __b) {
  return __a + __b;
}
__KILN_HALF __half2 __hsub2(__half2 __a, __half2 __b) {
  return __a - __b;
}
__KILN_HALF __half2 __hmul2(__half2 __a, __half2 __b) {
  return __a * __b;
}
__KILN_HALF __half __hdiv(__half __a, __half __b) {
  return __a / __b;
}
__KILN_HALF __half2 __h2div(__half2 __a, __half2 __b) {
  return __a / __b;
}
__KILN_HALF __half __hneg(__half __a) {
  return -__a;
}
__KILN_HALF __half2 __hneg2(__half2 __a) {
  return -__a;
}
__KILN_HALF __half __habs(__half __a) {
  return __ushort_as_half(__a.__x & 0x7fff);
}
__KILN_HALF __half2 __habs2(__half2 __a) {
  return __half2(__habs(__a.x), __habs(__a.y));
}
__KILN_HALF __half __hfma(__half __a, __half __b, __half __c) {
  return __half(__builtin_fmaf16(__a.data, __b.data, __c.data));
}
__KILN_HALF __half __hfma_sat(__half __a, __half __b, __half __c) {
  return __kiln_saturate(__hfma(__a, __b, __c));
}
__KILN_HALF __half2 __hfma2(__half2 __a, __half2 __b, __half2 __c) {
  return __half2(__builtin_elementwise_fma(__a.data, __b.data, __c.data));
}
__KILN_HALF bool __hisnan(__half __a) {
  return __a.data != __a.data;
}
__KILN_HALF int __hisinf(__half __a) {
  return (__a.__x & 0x7fff) == 0x7c00 ? (__a.__x >> 15 ? -1 : 1) : 0;
}
__KILN_HALF __half __hmin(__half __a, __half __b) {
  return __hisnan(__a) || __b < __a ? __b : __a;
}
__KILN_HALF __half __hmax(__half __a, __half __b) {
  return __hisnan(__a) || __b > __a ? __b : __a;
}
__KILN_HALF __half2 __hmin2(__half2 __a, __half2 __b) {
  return __half2(__hmin(__a.x, __b.x), __hmin(__a.y, __b.y));
}
__KILN_HALF __half2 __hmax2(__half2 __a, __half2 __b) {
  return __half2(__hmax(__a.x, __b.x), __hmax(__a.y, __b.y));
}

// Comparisons; the "u" forms are true when an operand is not a number
#define __KILN_COMPARE(name, op)                                                                                       \
  __KILN_HALF bool __h##name(__half __a, __half __b) {                                                                 \
    return __a op __b;                                                                                                 \
  }                                                                                                                    \
  __KILN_HALF bool __h##name##u(__half __a, __half __b) {                                                              \
    return __hisnan(__a) || __hisnan(__b) || __a op __b;                                                               \
  }                                                                                                                    \
  __KILN_HALF __half2 __h##name##2(__half2 __a, __half2 __b) {                                                         \
    return __half2(__half(__a.x op __b.x), __half(__a.y op __b.y));                                                    \
  }                                                                                                                    \
  __KILN_HALF bool __hb##name##2(__half2 __a, __half2 __b) {                                                           \
    return __a.x op __b.x && __a.y op __b.y;                                                                           \
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
  __KILN_DEVICE __half h##name(__half __x) {                                                                           \
    return __half(__ocml_##function##_f16(__x.data));                                                                  \
  }                                                                                                                    \
  __KILN_DEVICE __half2 h2##name(__half2 __x) {                                                                        \
    return __half2(h##name(__x.x), h##name(__x.y));                                                                    \
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
__KILN_DEVICE __half hrcp(__half __x) {
  return __half((_Float16)1 / __x.data);
}
__KILN_DEVICE __half2 h2rcp(__half2 __x) {
  return __half2(hrcp(__x.x), hrcp(__x.y));
}

// Two halves are one word in memory: a loop over compare-and-exchange, correct on every device.
__KILN_DEVICE __half2 atomicAdd(__half2* __address, __half2 __value) {
  unsigned* __word = (unsigned*)__address;
  unsigned __old = __hip_atomic_load(__word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __half2 __sum = __builtin_bit_cast(__half2, __old) + __value;
    unsigned __seen = atomicCAS(__word, __old, __builtin_bit_cast(unsigned, __sum));
    if (__seen == __old)
      return __builtin_bit_cast(__half2, __old);
    __old = __seen;
  }
}
__KILN_DEVICE __half2 unsafeAtomicAdd(__half2* __address, __half2 __value) {
  return atomicAdd(__address, __value);
}

#endif
#endif
