/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operations across the lanes of a wave: shuffles, votes, matches, reductions. Masks are 64 bits wide on every device;
 * on a wave of 32 the upper half is zero. The wave size is asked at run time.
 */
#ifndef HIP_DETAIL_WAVE_H
#define HIP_DETAIL_WAVE_H

__KILN_DEVICE unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}
__KILN_DEVICE unsigned long long __lanemask_lt() {
  return (1ull << __lane_id()) - 1;
}
__KILN_DEVICE unsigned long long __lanemask_eq() {
  return 1ull << __lane_id();
}
__KILN_DEVICE unsigned long long __lanemask_le() {
  return __lanemask_lt() | __lanemask_eq();
}

__KILN_DEVICE unsigned long long __ballot(int __predicate) {
  return __builtin_amdgcn_ballot_w64(__predicate != 0);
}
__KILN_DEVICE unsigned long long __ballot64(int __predicate) {
  return __builtin_amdgcn_ballot_w64(__predicate != 0);
}
__KILN_DEVICE unsigned long long __activemask() {
  return __builtin_amdgcn_ballot_w64(true);
}
__KILN_DEVICE int __any(int __predicate) {
  return __ballot(__predicate) != 0;
}
__KILN_DEVICE int __all(int __predicate) {
  return __ballot(__predicate == 0) == 0;
}
__KILN_DEVICE unsigned long long __lanemask_gt() {
  unsigned long long __all = warpSize == 64 ? ~0ull : 0xffffffffull;
  return __all & ~__lanemask_le();
}
__KILN_DEVICE unsigned long long __lanemask_ge() {
  return __lanemask_gt() | __lanemask_eq();
}

// One 32-bit word from another lane of the wave.
__KILN_DEVICE int __kiln_word_from(int __lane, int __word) {
  return __builtin_amdgcn_ds_bpermute(__lane << 2, __word);
}
// A value of any size from another lane.
template <typename __T> __KILN_DEVICE __T __kiln_from_lane(__T __value, int __lane) {
  static_assert(__is_trivially_copyable(__T), "only plain values can be moved between lanes");
  if constexpr (sizeof(__T) == 4) {
    return __builtin_bit_cast(__T, __kiln_word_from(__lane, __builtin_bit_cast(int, __value)));
  } else if constexpr (sizeof(__T) == 8) {
    unsigned long long __bits = __builtin_bit_cast(unsigned long long, __value);
    unsigned __low = (unsigned)__kiln_word_from(__lane, (int)__bits);
    unsigned __high = (unsigned)__kiln_word_from(__lane, (int)(__bits >> 32));
    return __builtin_bit_cast(__T, (unsigned long long)__high << 32 | __low);
  } else if constexpr (sizeof(__T) == 2) {
    return __builtin_bit_cast(__T, (short)__kiln_word_from(__lane, __builtin_bit_cast(short, __value)));
  } else if constexpr (sizeof(__T) == 1) {
    return __builtin_bit_cast(__T, (signed char)__kiln_word_from(__lane, __builtin_bit_cast(signed char, __value)));
  } else {
    static_assert(sizeof(__T) % 4 == 0, "the size must be 1, 2 or a multiple of 4 bytes");
    struct __words {
      int __word[sizeof(__T) / 4];
    };
    __words __all = __builtin_bit_cast(__words, __value);
    for (unsigned __i = 0; __i < sizeof(__T) / 4; ++__i)
      __all.__word[__i] = __kiln_word_from(__lane, __all.__word[__i]);
    return __builtin_bit_cast(__T, __all);
  }
}

// A lane outside of the segment of `width` lanes gives the caller's own value.
template <typename __T> __KILN_DEVICE __T __shfl(__T __value, int __lane, int __width = warpSize) {
  int __self = (int)__lane_id();
  return __kiln_from_lane(__value, (__lane & (__width - 1)) + (__self & ~(__width - 1)));
}
template <typename __T> __KILN_DEVICE __T __shfl_up(__T __value, unsigned __delta, int __width = warpSize) {
  int __self = (int)__lane_id(), __lane = __self - (int)__delta;
  return __kiln_from_lane(__value, __lane < (__self & ~(__width - 1)) ? __self : __lane);
}
template <typename __T> __KILN_DEVICE __T __shfl_down(__T __value, unsigned __delta, int __width = warpSize) {
  int __self = (int)__lane_id();
  return __kiln_from_lane(
      __value, (int)((unsigned)(__self & (__width - 1)) + __delta) >= __width ? __self : __self + (int)__delta);
}
template <typename __T> __KILN_DEVICE __T __shfl_xor(__T __value, int __mask, int __width = warpSize) {
  int __self = (int)__lane_id(), __lane = __self ^ __mask;
  return __kiln_from_lane(__value, __lane >= ((__self + __width) & ~(__width - 1)) ? __self : __lane);
}

