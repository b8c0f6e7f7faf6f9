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

__KILN_DEVICE unsigned long long __ballot(int predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0);
}
__KILN_DEVICE unsigned long long __ballot64(int predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0);
}
__KILN_DEVICE unsigned long long __activemask() {
  return __builtin_amdgcn_ballot_w64(true);
}
__KILN_DEVICE int __any(int predicate) {
  return __ballot(predicate) != 0;
}
__KILN_DEVICE int __all(int predicate) {
  return __ballot(predicate == 0) == 0;
}
__KILN_DEVICE unsigned long long __lanemask_gt() {
  unsigned long long all = warpSize == 64 ? ~0ull : 0xffffffffull;
  return all & ~__lanemask_le();
}
__KILN_DEVICE unsigned long long __lanemask_ge() {
  return __lanemask_gt() | __lanemask_eq();
}

// One 32-bit word from another lane of the wave.
__KILN_DEVICE int __kiln_word_from(int lane, int word) {
  return __builtin_amdgcn_ds_bpermute(lane << 2, word);
}
// A value of any size from another lane.
template <typename T> __KILN_DEVICE T __kiln_from_lane(T value, int lane) {
  static_assert(__is_trivially_copyable(T), "only plain values can be moved between lanes");
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, __kiln_word_from(lane, __builtin_bit_cast(int, value)));
  } else if constexpr (sizeof(T) == 8) {
    unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
    unsigned low = (unsigned)__kiln_word_from(lane, (int)bits);
    unsigned high = (unsigned)__kiln_word_from(lane, (int)(bits >> 32));
    return __builtin_bit_cast(T, (unsigned long long)high << 32 | low);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, (short)__kiln_word_from(lane, __builtin_bit_cast(short, value)));
  } else if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(T, (signed char)__kiln_word_from(lane, __builtin_bit_cast(signed char, value)));
  } else {
    static_assert(sizeof(T) % 4 == 0, "the size must be 1, 2 or a multiple of 4 bytes");
    struct words {
      int word[sizeof(T) / 4];
    };
    words all = __builtin_bit_cast(words, value);
    for (unsigned i = 0; i < sizeof(T) / 4; ++i)
      all.word[i] = __kiln_word_from(lane, all.word[i]);
    return __builtin_bit_cast(T, all);
  }
}

// A lane outside of the segment of `width` lanes gives the caller's own value.
template <typename T> __KILN_DEVICE T __shfl(T value, int lane, int width = warpSize) {
  int self = (int)__lane_id();
  return __kiln_from_lane(value, (lane & (width - 1)) + (self & ~(width - 1)));
}
template <typename T> __KILN_DEVICE T __shfl_up(T value, unsigned delta, int width = warpSize) {
  int self = (int)__lane_id(), lane = self - (int)delta;
  return __kiln_from_lane(value, lane < (self & ~(width - 1)) ? self : lane);
}
template <typename T> __KILN_DEVICE T __shfl_down(T value, unsigned delta, int width = warpSize) {
  int self = (int)__lane_id();
  return __kiln_from_lane(value, (int)((unsigned)(self & (width - 1)) + delta) >= width ? self : self + (int)delta);
}
template <typename T> __KILN_DEVICE T __shfl_xor(T value, int mask, int width = warpSize) {
  int self = (int)__lane_id(), lane = self ^ mask;
  return __kiln_from_lane(value, lane >= ((self + width) & ~(width - 1)) ? self : lane);
}

#define __KILN_CHECK_MASK(Mask)                                                                                        \
  static_assert(__is_integral(Mask) && sizeof(Mask) == 8, "the mask must be a 64-bit integer")

template <typename Mask, typename T> __KILN_DEVICE T __shfl_sync(Mask, T value, int lane, int width = warpSize) {
  __KILN_CHECK_MASK(Mask);
  return __shfl(value, lane, width);
}
template <typename Mask, typename T>
__KILN_DEVICE T __shfl_up_sync(Mask, T value, unsigned delta, int width = warpSize) {
  __KILN_CHECK_MASK(Mask);
  return __shfl_up(value, delta, width);
}
template <typename Mask, typename T>
__KILN_DEVICE T __shfl_down_sync(Mask, T value, unsigned delta, int width = warpSize) {
  __KILN_CHECK_MASK(Mask);
  return __shfl_down(value, delta, width);
}
template <typename Mask, typename T> __KILN_DEVICE T __shfl_xor_sync(Mask, T value, int mask, int width = warpSize) {
  __KILN_CHECK_MASK(Mask);
  return __shfl_xor(value, mask, width);
}
template <typename Mask> __KILN_DEVICE unsigned long long __ballot_sync(Mask mask, int predicate) {
  __KILN_CHECK_MASK(Mask);
  return __ballot(predicate) & (unsigned long long)mask;
}
template <typename Mask> __KILN_DEVICE int __any_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <typename Mask> __KILN_DEVICE int __all_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}

