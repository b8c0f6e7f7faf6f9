// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __syncthreads and its counting forms: in loops, in inlined functions, in blocks of any shape and size.
#include "check.h"

template <int Rounds> __global__ void rotate(int* out) {
  __shared__ int ring[1024];
  int t = threadIdx.x, n = blockDim.x;
  ring[t] = t;
  for (int round = 0; round < Rounds; ++round) {
    __syncthreads();
    int value = ring[(t + 1) % n];
    __syncthreads();
    ring[t] = value;
  }
  out[blockIdx.x * n + t] = ring[t];
}

TEST(barrier_in_loop_all_block_sizes) {
  for (int n : {1, 2, 31, 32, 33, 63, 64, 65, 100, 256, 1000, 1024}) {
    check::Buffer<int> out(3 * n);
    rotate<7><<<3, n>>>(out);
    FINISH();
    auto got = out.get();
    for (int i = 0; i < 3 * n; ++i)
      CHECK_EQ(got[i], (i % n + 7) % n);
  }
}

__device__ int tree_sum(int* scratch, int value) {
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int n = blockDim.x * blockDim.y * blockDim.z;
  scratch[t] = value;
  __syncthreads();
  for (int width = 512; width > 0; width /= 2) {
    if (t < width && t + width < n)
      scratch[t] += scratch[t + width];
    __syncthreads();
  }
  int sum = scratch[0];
  __syncthreads();
  return sum;
}

__global__ void sums(int* out, int twice) {
  __shared__ int scratch[1024];
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int sum = tree_sum(scratch, t + 1);
  if (twice) // uniform branch with a barrier inside
    sum += tree_sum(scratch, 1);
  out[(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * blockDim.x * blockDim.y * blockDim.z + t] = sum;
}

TEST(barrier_in_function_3d) {
  dim3 grid(2, 3, 2), block(5, 7, 3);
  int n = 5 * 7 * 3, blocks = 12;
  for (int twice : {0, 1}) {
    check::Buffer<int> out(n * blocks);
    sums<<<grid, block>>>(out, twice);
    FINISH();
    for (int value : out.get())
      CHECK_EQ(value, n * (n + 1) / 2 + twice * n);
  }
}

__global__ void early_return(int* out, int live) {
  __shared__ int box[256];
  int t = threadIdx.x;
  if (t >= live)
    return; // exited work-items do not count at a barrier
  box[t] = t * 3;
  __syncthreads();
  out[t] = box[live - 1 - t];
}

TEST(early_return_before_barrier) {
  for (int live : {1, 17, 32, 45, 64, 200, 256}) {
    check::Buffer<int> out(256, -1);
    early_return<<<1, 256>>>(out, live);
    FINISH();
    auto got = out.get();
    for (int t = 0; t < 256; ++t)
      CHECK_EQ(got[t], t < live ? (live - 1 - t) * 3 : -1);
  }
}

__global__ void counting(int* out, int threshold) {
  int t = threadIdx.x;
  out[t * 3 + 0] = __syncthreads_count(t < threshold);
  out[t * 3 + 1] = __syncthreads_and(t < threshold) != 0;
  out[t * 3 + 2] = __syncthreads_or(t < threshold) != 0;
}

TEST(syncthreads_count_and_or) {
  for (int n : {1, 33, 200, 1024})
    for (int threshold : {0, 1, 40, 2000}) {
      check::Buffer<int> out(3 * n);
      counting<<<1, n>>>(out, threshold);
      FINISH();
      auto got = out.get();
      int expected = threshold < n ? threshold : n;
      for (int t = 0; t < n; ++t) {
        CHECK_EQ(got[t * 3], expected);
        CHECK_EQ(got[t * 3 + 1], int(expected == n));
        CHECK_EQ(got[t * 3 + 2], int(expected > 0));
      }
    }
}

extern __shared__ double dynamic[];

__global__ void dynamic_lds(double* out) {
  __shared__ int fixed[64];
  int t = threadIdx.x, n = blockDim.x;
  fixed[t % 64] = 1; // must not overlap with the dynamic part
  dynamic[t] = t * 0.5;
  __syncthreads();
  out[t] = dynamic[n - 1 - t] + fixed[0];
}

TEST(dynamic_shared_memory) {
  int n = 500;
  check::Buffer<double> out(n);
  dynamic_lds<<<1, n, n * sizeof(double)>>>(out);
  FINISH();
  auto got = out.get();
  for (int t = 0; t < n; ++t)
    CHECK_EQ(got[t], (n - 1 - t) * 0.5 + 1);
}

// The loop ends for all at once, decided by what the block computed together.
__global__ void until_sorted(int* data, int* rounds) {
  __shared__ int values[512];
  __shared__ int changed;
  int t = threadIdx.x, n = blockDim.x, count = 0;
  values[t] = data[t];
  do {
    __syncthreads();
    if (t == 0)
      changed = 0;
    __syncthreads();
    for (int phase = 0; phase < 2; ++phase) {
      if ((t & 1) == phase && t + 1 < n && values[t] > values[t + 1]) {
        int swap = values[t];
        values[t] = values[t + 1];
        values[t + 1] = swap;
        changed = 1;
      }
      __syncthreads();
    }
    ++count;
  } while (changed);
  data[t] = values[t];
  if (t == 0)
    *rounds = count;
}

TEST(odd_even_sort) {
  int n = 300;
  std::vector<int> input(n);
  unsigned seed = 7;
  for (int& value : input)
    value = (seed = seed * 1664525u + 1013904223u) >> 20;
  check::Buffer<int> data(input), rounds(1);
  until_sorted<<<1, n>>>(data, rounds);
  FINISH();
  auto got = data.get();
  long sum = 0, expected = 0;
  for (int i = 0; i < n; ++i) {
    CHECK(i == 0 || got[i - 1] <= got[i]);
    sum += got[i];
    expected += input[i];
  }
  CHECK_EQ(sum, expected);
  CHECK(rounds.get()[0] > 1);
}