#define __KILN_CHECK_MASK(Mask)                                                                                        \
  static_assert(__is_integral(Mask) && sizeof(Mask) == 8, "the mask must be a 64-bit integer")

template <typename __Mask, typename __T>
__KILN_DEVICE __T __shfl_sync(__Mask, __T __value, int __lane, int __width = warpSize) {
  __KILN_CHECK_MASK(__Mask);
  return __shfl(__value, __lane, __width);
}
template <typename __Mask, typename __T>
__KILN_DEVICE __T __shfl_up_sync(__Mask, __T __value, unsigned __delta, int __width = warpSize) {
  __KILN_CHECK_MASK(__Mask);
  return __shfl_up(__value, __delta, __width);
}
template <typename __Mask, typename __T>
__KILN_DEVICE __T __shfl_down_sync(__Mask, __T __value, unsigned __delta, int __width = warpSize) {
  __KILN_CHECK_MASK(__Mask);
  return __shfl_down(__value, __delta, __width);
}
template <typename __Mask, typename __T>
__KILN_DEVICE __T __shfl_xor_sync(__Mask, __T __value, int __mask, int __width = warpSize) {
  __KILN_CHECK_MASK(__Mask);
  return __shfl_xor(__value, __mask, __width);
}
template <typename __Mask> __KILN_DEVICE unsigned long long __ballot_sync(__Mask __mask, int __predicate) {
  __KILN_CHECK_MASK(__Mask);
  return __ballot(__predicate) & (unsigned long long)__mask;
}
template <typename __Mask> __KILN_DEVICE int __any_sync(__Mask __mask, int __predicate) {
  return __ballot_sync(__mask, __predicate) != 0;
}
template <typename __Mask> __KILN_DEVICE int __all_sync(__Mask __mask, int __predicate) {
  return __ballot_sync(__mask, __predicate == 0) == 0;
}

// AMD's own names: any lane's word, the reverse direction, and fixed patterns (which must be constants).
__KILN_DEVICE int __hip_ds_bpermute(int __byte_of_lane, int __word) {
  return __builtin_amdgcn_ds_bpermute(__byte_of_lane, __word);
}
__KILN_DEVICE float __hip_ds_bpermutef(int __byte_of_lane, float __word) {
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(__byte_of_lane, __builtin_bit_cast(int, __word)));
}
__KILN_DEVICE int __hip_ds_permute(int __byte_of_lane, int __word) {
  return __builtin_amdgcn_ds_permute(__byte_of_lane, __word);
}
template <int __pattern> __KILN_DEVICE int __hip_ds_swizzle_N(int __word) {
  return __builtin_amdgcn_ds_swizzle(__word, __pattern);
}
template <int __control, int __rows, int __banks, bool __bound> __KILN_DEVICE int __hip_move_dpp_N(int __word) {
  return __builtin_amdgcn_mov_dpp(__word, __control, __rows, __banks, __bound);
}
#define __hip_ds_swizzle(word, pattern) __hip_ds_swizzle_N<(pattern)>((word))
#define __hip_move_dpp(word, control, rows, banks, bound) __hip_move_dpp_N<(control), (rows), (banks), (bound)>((word))

// The value of the first active lane, for all lanes.
template <typename __T> __KILN_DEVICE __T __kiln_first_lane(__T __value) {
  if constexpr (sizeof(__T) == 4) {
    return __builtin_bit_cast(__T, __builtin_amdgcn_readfirstlane(__builtin_bit_cast(int, __value)));
  } else {
    static_assert(sizeof(__T) == 8, "the size must be 4 or 8 bytes");
    unsigned long long __bits = __builtin_bit_cast(unsigned long long, __value);
    unsigned __low = (unsigned)__builtin_amdgcn_readfirstlane((int)__bits);
    unsigned __high = (unsigned)__builtin_amdgcn_readfirstlane((int)(__bits >> 32));
    return __builtin_bit_cast(__T, (unsigned long long)__high << 32 | __low);
  }
}

