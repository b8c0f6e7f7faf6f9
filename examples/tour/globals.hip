// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the module: a polynomial in constant memory, set by the host; a table with an initialiser; a counter
// that the kernel changes and the host reads; all through their names.
#include "tour.h"

constexpr int degree = 6;

__constant__ double coefficients[degree + 1];
__device__ const int weights[4] = {1, -2, 3, -4};
__device__ unsigned long long evaluated = 1000;

__global__ void polynomial_kernel(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int d = degree; d >= 0; --d)
    sum = sum * x[i] + coefficients[d];
  y[i] = sum * weights[i % 4];
  atomicAdd(&evaluated, 1ull);
}

tour::Outcome tour::globals() {
  const int n = 3001;
  Random random;
  std::vector<double> x(n), expected(n);
  for (double& value : x)
    value = random.uniform(-1, 1);
  const double table[degree + 1] = {1, -0.5, 0.25, 3, -2, 0.125, 7};
  const unsigned long long start = 17;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), table, sizeof table));
  unsigned long long initial = 0, count = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&initial, HIP_SYMBOL(evaluated), sizeof initial));
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(evaluated), &start, sizeof start));
  Buffer<double> dx(x), dy(n);
  auto launch = [&] { polynomial_kernel<<<(n + 63) / 64, 64>>>(dx.get(), dy.get(), n); };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  HIP_CHECK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(evaluated), sizeof count));
  const int signs[4] = {1, -2, 3, -4};
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int d = 0; d <= degree; ++d)
      sum += table[d] * std::pow(x[i], d);
    expected[i] = sum * signs[i % 4];
  }
  outcome.error = max_error(dy.download(), expected, true);
  outcome.tolerance = 1e-13; // seven terms in double
  if (initial != 1000 || count != start + n) {
    outcome.error = INFINITY;
    outcome.note = "the counter began as " + std::to_string(initial) + " and ended as " + std::to_string(count);
  }
  outcome.run_ms = best_ms(launch);
  return outcome;
}
