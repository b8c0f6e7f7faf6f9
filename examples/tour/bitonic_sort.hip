// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bitonic sort of 2^k keys: distances below a block are exchanged in LDS, longer ones in memory, a launch each.
#include "tour.h"

#include <algorithm>

constexpr int block = 512; // work-items; each block holds twice as many keys

__device__ void exchange(unsigned& a, unsigned& b, bool ascending) {
  if ((a > b) == ascending) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

// All steps of lengths from `first` to `last` whose distance is below a block's keys.
__global__ void local_steps(unsigned* keys, unsigned first, unsigned last) {
  __shared__ unsigned local[2 * block];
  unsigned t = threadIdx.x, base = blockIdx.x * 2 * block;
  local[t] = keys[base + t];
  local[t + block] = keys[base + t + block];
  for (unsigned length = first; length <= last; length *= 2)
    for (unsigned distance = min(length / 2, (unsigned)block); distance > 0; distance /= 2) {
      __syncthreads();
      unsigned i = 2 * t - (t & (distance - 1));
      exchange(local[i], local[i + distance], ((base + i) & length) == 0);
    }
  __syncthreads();
  keys[base + t] = local[t];
  keys[base + t + block] = local[t + block];
}

__global__ void global_step(unsigned* keys, unsigned length, unsigned distance) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned i = 2 * t - (t & (distance - 1));
  exchange(keys[i], keys[i + distance], (i & length) == 0);
}

tour::Outcome tour::bitonic_sort() {
  const unsigned n = 8192, blocks = n / (2 * block);
  Random random;
  std::vector<unsigned> keys(n);
  for (unsigned& key : keys)
    key = random.bits() * 2654435761u;
  Buffer<unsigned> dkeys(keys);
  auto launch = [&] {
    dkeys.upload(keys);
    local_steps<<<blocks, block>>>(dkeys.get(), 2, 2 * block);
    for (unsigned length = 4 * block; length <= n; length *= 2) {
      for (unsigned distance = length / 2; distance > block; distance /= 2)
        global_step<<<blocks, block>>>(dkeys.get(), length, distance);
      local_steps<<<blocks, block>>>(dkeys.get(), length, length);
    }
  };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<unsigned> expected = keys;
  std::sort(expected.begin(), expected.end());
  outcome.error = max_error(dkeys.download(), expected);
  outcome.run_ms = best_ms(launch);
  return outcome;
}
