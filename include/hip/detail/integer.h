/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integer intrinsics, in plain C++ that the code generators recognise. */
#ifndef HIP_DETAIL_INTEGER_H
#define HIP_DETAIL_INTEGER_H

#define __KILN_INT(type, name, parameters, expression)                                                                 \
  static __device__ __attribute__((__always_inline__, __const__, __unused__)) inline type name parameters {            \
    return (type)(expression);                                                                                         \
  }
typedef long long __kiln_i64;
typedef unsigned long long __kiln_u64;

// Bits
__KILN_INT(int, __popc, (unsigned __x), __builtin_popcount(__x))
__KILN_INT(int, __popcll, (__kiln_u64 __x), __builtin_popcountll(__x))
__KILN_INT(int, __clz, (int __x), __builtin_clzg((unsigned)__x, 32))
__KILN_INT(int, __clzll, (__kiln_i64 __x), __builtin_clzg((__kiln_u64)__x, 64))
__KILN_INT(int, __ctz, (int __x), __builtin_ctzg((unsigned)__x, 32))
__KILN_INT(int, __ctzll, (__kiln_i64 __x), __builtin_ctzg((__kiln_u64)__x, 64))
__KILN_INT(int, __ffs, (int __x), __builtin_ffs(__x))
__KILN_INT(int, __ffs, (unsigned __x), __builtin_ffs((int)__x))
__KILN_INT(int, __ffsll, (__kiln_i64 __x), __builtin_ffsll(__x))
__KILN_INT(int, __ffsll, (__kiln_u64 __x), __builtin_ffsll((__kiln_i64)__x))
__KILN_INT(int, __ffsll, (unsigned long __x), __builtin_ffsll((__kiln_i64)__x))
__KILN_INT(int, __ffsll, (long __x), __builtin_ffsll((__kiln_i64)__x))
__KILN_INT(unsigned, __brev, (unsigned __x), __builtin_bitreverse32(__x))
__KILN_INT(__kiln_u64, __brevll, (__kiln_u64 __x), __builtin_bitreverse64(__x))
__KILN_INT(unsigned, __lastbit_u32_u32, (unsigned __x), __x == 0 ? -1 : __builtin_ctz(__x))
__KILN_INT(unsigned, __lastbit_u32_u64, (__kiln_u64 __x), __x == 0 ? -1 : __builtin_ctzll(__x))
__KILN_INT(unsigned, __bitextract_u32, (unsigned __x, unsigned __offset, unsigned __width),
           (__width & 31) == 0 ? 0
                               : __x << ((32 - (__offset & 31) - (__width & 31)) & 31) >> ((32 - (__width & 31)) & 31))
__KILN_INT(__kiln_u64, __bitextract_u64, (__kiln_u64 __x, unsigned __offset, unsigned __width),
           (__width & 63) == 0 ? 0
                               : __x << ((64 - (__offset & 63) - (__width & 63)) & 63) >> ((64 - (__width & 63)) & 63))
__KILN_INT(unsigned, __bitinsert_u32, (unsigned __x, unsigned __y, unsigned __offset, unsigned __width),
           (__x & ~(((1u << (__width & 31)) - 1) << (__offset & 31))) |
               ((__y & ((1u << (__width & 31)) - 1)) << (__offset & 31)))
__KILN_INT(__kiln_u64, __bitinsert_u64, (__kiln_u64 __x, __kiln_u64 __y, unsigned __offset, unsigned __width),
           (__x & ~(((1ull << (__width & 63)) - 1) << (__offset & 63))) |
               ((__y & ((1ull << (__width & 63)) - 1)) << (__offset & 63)))
__KILN_INT(unsigned, __funnelshift_l, (unsigned __lo, unsigned __hi, unsigned __n),
           __builtin_elementwise_fshl(__hi, __lo, __n))
__KILN_INT(unsigned, __funnelshift_r, (unsigned __lo, unsigned __hi, unsigned __n),
           __builtin_elementwise_fshr(__hi, __lo, __n))
__KILN_INT(unsigned, __funnelshift_lc, (unsigned __lo, unsigned __hi, unsigned __n),
           __n >= 32 ? __lo : __funnelshift_l(__lo, __hi, __n))
__KILN_INT(unsigned, __funnelshift_rc, (unsigned __lo, unsigned __hi, unsigned __n),
           __n >= 32 ? __hi : __funnelshift_r(__lo, __hi, __n))
__KILN_INT(unsigned, __kiln_byte_of, (unsigned __x, unsigned __y, unsigned __s, unsigned __i),
           (((__kiln_u64)__y << 32 | __x) >> ((__s >> 4 * __i & 7) * 8) & 0xff) << 8 * __i)
