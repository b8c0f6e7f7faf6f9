// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = a x + y: one work-item an element, the length not a multiple of the block.
#include "tour.h"

__global__ void saxpy_kernel(float a, const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a * x[i] + y[i];
}

tour::Outcome tour::saxpy() {
  const int n = 100003;
  const float a = 2.5f;
  Random random;
  const auto x = random.floats(n, -100, 100), y = random.floats(n, -100, 100);
  Buffer<float> dx(x), dy(y), out(n);
  auto launch = [&] { saxpy_kernel<<<(n + 255) / 256, 256>>>(a, dx.get(), dy.get(), out.get(), n); };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = (double)a * x[i] + y[i];
  outcome.error = max_error(out.download(), expected, true);
  outcome.tolerance = 1e-5; // two roundings to float, with cancellation
  outcome.run_ms = best_ms(launch);
  return outcome;
}
