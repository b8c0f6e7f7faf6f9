/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integer intrinsics, in plain C++ that the code generators recognise. */
#ifndef HIP_DETAIL_INTEGER_H
#define HIP_DETAIL_INTEGER_H

#define __KILN_INT(type, name, parameters, expression)                                                                 \
  static __device__ __attribute__((always_inline, const, unused)) inline type name parameters {                        \
    return (type)(expression);                                                                                         \
  }
typedef long long __kiln_i64;
typedef unsigned long long __kiln_u64;

// Bits
__KILN_INT(int, __popc, (unsigned x), __builtin_popcount(x))
__KILN_INT(int, __popcll, (__kiln_u64 x), __builtin_popcountll(x))
__KILN_INT(int, __clz, (int x), __builtin_clzg((unsigned)x, 32))
__KILN_INT(int, __clzll, (__kiln_i64 x), __builtin_clzg((__kiln_u64)x, 64))
__KILN_INT(int, __ctz, (int x), __builtin_ctzg((unsigned)x, 32))
__KILN_INT(int, __ctzll, (__kiln_i64 x), __builtin_ctzg((__kiln_u64)x, 64))
__KILN_INT(int, __ffs, (int x), __builtin_ffs(x))
__KILN_INT(int, __ffs, (unsigned x), __builtin_ffs((int)x))
__KILN_INT(int, __ffsll, (__kiln_i64 x), __builtin_ffsll(x))
__KILN_INT(int, __ffsll, (__kiln_u64 x), __builtin_ffsll((__kiln_i64)x))
__KILN_INT(int, __ffsll, (unsigned long x), __builtin_ffsll((__kiln_i64)x))
__KILN_INT(int, __ffsll, (long x), __builtin_ffsll((__kiln_i64)x))
__KILN_INT(unsigned, __brev, (unsigned x), __builtin_bitreverse32(x))
__KILN_INT(__kiln_u64, __brevll, (__kiln_u64 x), __builtin_bitreverse64(x))
__KILN_INT(unsigned, __lastbit_u32_u32, (unsigned x), x == 0 ? -1 : __builtin_ctz(x))
__KILN_INT(unsigned, __lastbit_u32_u64, (__kiln_u64 x), x == 0 ? -1 : __builtin_ctzll(x))
__KILN_INT(unsigned, __bitextract_u32, (unsigned x, unsigned offset, unsigned width),
           (width & 31) == 0 ? 0 : x << ((32 - (offset & 31) - (width & 31)) & 31) >> ((32 - (width & 31)) & 31))
__KILN_INT(__kiln_u64, __bitextract_u64, (__kiln_u64 x, unsigned offset, unsigned width),
           (width & 63) == 0 ? 0 : x << ((64 - (offset & 63) - (width & 63)) & 63) >> ((64 - (width & 63)) & 63))
__KILN_INT(unsigned, __bitinsert_u32, (unsigned x, unsigned y, unsigned offset, unsigned width),
           (x & ~(((1u << (width & 31)) - 1) << (offset & 31))) | ((y & ((1u << (width & 31)) - 1)) << (offset & 31)))
__KILN_INT(__kiln_u64, __bitinsert_u64, (__kiln_u64 x, __kiln_u64 y, unsigned offset, unsigned width),
           (x & ~(((1ull << (width & 63)) - 1) << (offset & 63))) |
               ((y & ((1ull << (width & 63)) - 1)) << (offset & 63)))
__KILN_INT(unsigned, __funnelshift_l, (unsigned lo, unsigned hi, unsigned n), __builtin_elementwise_fshl(hi, lo, n))
__KILN_INT(unsigned, __funnelshift_r, (unsigned lo, unsigned hi, unsigned n), __builtin_elementwise_fshr(hi, lo, n))
__KILN_INT(unsigned, __funnelshift_lc, (unsigned lo, unsigned hi, unsigned n),
           n >= 32 ? lo : __funnelshift_l(lo, hi, n))
__KILN_INT(unsigned, __funnelshift_rc, (unsigned lo, unsigned hi, unsigned n),
           n >= 32 ? hi : __funnelshift_r(lo, hi, n))
__KILN_INT(unsigned, __kiln_byte_of, (unsigned x, unsigned y, unsigned s, unsigned i),
           (((__kiln_u64)y << 32 | x) >> ((s >> 4 * i & 7) * 8) & 0xff) << 8 * i)
