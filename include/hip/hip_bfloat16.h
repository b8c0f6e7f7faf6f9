/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The older bfloat16 type of HIP, hip_bfloat16: the bits in `data`, conversions, and operators that work in float. */
#ifndef HIP_BFLOAT16_H
#define HIP_BFLOAT16_H

#include <hip/hip_bf16.h>

#if defined(__HIP__) && defined(__cplusplus)

struct hip_bfloat16 {
  unsigned short data;
  enum truncate_t { truncate };
  hip_bfloat16() = default;
  __KILN_BOTH explicit constexpr hip_bfloat16(float __value) : data(__kiln_to_bf16(__value)) {}
  __KILN_BOTH explicit constexpr hip_bfloat16(float __value, truncate_t)
      : data((unsigned short)(__value != __value ? __builtin_bit_cast(unsigned, __value) >> 16 | 0x40
                                                 : __builtin_bit_cast(unsigned, __value) >> 16)) {}
  __KILN_BOTH constexpr operator float() const { return __kiln_from_bf16(data); }
  __KILN_BOTH hip_bfloat16& operator=(float __value) {
    data = __kiln_to_bf16(__value);
    return *this;
  }
  static __KILN_BOTH hip_bfloat16 round_to_bfloat16(float __value) { return hip_bfloat16(__value); }
  static __KILN_BOTH hip_bfloat16 round_to_bfloat16(float __value, truncate_t) {
    return hip_bfloat16(__value, truncate);
  }
};

#define __KILN_OP(op, assign)                                                                                          \
  __KILN_BOTH constexpr hip_bfloat16 operator op(hip_bfloat16 __a, hip_bfloat16 __b) {                                 \
    return hip_bfloat16((float)__a op(float) __b);                                                                     \
  }                                                                                                                    \
  __KILN_BOTH hip_bfloat16& operator assign(hip_bfloat16& __a, hip_bfloat16 __b) {                                     \
    return __a = __a op __b;                                                                                           \
  }
__KILN_OP(+, +=)
__KILN_OP(-, -=)
__KILN_OP(*, *=)
__KILN_OP(/, /=)
#undef __KILN_OP
__KILN_BOTH constexpr hip_bfloat16 operator-(hip_bfloat16 __a) {
  __a.data ^= 0x8000;
  return __a;
}
#define __KILN_OP(op)                                                                                                  \
  __KILN_BOTH constexpr bool operator op(hip_bfloat16 __a, hip_bfloat16 __b) {                                         \
    return (float)__a op(float) __b;                                                                                   \
  }
__KILN_OP(==)
__KILN_OP(!=)
__KILN_OP(<)
__KILN_OP(<=)
__KILN_OP(>)
__KILN_OP(>=)
#undef __KILN_OP

#endif
#endif