__KILN_INT(unsigned, __byte_perm, (unsigned __x, unsigned __y, unsigned __s),
           __kiln_byte_of(__x, __y, __s, 0) | __kiln_byte_of(__x, __y, __s, 1) | __kiln_byte_of(__x, __y, __s, 2) |
               __kiln_byte_of(__x, __y, __s, 3))

// The n-th set bit from `base`, upwards for n > 0, downwards for n < 0; n = 0 asks for the base bit itself. ~0 if none.
__KILN_DEVICE int __fns64(__kiln_u64 __mask, unsigned __base, int __n) {
  if (__n == 0)
    return __mask >> __base & 1 ? (int)__base : -1;
  __kiln_u64 __rest = __n > 0 ? __mask >> __base << __base : __mask & (~0ull >> (63 - __base));
  for (int __left = (__n > 0 ? __n : -__n) - 1; __left > 0 && __rest != 0; --__left)
    __rest &= __n > 0 ? __rest - 1 : ~(1ull << (63 - __builtin_clzll(__rest)));
  return __rest == 0 ? -1 : __n > 0 ? __builtin_ctzll(__rest) : 63 - __builtin_clzll(__rest);
}
__KILN_DEVICE int __fns32(__kiln_u64 __mask, unsigned __base, int __n) {
  return __fns64(__mask & 0xffffffffu, __base, __n);
}
__KILN_DEVICE unsigned __fns(unsigned __mask, unsigned __base, int __n) {
  return (unsigned)__fns64(__mask, __base, __n);
}

// Arithmetic
__KILN_INT(int, __mul24, (int __x, int __y), ((__x << 8) >> 8) * ((__y << 8) >> 8))
__KILN_INT(unsigned, __umul24, (unsigned __x, unsigned __y), (__x & 0xffffff) * (__y & 0xffffff))
__KILN_INT(int, __mulhi, (int __x, int __y), (__kiln_i64)__x* __y >> 32)
__KILN_INT(unsigned, __umulhi, (unsigned __x, unsigned __y), (__kiln_u64)__x* __y >> 32)
__KILN_INT(int, mulhi, (int __x, int __y), (__kiln_i64)__x* __y >> 32)
__KILN_DEVICE __kiln_u64 __umul64hi(__kiln_u64 __x, __kiln_u64 __y) {
  __kiln_u64 __x0 = (unsigned)__x, __x1 = __x >> 32, __y0 = (unsigned)__y, __y1 = __y >> 32;
  __kiln_u64 __middle = __x1 * __y0 + (__x0 * __y0 >> 32), __other = __x0 * __y1 + (unsigned)__middle;
  return __x1 * __y1 + (__middle >> 32) + (__other >> 32);
}
__KILN_INT(__kiln_i64, __mul64hi, (__kiln_i64 __x, __kiln_i64 __y),
           __umul64hi((__kiln_u64)__x, (__kiln_u64)__y) - (__x < 0 ? (__kiln_u64)__y : 0) -
               (__y < 0 ? (__kiln_u64)__x : 0))
__KILN_INT(unsigned, __sad, (int __x, int __y, unsigned __z),
           __z + (__x > __y ? (unsigned)__x - (unsigned)__y : (unsigned)__y - (unsigned)__x))
__KILN_INT(unsigned, __usad, (unsigned __x, unsigned __y, unsigned __z), __z + (__x > __y ? __x - __y : __y - __x))
__KILN_INT(int, __hadd, (int __x, int __y), ((__kiln_i64)__x + __y) >> 1)
__KILN_INT(int, __rhadd, (int __x, int __y), ((__kiln_i64)__x + __y + 1) >> 1)
__KILN_INT(unsigned, __uhadd, (unsigned __x, unsigned __y), ((__kiln_u64)__x + __y) >> 1)
__KILN_INT(unsigned, __urhadd, (unsigned __x, unsigned __y), ((__kiln_u64)__x + __y + 1) >> 1)

// Dot products of four bytes
__KILN_INT(int, __dp4a, (char4 __a, char4 __b, int __c),
           __a.x* __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w + __c)
__KILN_INT(unsigned, __dp4a, (uchar4 __a, uchar4 __b, unsigned __c),
           __a.x* __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w + __c)
__KILN_INT(int, __dp4a, (int __a, int __b, int __c),
           __dp4a(__builtin_bit_cast(char4, __a), __builtin_bit_cast(char4, __b), __c))
__KILN_INT(unsigned, __dp4a, (unsigned __a, unsigned __b, unsigned __c),
           __dp4a(__builtin_bit_cast(uchar4, __a), __builtin_bit_cast(uchar4, __b), __c))

#endif
