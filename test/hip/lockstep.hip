// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a wave that exchange values through shared memory without a barrier: they run in lockstep on a GPU, and
// programs count on it.
#include "check.h"

// The last steps of a reduction, as written for decades: no barrier within a wave, only volatile.
template <class T> __device__ void wave_sum(volatile T* s, int t) {
  if (warpSize == 64)
    s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

template <class T> __global__ void sum(const T* in, T* out) {
  __shared__ T s[256 + 32]; // the first wave's idle lanes read beyond the block
  int t = threadIdx.x;
  if (t < 32)
    s[256 + t] = 0;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int n = blockDim.x / 2; n >= warpSize; n /= 2) {
    if (t < n)
      s[t] += s[t + n];
    __syncthreads();
  }
  if (t < warpSize)
    wave_sum(s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}

template <class T> void check_sum() {
  const int blocks = 5, n = 256;
  std::vector<T> values(blocks * n);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = T((i * 37) % 101);
  check::Buffer<T> in(values), out(blocks);
  sum<T><<<blocks, n>>>(in, out);
  FINISH();
  auto got = out.get();
  for (int b = 0; b < blocks; ++b) {
    T expected = 0;
    for (int i = 0; i < n; ++i)
      expected += values[b * n + i];
    CHECK_EQ(got[b], expected);
  }
}

TEST(volatile_reduction) {
  check_sum<int>();
  check_sum<float>();
  check_sum<long long>();
}

// An inclusive scan in place: each step reads what other lanes stored, then stores what other lanes have read.
__global__ void scan(const int* in, int* out) {
  __shared__ int memory[3 * 128];
  volatile int* s = memory;
  int t = threadIdx.x, lane = t % warpSize, at = (t / warpSize) * 2 * warpSize + warpSize + lane;
  s[at - warpSize] = 0;
  int x = s[at] = in[t];
  for (int d = 1; d < warpSize; d *= 2)
    s[at] = x += s[at - d];
  out[t] = s[at];
}

TEST(volatile_scan) {
  int wave = check::wave_size(), n = 3 * wave;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i % 7 + 1;
  check::Buffer<int> in(values), out(n);
  scan<<<1, n>>>(in, out);
  FINISH();
  auto got = out.get();
  for (int i = 0, sum = 0; i < n; ++i) {
    sum = i % wave ? sum + values[i] : values[i];
    CHECK_EQ(got[i], sum);
  }
}

// Without volatile too, where the compiler must assume that the lane's own store is in question. A lane that runs to its
// end before the next one starts would read too old a value in one direction, too new a value in the other.
__global__ void neighbours(int* out, int step) {
  __shared__ int s[64];
  int lane = threadIdx.x;
  s[lane] = lane * 3;
  for (int i = 0; i < 5; ++i) {
    int other = s[(lane + step + warpSize) % warpSize];
    s[lane] = other + 1;
  }
  out[lane] = s[lane];
}

TEST(neighbours_in_both_directions) {
  int wave = check::wave_size();
  for (int step : {1, -1, 7}) {
    check::Buffer<int> out(wave);
    neighbours<<<1, wave>>>(out, step);
    FINISH();
    auto got = out.get();
    for (int lane = 0; lane < wave; ++lane)
      CHECK_EQ(got[lane], ((lane + 5 * step) % wave + wave) % wave * 3 + 5);
  }
}

// One variable for the wave: the last lane to store it wins, and then all lanes see that.
__global__ void one_flag(const int* in, int* out) {
  volatile __shared__ int found[1];
  int lane = threadIdx.x;
  found[0] = 0;
  if (in[lane] == 5)
    found[0] = lane + 1;
  out[lane] = found[0];
}

TEST(a_flag_that_one_lane_sets) {
  int wave = check::wave_size();
  std::vector<int> values(wave);
  values[wave - 4] = 5;
  check::Buffer<int> in(values), out(wave);
  one_flag<<<1, wave>>>(in, out);
  FINISH();
  for (int got : out.get())
    CHECK_EQ(got, wave - 3);
}

// Under divergence only the lanes that are there take part, and the others do not wait.
__global__ void half_of_the_lanes(int* out) {
  volatile __shared__ int s[64];
  int lane = threadIdx.x;
  s[lane] = lane;
  if (lane % 2) {
    int other = s[lane ^ 2];
    s[lane] = other * 100;
    out[lane] = s[lane ^ 2];
  } else {
    out[lane] = s[lane ^ 2];
  }
}

TEST(lockstep_under_divergence) {
  int wave = check::wave_size();
  check::Buffer<int> out(wave);
  half_of_the_lanes<<<1, wave>>>(out);
  FINISH();
  auto got = out.get();
  for (int lane = 0; lane < wave; ++lane)
    CHECK_EQ(got[lane], lane % 2 ? lane * 100 : lane ^ 2);
}
