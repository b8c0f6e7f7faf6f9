// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations until escape, with lanes that leave the loop at different times. No multiplication is fused with an
// addition on either side, so host and device must agree to the last count.
#include "tour.h"

__global__ void mandelbrot_kernel(unsigned short* counts, int width, int height, int limit) {
#pragma clang fp contract(off)
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float cr = -2.0f + 3.0f * x / width, ci = -1.25f + 2.5f * y / height;
  float zr = 0, zi = 0;
  int count = 0;
  while (count < limit && zr * zr + zi * zi <= 4.0f) {
    float next = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = next;
    ++count;
  }
  counts[y * width + x] = (unsigned short)count;
}

namespace {

int escape_time(float cr, float ci, int limit) {
#pragma clang fp contract(off)
  float zr = 0, zi = 0;
  for (int count = 0; count < limit; ++count) {
    const float rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4.0f)
      return count;
    zi = 2.0f * zr * zi + ci;
    zr = rr - ii + cr;
  }
  return limit;
}

} // namespace

tour::Outcome tour::mandelbrot() {
  const int width = 120, height = 90, limit = 200;
  Buffer<unsigned short> counts(width * height);
  const dim3 threads(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  auto launch = [&] { mandelbrot_kernel<<<grid, threads>>>(counts.get(), width, height, limit); };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<int> expected(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
#pragma clang fp contract(off)
      expected[y * width + x] = escape_time(-2.0f + 3.0f * x / width, -1.25f + 2.5f * y / height, limit);
    }
  outcome.error = max_error(counts.download(), expected);
  outcome.run_ms = best_ms(launch);
  return outcome;
}
