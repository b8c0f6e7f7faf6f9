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

#define __KILN_CG __device__ __attribute__((always_inline))

namespace kiln_detail {
// A lane's number counted over the set bits of a mask, and the other way.
static __KILN_CG inline unsigned rank_in(unsigned long long mask) {
  return (unsigned)__builtin_popcountll(mask & __lanemask_lt());
}
static __KILN_CG inline int nth_lane(unsigned long long mask, unsigned n) {
  for (; n > 0; --n)
    mask &= mask - 1;
  return mask == 0 ? 0 : __builtin_ctzll(mask);
}
static __KILN_CG inline unsigned block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
static __KILN_CG inline unsigned block_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
} // namespace kiln_detail

// Any group by its mask of lanes; mask 0 stands for the whole block.
class thread_group {
public:
  __KILN_CG thread_group(unsigned long long lanes = 0) : lanes_(lanes) {}
  __KILN_CG unsigned num_threads() const {
    return lanes_ == 0 ? kiln_detail::block_size() : (unsigned)__builtin_popcountll(lanes_);
  }
  __KILN_CG unsigned size() const { return num_threads(); }
  __KILN_CG unsigned thread_rank() const {
    return lanes_ == 0 ? kiln_detail::block_rank() : kiln_detail::rank_in(lanes_);
  }
  __KILN_CG bool is_valid() const { return true; }
  __KILN_CG void sync() const {
    if (lanes_ == 0) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  }

protected:
  unsigned long long lanes_;
};

class thread_block : public thread_group {
public:
  static __KILN_CG void sync() { __syncthreads(); }
  static __KILN_CG unsigned thread_rank() { return kiln_detail::block_rank(); }
  static __KILN_CG unsigned num_threads() { return kiln_detail::block_size(); }
  static __KILN_CG unsigned size() { return kiln_detail::block_size(); }
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
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * kiln_detail::block_size();
  }
  static __KILN_CG unsigned long long size() { return num_threads(); }
  static __KILN_CG unsigned long long thread_rank() {
    unsigned long long block = ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return block * kiln_detail::block_size() + kiln_detail::block_rank();
  }
};
static __KILN_CG inline grid_group this_grid() {
  return grid_group();
}

// `n` neighbouring lanes of a wave, n a power of two and at most the wave's size.
template <unsigned n, class Parent = void> class thread_block_tile {
  static_assert(n > 0 && n <= 64 && (n & (n - 1)) == 0, "the size of a tile is a power of two of at most 64");
  static __KILN_CG unsigned first() { return __lane_id() & ~(n - 1); }

public:
  static constexpr unsigned numThreads = n;
  thread_block_tile() = default;
  template <class Other> __KILN_CG thread_block_tile(const thread_block_tile<n, Other>&) {}
  static __KILN_CG unsigned thread_rank() { return __lane_id() & (n - 1); }
  static constexpr __KILN_CG unsigned num_threads() { return n; }
  static constexpr __KILN_CG unsigned size() { return n; }
  static __KILN_CG unsigned meta_group_rank() { return kiln_detail::block_rank() / n; }
  static __KILN_CG unsigned meta_group_size() { return (kiln_detail::block_size() + n - 1) / n; }
  static __KILN_CG void sync() { __syncwarp(); }
  static __KILN_CG unsigned long long lanes() { return (n == 64 ? ~0ull : (1ull << (n & 63)) - 1) << first(); }
  template <class T> __KILN_CG T shfl(T value, int rank) const { return __shfl(value, rank, n); }
  template <class T> __KILN_CG T shfl_up(T value, unsigned delta) const { return __shfl_up(value, delta, n); }
  template <class T> __KILN_CG T shfl_down(T value, unsigned delta) const { return __shfl_down(value, delta, n); }
  template <class T> __KILN_CG T shfl_xor(T value, unsigned mask) const { return __shfl_xor(value, (int)mask, n); }
  __KILN_CG unsigned long long ballot(int predicate) const { return (__ballot(predicate) & lanes()) >> first(); }
  __KILN_CG int any(int predicate) const { return ballot(predicate) != 0; }
  __KILN_CG int all(int predicate) const { return ballot(predicate == 0) == 0; }
  template <class T> __KILN_CG unsigned long long match_any(T value) const {
    return (__match_any(value) & lanes()) >> first();
  }
  template <class T> __KILN_CG unsigned long long match_all(T value, int& all_equal) const {
    all_equal = all(value == shfl(value, 0));
    return all_equal ? ballot(1) : 0;
  }
  __KILN_CG operator thread_group() const { return thread_group(lanes()); }
};

class coalesced_group : public thread_group {
public:
  __KILN_CG explicit coalesced_group(unsigned long long lanes) : thread_group(lanes) {}
  template <class T> __KILN_CG T shfl(T value, int rank) const {
    return __kiln_from_lane(value, kiln_detail::nth_lane(lanes_, (unsigned)rank % num_threads()));
  }
  template <class T> __KILN_CG T shfl_up(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return __kiln_from_lane(value, kiln_detail::nth_lane(lanes_, rank < delta ? rank : rank - delta));
  }
  template <class T> __KILN_CG T shfl_down(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return __kiln_from_lane(value, kiln_detail::nth_lane(lanes_, rank + delta < num_threads() ? rank + delta : rank));
  }
  __KILN_CG unsigned long long ballot(int predicate) const {
    unsigned long long votes = __ballot(predicate) & lanes_, packed = 0;
    unsigned i = 0;
    for (unsigned long long rest = lanes_; rest != 0; rest &= rest - 1, ++i)
      packed |= (votes >> __builtin_ctzll(rest) & 1) << i;
    return packed;
  }
  __KILN_CG int any(int predicate) const { return (__ballot(predicate) & lanes_) != 0; }
  __KILN_CG int all(int predicate) const { return (__ballot(predicate == 0) & lanes_) == 0; }
  static __KILN_CG unsigned meta_group_rank() { return 0; }
  static __KILN_CG unsigned meta_group_size() { return 1; }
};
static __KILN_CG inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned n, class Group> static __KILN_CG inline thread_block_tile<n, Group> tiled_partition(const Group&) {
  return thread_block_tile<n, Group>();
}
static __KILN_CG inline thread_group tiled_partition(const thread_group&, unsigned n) {
  unsigned first = __lane_id() & ~(n - 1);
  return thread_group((n >= 64 ? ~0ull : (1ull << n) - 1) << first);
}
template <class Group> static __KILN_CG inline void sync(const Group& group) {
  group.sync();
}
template <class Group> static __KILN_CG inline unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group> static __KILN_CG inline unsigned long long group_size(const Group& group) {
  return group.size();
}
#undef __KILN_CG

} // namespace cooperative_groups

#endif
#endif
