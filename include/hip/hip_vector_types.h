/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The short vectors: char1..char4 up to double4, with HIP's layouts. Vectors of 1, 2 and 4 elements are aligned to
 * their size; vectors of 3 are three plain elements. All are one template, so that an empty kernel pays for no table of
 * types; operators work element by element, and a scalar on either side stands for a vector of it.
 */
#ifndef HIP_VECTOR_TYPES_H
#define HIP_VECTOR_TYPES_H

#ifdef __GNUC__
#pragma GCC system_header /* uses C++17 where the program may be C++11 */
#endif

#include <hip/hip_common.h>

#ifndef __cplusplus

#define __KILN_VECTORS(T, name)                                                                                        \
  typedef struct {                                                                                                     \
    T x;                                                                                                               \
  } name##1;                                                                                                           \
  typedef struct {                                                                                                     \
    _Alignas(2 * sizeof(T)) T x;                                                                                       \
    T y;                                                                                                               \
  } name##2;                                                                                                           \
  typedef struct {                                                                                                     \
    T x, y, z;                                                                                                         \
  } name##3;                                                                                                           \
  typedef struct {                                                                                                     \
    _Alignas(4 * sizeof(T)) T x;                                                                                       \
    T y, z, w;                                                                                                         \
  } name##4;

#else

#include <type_traits>

#ifdef __HIP__
#define __KILN_BOTH __host__ __device__ __attribute__((__always_inline__))
#else
#define __KILN_BOTH inline
#endif
#if __cplusplus >= 201402L
#define __KILN_CONSTEXPR constexpr
#else
#define __KILN_CONSTEXPR
#endif

template <bool __condition, typename __T = void> struct __kiln_if {};
template <typename __T> struct __kiln_if<true, __T> {
  typedef __T __type;
};
template <typename __T> struct __kiln_number {
  static constexpr bool __value = std::is_arithmetic<__T>::value || std::is_enum<__T>::value;
};

template <typename __T, unsigned __n> struct HIP_vector_base;