__KILN_INT(unsigned, __byte_perm, (unsigned x, unsigned y, unsigned s),
           __kiln_byte_of(x, y, s, 0) | __kiln_byte_of(x, y, s, 1) | __kiln_byte_of(x, y, s, 2) |
               __kiln_byte_of(x, y, s, 3))

// The n-th set bit from `base`, upwards for n > 0, downwards for n < 0; n = 0 asks for the base bit itself. ~0 if none.
__KILN_DEVICE int __fns64(__kiln_u64 mask, unsigned base, int n) {
  if (n == 0)
    return mask >> base & 1 ? (int)base : -1;
  __kiln_u64 rest = n > 0 ? mask >> base << base : mask & (~0ull >> (63 - base));
  for (int left = (n > 0 ? n : -n) - 1; left > 0 && rest != 0; --left)
    rest &= n > 0 ? rest - 1 : ~(1ull << (63 - __builtin_clzll(rest)));
  return rest == 0 ? -1 : n > 0 ? __builtin_ctzll(rest) : 63 - __builtin_clzll(rest);
}
__KILN_DEVICE int __fns32(__kiln_u64 mask, unsigned base, int n) {
  return __fns64(mask & 0xffffffffu, base, n);
}
__KILN_DEVICE unsigned __fns(unsigned mask, unsigned base, int n) {
  return (unsigned)__fns64(mask, base, n);
}

// Arithmetic
__KILN_INT(int, __mul24, (int x, int y), ((x << 8) >> 8) * ((y << 8) >> 8))
__KILN_INT(unsigned, __umul24, (unsigned x, unsigned y), (x & 0xffffff) * (y & 0xffffff))
__KILN_INT(int, __mulhi, (int x, int y), (__kiln_i64)x* y >> 32)
__KILN_INT(unsigned, __umulhi, (unsigned x, unsigned y), (__kiln_u64)x* y >> 32)
__KILN_INT(int, mulhi, (int x, int y), (__kiln_i64)x* y >> 32)
__KILN_DEVICE __kiln_u64 __umul64hi(__kiln_u64 x, __kiln_u64 y) {
  __kiln_u64 x0 = (unsigned)x, x1 = x >> 32, y0 = (unsigned)y, y1 = y >> 32;
  __kiln_u64 middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (unsigned)middle;
  return x1 * y1 + (middle >> 32) + (other >> 32);
}
__KILN_INT(__kiln_i64, __mul64hi, (__kiln_i64 x, __kiln_i64 y),
           __umul64hi((__kiln_u64)x, (__kiln_u64)y) - (x < 0 ? (__kiln_u64)y : 0) - (y < 0 ? (__kiln_u64)x : 0))
__KILN_INT(unsigned, __sad, (int x, int y, unsigned z),
           z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x))
__KILN_INT(unsigned, __usad, (unsigned x, unsigned y, unsigned z), z + (x > y ? x - y : y - x))
__KILN_INT(int, __hadd, (int x, int y), ((__kiln_i64)x + y) >> 1)
__KILN_INT(int, __rhadd, (int x, int y), ((__kiln_i64)x + y + 1) >> 1)
__KILN_INT(unsigned, __uhadd, (unsigned x, unsigned y), ((__kiln_u64)x + y) >> 1)
__KILN_INT(unsigned, __urhadd, (unsigned x, unsigned y), ((__kiln_u64)x + y + 1) >> 1)

// Dot products of four bytes
__KILN_INT(int, __dp4a, (char4 a, char4 b, int c), a.x* b.x + a.y * b.y + a.z * b.z + a.w * b.w + c)
__KILN_INT(unsigned, __dp4a, (uchar4 a, uchar4 b, unsigned c), a.x* b.x + a.y * b.y + a.z * b.z + a.w * b.w + c)
__KILN_INT(int, __dp4a, (int a, int b, int c), __dp4a(__builtin_bit_cast(char4, a), __builtin_bit_cast(char4, b), c))
__KILN_INT(unsigned, __dp4a, (unsigned a, unsigned b, unsigned c),
           __dp4a(__builtin_bit_cast(uchar4, a), __builtin_bit_cast(uchar4, b), c))

#endif
