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
#define __KILN_BOTH __host__ __device__ __attribute__((always_inline))
#else
#define __KILN_BOTH inline
#endif
#if __cplusplus >= 201402L
#define __KILN_CONSTEXPR constexpr
#else
#define __KILN_CONSTEXPR
#endif

template <bool condition, typename T = void> struct __kiln_if {};
template <typename T> struct __kiln_if<true, T> {
  typedef T type;
};
template <typename T> struct __kiln_number {
  static constexpr bool value = std::is_arithmetic<T>::value || std::is_enum<T>::value;
};

template <typename T, unsigned n> struct HIP_vector_base;

template <typename T> struct HIP_vector_base<T, 1> {
  typedef T Native_vec_ __attribute__((vector_size(sizeof(T))));
  union {
    Native_vec_ data;
    struct {
      T x;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(T a) : x(a) {}
};
template <typename T> struct HIP_vector_base<T, 2> {
  typedef T Native_vec_ __attribute__((vector_size(2 * sizeof(T))));
  union {
    Native_vec_ data;
    struct {
      T x, y;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(T a) : x(a), y(a) {}
  __KILN_BOTH constexpr HIP_vector_base(T a, T b) : x(a), y(b) {}
};
template <typename T> struct HIP_vector_base<T, 3> {
  struct Native_vec_ {
    T d[3];
    __KILN_BOTH T& operator[](unsigned i) { return d[i]; }
    __KILN_BOTH T operator[](unsigned i) const { return d[i]; }
  };
  union {
    Native_vec_ data;
    struct {
      T x, y, z;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(T a) : x(a), y(a), z(a) {}
  __KILN_BOTH constexpr HIP_vector_base(T a, T b, T c) : x(a), y(b), z(c) {}
};
template <typename T> struct HIP_vector_base<T, 4> {
  typedef T Native_vec_ __attribute__((vector_size(4 * sizeof(T))));
  union {
    Native_vec_ data;
    struct {
      T x, y, z, w;
    };
  };
  HIP_vector_base() = default;
  __KILN_BOTH constexpr HIP_vector_base(T a) : x(a), y(a), z(a), w(a) {}
  __KILN_BOTH constexpr HIP_vector_base(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
};

template <typename T, unsigned n> struct HIP_vector_type : HIP_vector_base<T, n> {
  typedef HIP_vector_base<T, n> __base;
  typedef T value_type;
  HIP_vector_type() = default;
  template <typename U, typename = typename __kiln_if<std::is_convertible<U, T>::value>::type>
  __KILN_BOTH explicit constexpr HIP_vector_type(U a) : __base(static_cast<T>(a)) {}
  template <typename... U, typename = typename __kiln_if<(n > 1) && sizeof...(U) == n>::type>
  __KILN_BOTH constexpr HIP_vector_type(U... u) : __base(static_cast<T>(u)...) {}

  __KILN_BOTH HIP_vector_type& operator++() { return *this += HIP_vector_type(T(1)); }
  __KILN_BOTH HIP_vector_type operator++(int) {
    HIP_vector_type old = *this;
    ++*this;
    return old;
  }
  __KILN_BOTH HIP_vector_type& operator--() { return *this -= HIP_vector_type(T(1)); }
  __KILN_BOTH HIP_vector_type operator--(int) {
    HIP_vector_type old = *this;
    --*this;
    return old;
  }
  __KILN_BOTH constexpr HIP_vector_type operator+() const { return *this; }
  __KILN_BOTH constexpr HIP_vector_type operator-() const {
    HIP_vector_type r = *this;
    r.x = -r.x;
    if constexpr (n > 1)
      r.y = -r.y;
    if constexpr (n > 2)
      r.z = -r.z;
    if constexpr (n > 3)
      r.w = -r.w;
    return r;
  }
  __KILN_BOTH constexpr HIP_vector_type operator~() const {
    HIP_vector_type r = *this;
    r.x = ~r.x;
    if constexpr (n > 1)
      r.y = ~r.y;
    if constexpr (n > 2)
      r.z = ~r.z;
    if constexpr (n > 3)
      r.w = ~r.w;
    return r;
  }
#define __KILN_OP(op, assign)                                                                                          \
  __KILN_BOTH __KILN_CONSTEXPR HIP_vector_type& operator assign(const HIP_vector_type& b) {                            \
    this->x assign b.x;                                                                                                \
    if constexpr (n > 1)                                                                                               \
      this->y assign b.y;                                                                                              \
    if constexpr (n > 2)                                                                                               \
      this->z assign b.z;                                                                                              \
    if constexpr (n > 3)                                                                                               \
      this->w assign b.w;                                                                                              \
    return *this;                                                                                                      \
  }                                                                                                                    \
  template <typename U, typename = typename __kiln_if<__kiln_number<U>::value>::type>                                  \
  __KILN_BOTH __KILN_CONSTEXPR HIP_vector_type& operator assign(U b) {                                                 \
    return *this assign HIP_vector_type(static_cast<T>(b));                                                            \
  }
#define __KILN_OPS(X) X(+, +=) X(-, -=) X(*, *=) X(/, /=) X(%, %=) X(&, &=) X(|, |=) X(^, ^=) X(<<, <<=) X(>>, >>=)
  __KILN_OPS(__KILN_OP)
#undef __KILN_OP
};

#define __KILN_OP(op, assign)                                                                                          \
  template <typename T, unsigned n>                                                                                    \
  __KILN_BOTH constexpr HIP_vector_type<T, n> operator op(HIP_vector_type<T, n> a, const HIP_vector_type<T, n>& b) {   \
    return a assign b;                                                                                                 \
  }                                                                                                                    \
  template <typename T, unsigned n, typename U, typename = typename __kiln_if<__kiln_number<U>::value>::type>          \
  __KILN_BOTH constexpr HIP_vector_type<T, n> operator op(HIP_vector_type<T, n> a, U b) {                              \
    return a assign HIP_vector_type<T, n>(static_cast<T>(b));                                                          \
  }                                                                                                                    \
  template <typename T, unsigned n, typename U, typename = typename __kiln_if<__kiln_number<U>::value>::type>          \
  __KILN_BOTH constexpr HIP_vector_type<T, n> operator op(U a, const HIP_vector_type<T, n>& b) {                       \
    return HIP_vector_type<T, n>(static_cast<T>(a)) assign b;                                                          \
  }
__KILN_OPS(__KILN_OP)
#undef __KILN_OP
#undef __KILN_OPS

template <typename T, unsigned n>
__KILN_BOTH constexpr bool operator==(const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) {
  bool r = a.x == b.x;
  if constexpr (n > 1)
    r = r && a.y == b.y;
  if constexpr (n > 2)
    r = r && a.z == b.z;
  if constexpr (n > 3)
    r = r && a.w == b.w;
  return r;
}
template <typename T, unsigned n>
__KILN_BOTH constexpr bool operator!=(const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) {
  return !(a == b);
}
template <typename T, unsigned n, typename U, typename = typename __kiln_if<__kiln_number<U>::value>::type>
__KILN_BOTH constexpr bool operator==(const HIP_vector_type<T, n>& a, U b) {
  return a == HIP_vector_type<T, n>(static_cast<T>(b));
}
template <typename T, unsigned n, typename U, typename = typename __kiln_if<__kiln_number<U>::value>::type>
__KILN_BOTH constexpr bool operator!=(const HIP_vector_type<T, n>& a, U b) {
  return !(a == b);
}

#define __KILN_VECTORS(T, name)                                                                                        \
  typedef HIP_vector_type<T, 1> name##1;                                                                               \
  typedef HIP_vector_type<T, 2> name##2;                                                                               \
  typedef HIP_vector_type<T, 3> name##3;                                                                               \
  typedef HIP_vector_type<T, 4> name##4;                                                                               \
  __KILN_BOTH static constexpr name##1 make_##name##1(T x) {                                                           \
    return name##1(x);                                                                                                 \
  }                                                                                                                    \
  __KILN_BOTH static constexpr name##2 make_##name##2(T x, T y) {                                                      \
    return name##2(x, y);                                                                                              \
  }                                                                                                                    \
  __KILN_BOTH static constexpr name##3 make_##name##3(T x, T y, T z) {                                                 \
    return name##3(x, y, z);                                                                                           \
  }                                                                                                                    \
  __KILN_BOTH static constexpr name##4 make_##name##4(T x, T y, T z, T w) {                                            \
    return name##4(x, y, z, w);                                                                                        \
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
