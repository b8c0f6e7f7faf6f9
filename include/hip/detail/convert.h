/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reinterpretation and conversion of numbers. _rn rounds to nearest even, _rz to zero, _rd down, _ru up. Conversions to
 * integers round first; directed conversions to a narrower float correct the nearest one by one step.
 */
#ifndef HIP_DETAIL_CONVERT_H
#define HIP_DETAIL_CONVERT_H

#define __KILN_CAST(to, name, from) __KILN_INT(to, name, (from x), __builtin_bit_cast(to, x))
__KILN_CAST(int, __float_as_int, float)
__KILN_CAST(unsigned, __float_as_uint, float)
__KILN_CAST(float, __int_as_float, int)
__KILN_CAST(float, __uint_as_float, unsigned)
__KILN_CAST(__kiln_i64, __double_as_longlong, double)
__KILN_CAST(double, __longlong_as_double, __kiln_i64)
#undef __KILN_CAST
__KILN_INT(int, __double2hiint, (double x), __builtin_bit_cast(__kiln_u64, x) >> 32)
__KILN_INT(int, __double2loint, (double x), __builtin_bit_cast(__kiln_u64, x))
__KILN_DEVICE double __hiloint2double(int hi, int lo) {
  return __builtin_bit_cast(double, (__kiln_u64)(unsigned)hi << 32 | (unsigned)lo);
}

#define __KILN_TO_INTEGER(from, f, to, name)                                                                           \
  __KILN_INT(to, __##from##2##name##_rn, (from x), __builtin_rint##f(x))                                               \
  __KILN_INT(to, __##from##2##name##_rz, (from x), __builtin_trunc##f(x))                                              \
  __KILN_INT(to, __##from##2##name##_rd, (from x), __builtin_floor##f(x))                                              \
  __KILN_INT(to, __##from##2##name##_ru, (from x), __builtin_ceil##f(x))
#define __KILN_TO_INTEGERS(from, f)                                                                                    \
  __KILN_TO_INTEGER(from, f, int, int)                                                                                 \
  __KILN_TO_INTEGER(from, f, unsigned, uint)                                                                           \
  __KILN_TO_INTEGER(from, f, __kiln_i64, ll)                                                                           \
  __KILN_TO_INTEGER(from, f, __kiln_u64, ull)
__KILN_TO_INTEGERS(float, f)
__KILN_TO_INTEGERS(double, )
#undef __KILN_TO_INTEGERS
#undef __KILN_TO_INTEGER

// The neighbour of a finite x one step up (towards +infinity) or down.
template <typename F, typename I> __KILN_DEVICE F __kiln_step(F x, bool up) {
  if (x == 0)
    return __builtin_bit_cast(F, (I)(up ? 1 : (I)1 | (I)1 << (sizeof(I) * 8 - 1)));
  I bits = __builtin_bit_cast(I, x);
  return __builtin_bit_cast(F, (I)((x > 0) == up ? bits + 1 : bits - 1));
}
// `order` says how the nearest value compares with the exact one: -1 below, 0 equal, 1 above.
template <typename F, typename I> __KILN_DEVICE F __kiln_direct(F nearest, int order, bool negative, char mode) {
  if (order == 0 || mode == 'n')
    return nearest;
  bool down = mode == 'd' || (mode == 'z' && !negative);
  if (down)
    return order > 0 ? __kiln_step<F, I>(nearest, false) : nearest;
  return order < 0 ? __kiln_step<F, I>(nearest, true) : nearest;
}
__KILN_DEVICE float __kiln_to_float(double x, char mode) {
  float f = (float)x;
  if (x != x)
    return f;
  return __kiln_direct<float, unsigned>(f, (double)f > x ? 1 : (double)f < x ? -1 : 0, x < 0, mode);
}
// 2^64 and 2^63 do not fit back into the integer: such a nearest value is above the exact one.
template <typename F, typename I, typename N> __KILN_DEVICE F __kiln_from_integer(N x, char mode) {
  F f = (F)x;
  constexpr F limit = (N)-1 < (N)0 ? (F)9223372036854775808.0 : (F)18446744073709551616.0;
  int order = f >= limit ? 1 : (N)f > x ? 1 : (N)f < x ? -1 : 0;
  return __kiln_direct<F, I>(f, order, x < 0, mode);
}
#define __KILN_FROM(to, name, from, call)                                                                              \
  __KILN_DEVICE to __##name##_rn(from x) {                                                                             \
    return (to)x;                                                                                                      \
  }                                                                                                                    \
  __KILN_DEVICE to __##name##_rz(from x) {                                                                             \
    return call(x, 'z');                                                                                               \
  }                                                                                                                    \
  __KILN_DEVICE to __##name##_rd(from x) {                                                                             \
    return call(x, 'd');                                                                                               \
  }                                                                                                                    \
  __KILN_DEVICE to __##name##_ru(from x) {                                                                             \
    return call(x, 'u');                                                                                               \
  }
__KILN_FROM(float, double2float, double, __kiln_to_float)
__KILN_FROM(float, int2float, int, __kiln_to_float)
__KILN_FROM(float, uint2float, unsigned, __kiln_to_float)
__KILN_FROM(float, ll2float, __kiln_i64, (__kiln_from_integer<float, unsigned>))
__KILN_FROM(float, ull2float, __kiln_u64, (__kiln_from_integer<float, unsigned>))
__KILN_FROM(double, ll2double, __kiln_i64, (__kiln_from_integer<double, __kiln_u64>))
__KILN_FROM(double, ull2double, __kiln_u64, (__kiln_from_integer<double, __kiln_u64>))
#undef __KILN_FROM
__KILN_INT(double, __int2double_rn, (int x), x)
__KILN_INT(double, __uint2double_rn, (unsigned x), x)

#endif
