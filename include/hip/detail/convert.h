/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reinterpretation and conversion of numbers. _rn rounds to nearest even, _rz to zero, _rd down, _ru up. Conversions to
 * integers round first; directed conversions to a narrower float correct the nearest one by one step.
 */
#ifndef HIP_DETAIL_CONVERT_H
#define HIP_DETAIL_CONVERT_H

#define __KILN_CAST(to, name, from) __KILN_INT(to, name, (from __x), __builtin_bit_cast(to, __x))
__KILN_CAST(int, __float_as_int, float)
__KILN_CAST(unsigned, __float_as_uint, float)
__KILN_CAST(float, __int_as_float, int)
__KILN_CAST(float, __uint_as_float, unsigned)
__KILN_CAST(__kiln_i64, __double_as_longlong, double)
__KILN_CAST(double, __longlong_as_double, __kiln_i64)
#undef __KILN_CAST
__KILN_INT(int, __double2hiint, (double __x), __builtin_bit_cast(__kiln_u64, __x) >> 32)
__KILN_INT(int, __double2loint, (double __x), __builtin_bit_cast(__kiln_u64, __x))
__KILN_DEVICE double __hiloint2double(int __hi, int __lo) {
  return __builtin_bit_cast(double, (__kiln_u64)(unsigned)__hi << 32 | (unsigned)__lo);
}

#define __KILN_TO_INTEGER(from, rint, trunc, floor, ceil, to, name)                                                    \
  __KILN_INT(to, __##from##2##name##_rn, (from __x), rint(__x))                                                        \
  __KILN_INT(to, __##from##2##name##_rz, (from __x), trunc(__x))                                                       \
  __KILN_INT(to, __##from##2##name##_rd, (from __x), floor(__x))                                                       \
  __KILN_INT(to, __##from##2##name##_ru, (from __x), ceil(__x))
#define __KILN_TO_INTEGERS(from, rint, trunc, floor, ceil)                                                             \
  __KILN_TO_INTEGER(from, rint, trunc, floor, ceil, int, int)                                                          \
  __KILN_TO_INTEGER(from, rint, trunc, floor, ceil, unsigned, uint)                                                    \
  __KILN_TO_INTEGER(from, rint, trunc, floor, ceil, __kiln_i64, ll)                                                    \
  __KILN_TO_INTEGER(from, rint, trunc, floor, ceil, __kiln_u64, ull)
__KILN_TO_INTEGERS(float, __builtin_rintf, __builtin_truncf, __builtin_floorf, __builtin_ceilf)
__KILN_TO_INTEGERS(double, __builtin_rint, __builtin_trunc, __builtin_floor, __builtin_ceil)
#undef __KILN_TO_INTEGERS
#undef __KILN_TO_INTEGER

// The neighbour of a finite x one step up (towards +infinity) or down.
template <typename __F, typename __I> __KILN_DEVICE __F __kiln_step(__F __x, bool __up) {
  if (__x == 0)
    return __builtin_bit_cast(__F, (__I)(__up ? 1 : (__I)1 | (__I)1 << (sizeof(__I) * 8 - 1)));
  __I __bits = __builtin_bit_cast(__I, __x);
  return __builtin_bit_cast(__F, (__I)((__x > 0) == __up ? __bits + 1 : __bits - 1));
}
// `order` says how the nearest value compares with the exact one: -1 below, 0 equal, 1 above.
template <typename __F, typename __I>
__KILN_DEVICE __F __kiln_direct(__F __nearest, int __order, bool __negative, char __mode) {
  if (__order == 0 || __mode == 'n')
    return __nearest;
  bool __down = __mode == 'd' || (__mode == 'z' && !__negative);
  if (__down)
    return __order > 0 ? __kiln_step<__F, __I>(__nearest, false) : __nearest;
  return __order < 0 ? __kiln_step<__F, __I>(__nearest, true) : __nearest;
}
__KILN_DEVICE float __kiln_to_float(double __x, char __mode) {
  float __f = (float)__x;
  if (__x != __x)
    return __f;
  return __kiln_direct<float, unsigned>(__f, (double)__f > __x ? 1 : (double)__f < __x ? -1 : 0, __x < 0, __mode);
}
// 2^64 and 2^63 do not fit back into the integer: such a nearest value is above the exact one.
template <typename __F, typename __I, typename __From> __KILN_DEVICE __F __kiln_from_integer(__From __x, char __mode) {
  __F __f = (__F)__x;
  constexpr __F __limit = (__From)-1 < (__From)0 ? (__F)9223372036854775808.0 : (__F)18446744073709551616.0;
  int __order = __f >= __limit ? 1 : (__From)__f > __x ? 1 : (__From)__f < __x ? -1 : 0;
  return __kiln_direct<__F, __I>(__f, __order, __x < 0, __mode);
}
#define __KILN_FROM(to, name, from, call)                                                                              \
  __KILN_DEVICE to __##name##_rn(from __x) {                                                                           \
    return (to)__x;                                                                                                    \
  }                                                                                                                    \
  __KILN_DEVICE to __##name##_rz(from __x) {                                                                           \
    return call(__x, 'z');                                                                                             \
  }                                                                                                                    \
  __KILN_DEVICE to __##name##_rd(from __x) {                                                                           \
    return call(__x, 'd');                                                                                             \
  }                                                                                                                    \
  __KILN_DEVICE to __##name##_ru(from __x) {                                                                           \
    return call(__x, 'u');                                                                                             \
  }
__KILN_FROM(float, double2float, double, __kiln_to_float)
__KILN_FROM(float, int2float, int, __kiln_to_float)
__KILN_FROM(float, uint2float, unsigned, __kiln_to_float)
__KILN_FROM(float, ll2float, __kiln_i64, (__kiln_from_integer<float, unsigned>))
__KILN_FROM(float, ull2float, __kiln_u64, (__kiln_from_integer<float, unsigned>))
__KILN_FROM(double, ll2double, __kiln_i64, (__kiln_from_integer<double, __kiln_u64>))
__KILN_FROM(double, ull2double, __kiln_u64, (__kiln_from_integer<double, __kiln_u64>))
#undef __KILN_FROM
__KILN_INT(double, __int2double_rn, (int __x), __x)
__KILN_INT(double, __uint2double_rn, (unsigned __x), __x)

#endif
