// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B in tiles of 16x16, each loaded into LDS once a block; sizes that are no multiples of the tile.
#include "tour.h"

constexpr int tile = 16;

__global__ void __launch_bounds__(tile* tile)
    matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[tile][tile], tb[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int base = 0; base < k; base += tile) {
    ta[y][x] = row < m && base + x < k ? a[row * k + base + x] : 0;
    tb[y][x] = base + y < k && column < n ? b[(base + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += ta[y][i] * tb[i][x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

tour::Outcome tour::matmul() {
  const int m = 100, n = 90, k = 110;
  Random random;
  const auto a = random.floats(m * k, -1, 1), b = random.floats(k * n, -1, 1);
  Buffer<float> da(a), db(b), dc(m * n);
  const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile), threads(tile, tile);
  auto launch = [&] { matmul_kernel<<<grid, threads>>>(da.get(), db.get(), dc.get(), m, n, k); };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<double> expected(m * n);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < n; ++j)
        expected[i * n + j] += (double)a[i * k + l] * b[l * n + j];
  outcome.error = max_error(dc.download(), expected);
  outcome.tolerance = 1e-4; // k roundings of sums below sqrt(k)
  outcome.run_ms = best_ms(launch);
  return outcome;
}
