// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, twice: as a tree in LDS, and by shuffles inside each wave with one value a wave in LDS. The second works for
// every wave size, which is asked at run time. Integers, so that the order of additions does not matter and the result
// is exact.
#include "tour.h"

constexpr int block = 256;

__global__ void tree_kernel(const int* in, long long* sums, int n) {
  __shared__ long long part[block];
  int t = threadIdx.x;
  long long sum = 0;
  for (int i = blockIdx.x * block + t; i < n; i += gridDim.x * block)
    sum += in[i];
  part[t] = sum;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      part[t] += part[t + half];
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void shuffle_kernel(const int* in, long long* sums, int n) {
  __shared__ long long part[block / 32]; // enough for the smallest wave
  int t = threadIdx.x;
  long long sum = 0;
  for (int i = blockIdx.x * block + t; i < n; i += gridDim.x * block)
    sum += in[i];
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    sum += __shfl_down(sum, distance);
  if (t % warpSize == 0)
    part[t / warpSize] = sum;
  __syncthreads();
  if (t == 0) {
    long long total = 0;
    for (int wave = 0; wave < block / warpSize; ++wave)
      total += part[wave];
    sums[blockIdx.x] = total;
  }
}

namespace {

tour::Outcome reduce(void (*kernel)(const int*, long long*, int)) {
  const int n = 200000, blocks = 24;
  tour::Random random;
  std::vector<int> in(n);
  for (int& value : in)
    value = (int)random.bits();
  tour::Buffer<int> din(in);
  tour::Buffer<long long> dsums(blocks);
  auto launch = [&] { kernel<<<blocks, block>>>(din.get(), dsums.get(), n); };

  tour::Outcome outcome;
  outcome.first_ms = tour::time_ms(launch);
  std::vector<long long> expected(blocks);
  for (int i = 0; i < n; ++i)
    expected[i / block % blocks] += in[i];
  outcome.error = tour::max_error(dsums.download(), expected);
  outcome.run_ms = tour::best_ms(launch);
  return outcome;
}

} // namespace

tour::Outcome tour::tree_reduction() {
  return reduce(tree_kernel);
}

tour::Outcome tour::shuffle_reduction() {
  return reduce(shuffle_kernel);
}
