/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cooperative groups: the block, tiles of a wave (tiled_partition) and the lanes that are together right now
 * (coalesced_threads). The grid can be asked where one stands in it; a grid-wide sync() is not there yet and so is not
 * declared.
 */
#ifndef HIP_COOPERATIVE_GROUPS_H
#define HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)

namespace cooperative_groups {

#define __KILN_CG __device__ __attribute__((__always_inline__))

namespace __kiln_detail {
// A lane's number counted over the set bits of a mask, and the other way.
static __KILN_CG inline unsigned __rank_in(unsigned long long __mask) {
  return (unsigned)__builtin_popcountll(__mask & __lanemask_lt());
}
static __KILN_CG inline int __nth_lane(unsigned long long __mask, unsigned __n) {
  for (; __n > 0; --__n)
    __mask &= __mask - 1;
  return __mask == 0 ? 0 : __builtin_ctzll(__mask);
}
static __KILN_CG inline unsigned __block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
static __KILN_CG inline unsigned __block_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
} // namespace __kiln_detail

// Any group by its mask of lanes; mask 0 stands for the whole block.
class thread_group {
public:
  __KILN_CG thread_group(unsigned long long __lanes = 0) : __lanes(__lanes) {}
  __KILN_CG unsigned num_threads() const {
    return __lanes == 0 ? __kiln_detail::__block_size() : (unsigned)__builtin_popcountll(__lanes);
  }
  __KILN_CG unsigned size() const { return num_threads(); }
  __KILN_CG unsigned thread_rank() const {
    return __lanes == 0 ? __kiln_detail::__block_rank() : __kiln_detail::__rank_in(__lanes);
  }
  __KILN_CG bool is_valid() const { return true; }
  __KILN_CG void sync() const {
    if (__lanes == 0) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  }

protected:
  unsigned long long __lanes;
};

class thread_block : public thread_group {
public:
  static __KILN_CG void sync() { __syncthreads(); }
  static __KILN_CG unsigned thread_rank() { return __kiln_detail::__block_rank(); }
  static __KILN_CG unsigned num_threads() { return __kiln_detail::__block_size(); }
  static __KILN_CG unsigned size() { return __kiln_detail::__block_size(); }
  static __KILN_CG dim3 group_index() { return blockIdx; }
  static __KILN_CG dim3 thread_index() { return threadIdx; }
  static __KILN_CG dim3 group_dim() { return blockDim; }
  static __KILN_CG dim3 dim_threads() { return blockDim; }
};
static __KILN_CG inline thread_block this_thread_block() {
  return thread_block();
}

class grid_group {
public:
  static __KILN_CG bool is_valid() { return true; }
  static __KILN_CG dim3 group_dim() { return gridDim; }
  static __KILN_CG unsigned long long num_threads() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * __kiln_detail::__block_size();
  }
  static __KILN_CG unsigned long long size() { return num_threads(); }
  static __KILN_CG unsigned long long thread_rank() {
    unsigned long long __position = ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return __position * __kiln_detail::__block_size() + __kiln_detail::__block_rank();
  }
};
static __KILN_CG inline grid_group this_grid() {
  return grid_group();
}

