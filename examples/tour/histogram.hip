// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram of bytes: counted in LDS with atomics, then added to the result with global atomics.
#include "tour.h"

constexpr int bins = 256;

__global__ void histogram_kernel(const unsigned* words, int n, unsigned* counts) {
  extern __shared__ unsigned local[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (unsigned word = words[i], byte = 0; byte < 4; ++byte, word >>= 8)
      atomicAdd(&local[word & 0xff], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    if (local[i])
      atomicAdd(&counts[i], local[i]);
}

tour::Outcome tour::histogram() {
  const int n = 30011;
  Random random;
  std::vector<unsigned> words(n);
  for (unsigned& word : words)
    word = random.bits() & (random.bits() | 0x0f0f0f0f); // not uniform
  Buffer<unsigned> dwords(words), counts(bins);
  auto launch = [&] {
    counts.clear();
    histogram_kernel<<<16, 192, bins * sizeof(unsigned)>>>(dwords.get(), n, counts.get());
  };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<unsigned> expected(bins);
  for (unsigned word : words)
    for (int byte = 0; byte < 4; ++byte)
      ++expected[word >> 8 * byte & 0xff];
  outcome.error = max_error(counts.download(), expected);
  outcome.run_ms = best_ms(launch);
  return outcome;
}