// A value from a lane that is the same for all.
template <typename __T> __KILN_DEVICE __T __kiln_read_lane(__T __value, int __lane) {
  if constexpr (sizeof(__T) == 4) {
    return __builtin_bit_cast(__T, __builtin_amdgcn_readlane(__builtin_bit_cast(int, __value), __lane));
  } else {
    static_assert(sizeof(__T) == 8, "the size must be 4 or 8 bytes");
    unsigned long long __bits = __builtin_bit_cast(unsigned long long, __value);
    unsigned __low = (unsigned)__builtin_amdgcn_readlane((int)__bits, __lane);
    unsigned __high = (unsigned)__builtin_amdgcn_readlane((int)(__bits >> 32), __lane);
    return __builtin_bit_cast(__T, (unsigned long long)__high << 32 | __low);
  }
}

// Which lanes hold the caller's value. Each turn of the loop serves all lanes that hold one value. All lanes stay until
// the last is served: if each left when its turn came, a compiler could move the vote behind the loop, where they meet.
template <typename __T> __KILN_DEVICE unsigned long long __match_any(__T __value) {
  unsigned long long __same = 0;
  for (unsigned long long __rest = __activemask(); __rest != 0;) {
    bool __served = __kiln_read_lane(__value, __builtin_ctzll(__rest)) == __value;
    unsigned long long __lanes = __ballot(__served);
    if (__served)
      __same = __lanes;
    __rest &= (__rest - 1) & ~__lanes; // a NaN equals nothing, not even itself
  }
  return __same;
}
template <typename __T> __KILN_DEVICE unsigned long long __match_all(__T __value, int* __all_equal) {
  __T __first = __kiln_first_lane(__value);
  *__all_equal = __all(__first == __value);
  return *__all_equal ? __activemask() : 0;
}
template <typename __Mask, typename __T> __KILN_DEVICE unsigned long long __match_any_sync(__Mask __mask, __T __value) {
  __KILN_CHECK_MASK(__Mask);
  return __match_any(__value) & (unsigned long long)__mask;
}
template <typename __Mask, typename __T>
__KILN_DEVICE unsigned long long __match_all_sync(__Mask __mask, __T __value, int* __all_equal) {
  __KILN_CHECK_MASK(__Mask);
  return __match_all(__value, __all_equal) & (unsigned long long)__mask;
}

// A reduction over the lanes of a mask: a butterfly when the wave is whole, else one turn a lane.
template <typename __Mask, typename __T, typename __F>
__KILN_DEVICE __T __kiln_reduce(__Mask __mask, __T __value, __F __combine) {
  __KILN_CHECK_MASK(__Mask);
  unsigned long long __lanes = (unsigned long long)__mask & __activemask();
  if (__builtin_popcountll(__lanes) == warpSize) {
    for (int __distance = warpSize / 2; __distance > 0; __distance /= 2)
      __value = __combine(__value, __kiln_from_lane(__value, (int)__lane_id() ^ __distance));
    return __value;
  }
  __T __result = __kiln_from_lane(__value, __builtin_ctzll(__lanes));
  for (__lanes &= __lanes - 1; __lanes != 0; __lanes &= __lanes - 1)
    __result = __combine(__result, __kiln_from_lane(__value, __builtin_ctzll(__lanes)));
  return __result;
}
#define __KILN_REDUCE(name, expression)                                                                                \
  template <typename __Mask, typename __T> __KILN_DEVICE __T __reduce_##name##_sync(__Mask __mask, __T __value) {      \
    return __kiln_reduce(__mask, __value, [] __device__ __attribute__((__always_inline__)) (__T __a, __T __b) {        \
      return __T(expression);                                                                                          \
    });                                                                                                                \
  }
__KILN_REDUCE(add, __a + __b)
__KILN_REDUCE(min, __a < __b ? __a : __b)
__KILN_REDUCE(max, __a > __b ? __a : __b)
__KILN_REDUCE(and, __a& __b)
__KILN_REDUCE(or, __a | __b)
__KILN_REDUCE(xor, __a ^ __b)
#undef __KILN_REDUCE

#endif