// `n` neighbouring lanes of a wave, n a power of two and at most the wave's size.
template <unsigned __n, class __Parent = void> class thread_block_tile {
  static_assert(__n > 0 && __n <= 64 && (__n & (__n - 1)) == 0, "the size of a tile is a power of two of at most 64");
  static __KILN_CG unsigned __first() { return __lane_id() & ~(__n - 1); }

public:
  static constexpr unsigned numThreads = __n;
  thread_block_tile() = default;
  template <class __Other> __KILN_CG thread_block_tile(const thread_block_tile<__n, __Other>&) {}
  static __KILN_CG unsigned thread_rank() { return __lane_id() & (__n - 1); }
  static constexpr __KILN_CG unsigned num_threads() { return __n; }
  static constexpr __KILN_CG unsigned size() { return __n; }
  static __KILN_CG unsigned meta_group_rank() { return __kiln_detail::__block_rank() / __n; }
  static __KILN_CG unsigned meta_group_size() { return (__kiln_detail::__block_size() + __n - 1) / __n; }
  static __KILN_CG void sync() { __syncwarp(); }
  static __KILN_CG unsigned long long __lanes() { return (__n == 64 ? ~0ull : (1ull << (__n & 63)) - 1) << __first(); }
  template <class __T> __KILN_CG __T shfl(__T __value, int __rank) const { return __shfl(__value, __rank, __n); }
  template <class __T> __KILN_CG __T shfl_up(__T __value, unsigned __delta) const {
    return __shfl_up(__value, __delta, __n);
  }
  template <class __T> __KILN_CG __T shfl_down(__T __value, unsigned __delta) const {
    return __shfl_down(__value, __delta, __n);
  }
  template <class __T> __KILN_CG __T shfl_xor(__T __value, unsigned __mask) const {
    return __shfl_xor(__value, (int)__mask, __n);
  }
  __KILN_CG unsigned long long ballot(int __predicate) const {
    return (__ballot(__predicate) & __lanes()) >> __first();
  }
  __KILN_CG int any(int __predicate) const { return ballot(__predicate) != 0; }
  __KILN_CG int all(int __predicate) const { return ballot(__predicate == 0) == 0; }
  template <class __T> __KILN_CG unsigned long long match_any(__T __value) const {
    return (__match_any(__value) & __lanes()) >> __first();
  }
  template <class __T> __KILN_CG unsigned long long match_all(__T __value, int& __all_equal) const {
    __all_equal = all(__value == shfl(__value, 0));
    return __all_equal ? ballot(1) : 0;
  }
  __KILN_CG operator thread_group() const { return thread_group(__lanes()); }
};

class coalesced_group : public thread_group {
public:
  __KILN_CG explicit coalesced_group(unsigned long long __lanes) : thread_group(__lanes) {}
  template <class __T> __KILN_CG __T shfl(__T __value, int __rank) const {
    return __kiln_from_lane(__value, __kiln_detail::__nth_lane(__lanes, (unsigned)__rank % num_threads()));
  }
  template <class __T> __KILN_CG __T shfl_up(__T __value, unsigned __delta) const {
    unsigned __rank = thread_rank();
    return __kiln_from_lane(__value, __kiln_detail::__nth_lane(__lanes, __rank < __delta ? __rank : __rank - __delta));
  }
  template <class __T> __KILN_CG __T shfl_down(__T __value, unsigned __delta) const {
    unsigned __rank = thread_rank();
    return __kiln_from_lane(
        __value, __kiln_detail::__nth_lane(__lanes, __rank + __delta < num_threads() ? __rank + __delta : __rank));
  }
  __KILN_CG unsigned long long ballot(int __predicate) const {
    unsigned long long __votes = __ballot(__predicate) & __lanes, __bits = 0;
    unsigned __i = 0;
    for (unsigned long long __rest = __lanes; __rest != 0; __rest &= __rest - 1, ++__i)
      __bits |= (__votes >> __builtin_ctzll(__rest) & 1) << __i;
    return __bits;
  }
  __KILN_CG int any(int __predicate) const { return (__ballot(__predicate) & __lanes) != 0; }
  __KILN_CG int all(int __predicate) const { return (__ballot(__predicate == 0) & __lanes) == 0; }
  static __KILN_CG unsigned meta_group_rank() { return 0; }
  static __KILN_CG unsigned meta_group_size() { return 1; }
};
static __KILN_CG inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned __n, class __Group>
static __KILN_CG inline thread_block_tile<__n, __Group> tiled_partition(const __Group&) {
  return thread_block_tile<__n, __Group>();
}
static __KILN_CG inline thread_group tiled_partition(const thread_group&, unsigned __n) {
  unsigned __first = __lane_id() & ~(__n - 1);
  return thread_group((__n >= 64 ? ~0ull : (1ull << __n) - 1) << __first);
}
template <class __Group> static __KILN_CG inline void sync(const __Group& __group) {
  __group.sync();
}
template <class __Group> static __KILN_CG inline unsigned long long thread_rank(const __Group& __group) {
  return __group.thread_rank();
}
template <class __Group> static __KILN_CG inline unsigned long long group_size(const __Group& __group) {
  return __group.size();
}
#undef __KILN_CG

} // namespace cooperative_groups

#endif
#endif