template <typename __T> struct HIP_vector_base<__T, 1> {
  typedef __T Native_vec_ __attribute__((__vector_size__(sizeof(__T))));
  union {
    Native_vec_ data;
    struct {
      __T x;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(__T __a) : x(__a) {}
};
template <typename __T> struct HIP_vector_base<__T, 2> {
  typedef __T Native_vec_ __attribute__((__vector_size__(2 * sizeof(__T))));
  union {
    Native_vec_ data;
    struct {
      __T x, y;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(__T __a) : x(__a), y(__a) {}
  __KILN_BOTH constexpr HIP_vector_base(__T __a, __T __b) : x(__a), y(__b) {}
};
template <typename __T> struct HIP_vector_base<__T, 3> {
  struct Native_vec_ {
    __T __d[3];
    __KILN_BOTH __T& operator[](unsigned __i) { return __d[__i]; }
    __KILN_BOTH __T operator[](unsigned __i) const { return __d[__i]; }
  };
  union {
    Native_vec_ data;
    struct {
      __T x, y, z;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(__T __a) : x(__a), y(__a), z(__a) {}
  __KILN_BOTH constexpr HIP_vector_base(__T __a, __T __b, __T __c) : x(__a), y(__b), z(__c) {}
};
template <typename __T> struct HIP_vector_base<__T, 4> {
  typedef __T Native_vec_ __attribute__((__vector_size__(4 * sizeof(__T))));
  union {
    Native_vec_ data;
    struct {
      __T x, y, z, w;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(__T __a) : x(__a), y(__a), z(__a), w(__a) {}
  __KILN_BOTH constexpr HIP_vector_base(__T __a, __T __b, __T __c, __T __d) : x(__a), y(__b), z(__c), w(__d) {}
};

template <typename __T, unsigned __n> struct HIP_vector_type : HIP_vector_base<__T, __n> {
  typedef HIP_vector_base<__T, __n> __base;
  typedef __T value_type;
  HIP_vector_type() = default;
  template <typename __U, typename = typename __kiln_if<std::is_convertible<__U, __T>::value>::__type>
  __KILN_BOTH explicit constexpr HIP_vector_type(__U __a) : __base(static_cast<__T>(__a)) {}
  template <typename... __U, typename = typename __kiln_if<(__n > 1) && sizeof...(__U) == __n>::__type>
  __KILN_BOTH constexpr HIP_vector_type(__U... __u) : __base(static_cast<__T>(__u)...) {}

  __KILN_BOTH HIP_vector_type& operator++() { return *this += HIP_vector_type(__T(1)); }
  __KILN_BOTH HIP_vector_type operator++(int) {
    HIP_vector_type __old = *this;
    ++*this;
    return __old;
  }
  __KILN_BOTH HIP_vector_type& operator--() { return *this -= HIP_vector_type(__T(1)); }
  __KILN_BOTH HIP_vector_type operator--(int) {
    HIP_vector_type __old = *this;
    --*this;
    return __old;
  }
  __KILN_BOTH constexpr HIP_vector_type operator+() const { return *this; }
  __KILN_BOTH constexpr HIP_vector_type operator-() const {
    HIP_vector_type __r = *this;
    __r.x = -__r.x;
    if constexpr (__n > 1)
      __r.y = -__r.y;
    if constexpr (__n > 2)
      __r.z = -__r.z;
    if constexpr (__n > 3)
      __r.w = -__r.w;
    return __r;
  }
  __KILN_BOTH constexpr HIP_vector_type operator~() const {
    HIP_vector_type __r = *this;
    __r.x = ~__r.x;
    if constexpr (__n > 1)
      __r.y = ~__r.y;
    if constexpr (__n > 2)
      __r.z = ~__r.z;
    if constexpr (__n > 3)
      __r.w = ~__r.w;
    return __r;
  }
#define __KILN_OP(op, assign)                                                                                          \
  __KILN_BOTH __KILN_CONSTEXPR HIP_vector_type& operator assign(const HIP_vector_type& __b) {                          \
    this->x assign __b.x;                                                                                              \
    if constexpr (__n > 1)                                                                                             \
      this->y assign __b.y;                                                                                            \
    if constexpr (__n > 2)                                                                                             \
      this->z assign __b.z;                                                                                            \
    if constexpr (__n > 3)                                                                                             \
      this->w assign __b.w;                                                                                            \
    return *this;                                                                                                      \
  }                                                                                                                    \
  template <typename __U, typename = typename __kiln_if<__kiln_number<__U>::__value>::__type>                          \
  __KILN_BOTH __KILN_CONSTEXPR HIP_vector_type& operator assign(__U __b) {                                             \
    return *this assign HIP_vector_type(static_cast<__T>(__b));                                                        \
  }
#define __KILN_OPS(X) X(+, +=) X(-, -=) X(*, *=) X(/, /=) X(%, %=) X(&, &=) X(|, |=) X(^, ^=) X(<<, <<=) X(>>, >>=)
  __KILN_OPS(__KILN_OP)
#undef __KILN_OP
};

#define __KILN_OP(op, assign)                                                                                          \
  template <typename __T, unsigned __n>                                                                                \
  __KILN_BOTH constexpr HIP_vector_type<__T, __n> operator op(HIP_vector_type<__T, __n> __a,                           \
                                                              const HIP_vector_type<__T, __n>& __b) {                  \
    return __a assign __b;                                                                                             \
  }                                                                                                                    \
  template <typename __T, unsigned __n, typename __U,                                                                  \
            typename = typename __kiln_if<__kiln_number<__U>::__value>::__type>                                        \
  __KILN_BOTH constexpr HIP_vector_type<__T, __n> operator op(HIP_vector_type<__T, __n> __a, __U __b) {                \
    return __a assign HIP_vector_type<__T, __n>(static_cast<__T>(__b));                                                \
  }                                                                                                                    \
  template <typename __T, unsigned __n, typename __U,                                                                  \
            typename = typename __kiln_if<__kiln_number<__U>::__value>::__type>                                        \
  __KILN_BOTH constexpr HIP_vector_type<__T, __n> operator op(__U __a, const HIP_vector_type<__T, __n>& __b) {         \
    return HIP_vector_type<__T, __n>(static_cast<__T>(__a)) assign __b;                                                \
  }
__KILN_OPS(__KILN_OP)
#undef __KILN_OP
#undef __KILN_OPS

template <typename __T, unsigned __n>
__KILN_BOTH constexpr bool operator==(const HIP_vector_type<__T, __n>& __a, const HIP_vector_type<__T, __n>& __b) {
  bool __r = __a.x == __b.x;
  if constexpr (__n > 1)
    __r = __r && __a.y == __b.y;
  if constexpr (__n > 2)
    __r = __r && __a.z == __b.z;
  if constexpr (__n > 3)
    __r = __r && __a.w == __b.w;
  return __r;
}
template <typename __T, unsigned __n>
__KILN_BOTH constexpr bool operator!=(const HIP_vector_type<__T, __n>& __a, const HIP_vector_type<__T, __n>& __b) {
  return !(__a == __b);
}
template <typename __T, unsigned __n, typename __U, typename = typename __kiln_if<__kiln_number<__U>::__value>::__type>
__KILN_BOTH constexpr bool operator==(const HIP_vector_type<__T, __n>& __a, __U __b) {
  return __a == HIP_vector_type<__T, __n>(static_cast<__T>(__b));
}
template <typename __T, unsigned __n, typename __U, typename = typename __kiln_if<__kiln_number<__U>::__value>::__type>
__KILN_BOTH constexpr bool operator!=(const HIP_vector_type<__T, __n>& __a, __U __b) {
  return !(__a == __b);
}

#define __KILN_VECTORS(T, name)                                                                                        \
  typedef HIP_vector_type<T, 1> name##1;                                                                               \
  typedef HIP_vector_type<T, 2> name##2;                                                                               \
  typedef HIP_vector_type<T, 3> name##3;                                                                               \
  typedef HIP_vector_type<T, 4> name##4;                                                                               \
  __KILN_BOTH static constexpr name##1 make_##name##1(T __x) {                                                         \
    return name##1(__x);                                                                                               \
  }                                                                                                                    \
  __KILN_BOTH static constexpr name##2 make_##name##2(T __x, T __y) {                                                  \
    return name##2(__x, __y);                                                                                          \
  }                                                                                                                    \
  __KILN_BOTH static constexpr name##3 make_##name##3(T __x, T __y, T __z) {                                           \
    return name##3(__x, __y, __z);                                                                                     \
  }                                                                                                                    \
  __KILN_BOTH static constexpr name##4 make_##name##4(T __x, T __y, T __z, T __w) {                                    \
    return name##4(__x, __y, __z, __w);                                                                                \
  }

#endif

__KILN_VECTORS(signed char, char)
__KILN_VECTORS(unsigned char, uchar)
__KILN_VECTORS(short, short)
__KILN_VECTORS(unsigned short, ushort)
__KILN_VECTORS(int, int)
__KILN_VECTORS(unsigned int, uint)
__KILN_VECTORS(long, long)
__KILN_VECTORS(unsigned long, ulong)
__KILN_VECTORS(long long, longlong)
__KILN_VECTORS(unsigned long long, ulonglong)
__KILN_VECTORS(float, float)
__KILN_VECTORS(double, double)
#undef __KILN_VECTORS

#endif
