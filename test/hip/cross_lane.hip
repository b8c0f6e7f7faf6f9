// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, ballots and votes: over whole waves, over parts, and under divergence, where only the lanes that are there
// together take part.
#include "check.h"

typedef unsigned long long u64;

__global__ void shuffles(int* out, int width) {
  int t = threadIdx.x;
  int value = t * 10;
  out[t * 4 + 0] = __shfl(value, 3, width);
  out[t * 4 + 1] = __shfl_up(value, 2, width);
  out[t * 4 + 2] = __shfl_down(value, 5, width);
  out[t * 4 + 3] = __shfl_xor(value, 1, width);
}

TEST(shuffle_widths) {
  int wave = check::wave_size(), n = wave * 3;
  for (int width = 2; width <= wave; width *= 2) {
    check::Buffer<int> out(n * 4);
    shuffles<<<1, n>>>(out, width);
    FINISH();
    auto got = out.get();
    for (int t = 0; t < n; ++t) {
      int base = t / width * width, in = t % width;
      CHECK_EQ(got[t * 4 + 0], (base + 3 % width) * 10);
      CHECK_EQ(got[t * 4 + 1], (in >= 2 ? t - 2 : t) * 10);
      CHECK_EQ(got[t * 4 + 2], (in + 5 < width ? t + 5 : t) * 10);
      CHECK_EQ(got[t * 4 + 3], (t ^ 1) * 10);
    }
  }
}

template <class T> __global__ void rotate_lanes(T* out) {
  int t = threadIdx.x;
  out[t] = __shfl(T(t) + T(1) / T(2), (t + 1) % warpSize);
}

template <class T> void check_type() {
  int wave = check::wave_size();
  check::Buffer<T> out(wave);
  rotate_lanes<T><<<1, wave>>>(out);
  FINISH();
  auto got = out.get();
  for (int t = 0; t < wave; ++t)
    CHECK_EQ(got[t], T((t + 1) % wave) + T(1) / T(2));
}

TEST(shuffle_types) {
  check_type<int>();
  check_type<unsigned>();
  check_type<long long>();
  check_type<unsigned long long>();
  check_type<float>();
  check_type<double>();
}

__global__ void votes(u64* out, int threshold) {
  int t = threadIdx.x;
  u64 all = __ballot(t % 3 == 0);
  u64 part = 0;
  if (t % 2 == 0)
    part = __ballot(t < threshold);
  out[t * 5 + 0] = all;
  out[t * 5 + 1] = part;
  out[t * 5 + 2] = __any(t == threshold);
  out[t * 5 + 3] = __all(t < threshold);
  out[t * 5 + 4] = __activemask();
}

TEST(votes_and_divergent_ballot) {
  int wave = check::wave_size();
  for (int n : {wave, wave - 5, 2 * wave + 7})
    for (int threshold : {0, 11, wave + 3, 1000}) {
      check::Buffer<u64> out(n * 5);
      votes<<<1, n>>>(out, threshold);
      FINISH();
      auto got = out.get();
      for (int t = 0; t < n; ++t) {
        u64 all = 0, part = 0, active = 0;
        bool any = false, every = true;
        for (int lane = 0; lane < wave; ++lane) {
          int u = t / wave * wave + lane;
          if (u >= n)
            continue;
          active |= 1ull << lane;
          all |= u64(u % 3 == 0) << lane;
          part |= u64(u % 2 == 0 && u < threshold) << lane;
          any |= u == threshold;
          every &= u < threshold;
        }
        CHECK_EQ(got[t * 5 + 0], all);
        CHECK_EQ(got[t * 5 + 1], t % 2 == 0 ? part : 0);
        CHECK_EQ(got[t * 5 + 2], u64(any));
        CHECK_EQ(got[t * 5 + 3], u64(every));
        CHECK_EQ(got[t * 5 + 4], active);
      }
    }
}

// Lane t goes round t % 7 times and skips every third round, so that lanes meet the ballot in different rounds: lanes of
// different rounds must not be mixed up.
__global__ void rounds(u64* out) {
  int t = threadIdx.x;
  u64 history = 0;
  for (int round = 0; round < t % 7; ++round) {
    if ((t + round) % 3 == 0)
      continue;
    history = history * 31 + __ballot(1) * (round + 1);
  }
  u64 after = __ballot(1); // all are together again
  out[t * 2] = history;
  out[t * 2 + 1] = after;
}