// AMD's own names: any lane's word, the reverse direction, and fixed patterns (which must be constants).
__KILN_DEVICE int __hip_ds_bpermute(int byte_of_lane, int word) {
  return __builtin_amdgcn_ds_bpermute(byte_of_lane, word);
}
__KILN_DEVICE float __hip_ds_bpermutef(int byte_of_lane, float word) {
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(byte_of_lane, __builtin_bit_cast(int, word)));
}
__KILN_DEVICE int __hip_ds_permute(int byte_of_lane, int word) {
  return __builtin_amdgcn_ds_permute(byte_of_lane, word);
}
template <int pattern> __KILN_DEVICE int __hip_ds_swizzle_N(int word) {
  return __builtin_amdgcn_ds_swizzle(word, pattern);
}
template <int control, int rows, int banks, bool bound> __KILN_DEVICE int __hip_move_dpp_N(int word) {
  return __builtin_amdgcn_mov_dpp(word, control, rows, banks, bound);
}
#define __hip_ds_swizzle(word, pattern) __hip_ds_swizzle_N<(pattern)>((word))
#define __hip_move_dpp(word, control, rows, banks, bound) __hip_move_dpp_N<(control), (rows), (banks), (bound)>((word))

// The value of the first active lane, for all lanes.
template <typename T> __KILN_DEVICE T __kiln_first_lane(T value) {
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, __builtin_amdgcn_readfirstlane(__builtin_bit_cast(int, value)));
  } else {
    static_assert(sizeof(T) == 8, "the size must be 4 or 8 bytes");
    unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
    unsigned low = (unsigned)__builtin_amdgcn_readfirstlane((int)bits);
    unsigned high = (unsigned)__builtin_amdgcn_readfirstlane((int)(bits >> 32));
    return __builtin_bit_cast(T, (unsigned long long)high << 32 | low);
  }
}

// A value from a lane that is the same for all.
template <typename T> __KILN_DEVICE T __kiln_read_lane(T value, int lane) {
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, __builtin_amdgcn_readlane(__builtin_bit_cast(int, value), lane));
  } else {
    static_assert(sizeof(T) == 8, "the size must be 4 or 8 bytes");
    unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
    unsigned low = (unsigned)__builtin_amdgcn_readlane((int)bits, lane);
    unsigned high = (unsigned)__builtin_amdgcn_readlane((int)(bits >> 32), lane);
    return __builtin_bit_cast(T, (unsigned long long)high << 32 | low);
  }
}

// Which lanes hold the caller's value. Each turn of the loop serves all lanes that hold one value. All lanes stay until
// the last is served: if each left when its turn came, a compiler could move the vote behind the loop, where they meet.
template <typename T> __KILN_DEVICE unsigned long long __match_any(T value) {
  unsigned long long same = 0;
  for (unsigned long long rest = __activemask(); rest != 0;) {
    bool served = __kiln_read_lane(value, __builtin_ctzll(rest)) == value;
    unsigned long long lanes = __ballot(served);
    if (served)
      same = lanes;
    rest &= (rest - 1) & ~lanes; // a NaN equals nothing, not even itself
  }
  return same;
}
template <typename T> __KILN_DEVICE unsigned long long __match_all(T value, int* all_equal) {
  T first = __kiln_first_lane(value);
  *all_equal = __all(first == value);
  return *all_equal ? __activemask() : 0;
}
template <typename Mask, typename T> __KILN_DEVICE unsigned long long __match_any_sync(Mask mask, T value) {
  __KILN_CHECK_MASK(Mask);
  return __match_any(value) & (unsigned long long)mask;
}
template <typename Mask, typename T>
__KILN_DEVICE unsigned long long __match_all_sync(Mask mask, T value, int* all_equal) {
  __KILN_CHECK_MASK(Mask);
  return __match_all(value, all_equal) & (unsigned long long)mask;
}

// A reduction over the lanes of a mask: a butterfly when the wave is whole, else one turn a lane.
template <typename Mask, typename T, typename F> __KILN_DEVICE T __kiln_reduce(Mask mask, T value, F combine) {
  __KILN_CHECK_MASK(Mask);
  unsigned long long lanes = (unsigned long long)mask & __activemask();
  if (__builtin_popcountll(lanes) == warpSize) {
    for (int distance = warpSize / 2; distance > 0; distance /= 2)
      value = combine(value, __kiln_from_lane(value, (int)__lane_id() ^ distance));
    return value;
  }
  T result = __kiln_from_lane(value, __builtin_ctzll(lanes));
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
    result = combine(result, __kiln_from_lane(value, __builtin_ctzll(lanes)));
  return result;
}
#define __KILN_REDUCE(name, expression)                                                                                \
  template <typename Mask, typename T> __KILN_DEVICE T __reduce_##name##_sync(Mask mask, T value) {                    \
    return __kiln_reduce(mask, value, [](T a, T b) __attribute__((device, always_inline)) { return T(expression); });  \
  }
__KILN_REDUCE(add, a + b)
__KILN_REDUCE(min, a < b ? a : b)
__KILN_REDUCE(max, a > b ? a : b)
__KILN_REDUCE(and, a& b)
__KILN_REDUCE(or, a | b)
__KILN_REDUCE(xor, a ^ b)
#undef __KILN_REDUCE

#endif