TEST(divergent_loops_reconverge) {
  int wave = check::wave_size();
  check::Buffer<u64> out(wave * 2);
  rounds<<<1, wave>>>(out);
  FINISH();
  auto got = out.get();
  u64 everyone = wave == 64 ? ~0ull : (1ull << wave) - 1;
  for (int t = 0; t < wave; ++t) {
    u64 history = 0;
    for (int round = 0; round < t % 7; ++round) {
      if ((t + round) % 3 == 0)
        continue;
      u64 together = 0;
      for (int u = 0; u < wave; ++u)
        together |= u64(round < u % 7 && (u + round) % 3 != 0) << u;
      history = history * 31 + together * (round + 1);
    }
    CHECK_EQ(got[t * 2], history);
    CHECK_EQ(got[t * 2 + 1], everyone);
  }
}

// Nested loops with a break that depends on the lane, and if/else arms that both vote.
__global__ void nested(u64* out, int bound) {
  int t = threadIdx.x;
  u64 history = 1;
  for (int i = 0; i < bound; ++i) {
    for (int j = 0;; ++j) {
      if (j == (t + i) % 4)
        break;
      history = history * 7 + __popcll(__ballot(1));
    }
    if (t & 4)
      history = history * 11 + __ballot(t & 1);
    else
      history = history * 13 + __ballot(t & 2);
  }
  out[t] = history;
}

TEST(nested_divergence) {
  int wave = check::wave_size(), bound = 5;
  check::Buffer<u64> out(wave);
  nested<<<1, wave>>>(out, bound);
  FINISH();
  auto got = out.get();
  for (int t = 0; t < wave; ++t) {
    u64 history = 1;
    for (int i = 0; i < bound; ++i) {
      for (int j = 0; j < (t + i) % 4; ++j) {
        int together = 0;
        for (int u = 0; u < wave; ++u)
          together += j < (u + i) % 4;
        history = history * 7 + together;
      }
      u64 mask = 0;
      for (int u = 0; u < wave; ++u)
        if ((u & 4) == (t & 4))
          mask |= u64((t & 4) ? (u & 1) != 0 : (u & 2) != 0) << u;
      history = history * ((t & 4) ? 11 : 13) + mask;
    }
    CHECK_EQ(got[t], history);
  }
}

__global__ void reduce(const int* in, int* out, int n) {
  __shared__ int partial[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int sum = i < n ? in[i] : 0;
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down(sum, offset);
  if (t % warpSize == 0)
    partial[t / warpSize] = sum;
  __syncthreads();
  int waves = (blockDim.x + warpSize - 1) / warpSize;
  if (t < warpSize) {
    sum = t < waves ? partial[t] : 0;
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      sum += __shfl_down(sum, offset);
    if (t == 0)
      atomicAdd(out, sum);
  }
}

TEST(block_reduction) {
  int n = 100000;
  std::vector<int> input(n);
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += input[i] = i % 1000 - 300;
  check::Buffer<int> in(input), out(1);
  reduce<<<(n + 511) / 512, 512>>>(in, out, n);
  FINISH();
  CHECK_EQ(out.get()[0], expected);
}

__global__ void lanes(int* out) {
  int t = threadIdx.x;
  out[t * 3] = __lane_id();
  out[t * 3 + 1] = warpSize;
  out[t * 3 + 2] = __builtin_amdgcn_readfirstlane(t);
}

TEST(lane_ids) {
  int wave = check::wave_size(), n = wave * 2 + 3;
  check::Buffer<int> out(n * 3);
  lanes<<<1, n>>>(out);
  FINISH();
  auto got = out.get();
  for (int t = 0; t < n; ++t) {
    CHECK_EQ(got[t * 3], t % wave);
    CHECK_EQ(got[t * 3 + 1], wave);
    CHECK_EQ(got[t * 3 + 2], t / wave * wave);
  }
}
