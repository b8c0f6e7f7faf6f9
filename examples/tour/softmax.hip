// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The softmax of each row: a block a row, maximum and sum by a tree in LDS.
#include "tour.h"

constexpr unsigned block = 128;

template <class F> __device__ float block_reduce(float value, float* part, F combine) {
  part[threadIdx.x] = value;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + half]);
  }
  __syncthreads();
  float result = part[0];
  __syncthreads();
  return result;
}

__global__ void softmax_kernel(const float* in, float* out, unsigned columns) {
  __shared__ float part[block];
  const float* row = in + (size_t)blockIdx.x * columns;
  float top = -INFINITY;
  for (unsigned i = threadIdx.x; i < columns; i += block)
    top = fmaxf(top, row[i]);
  top = block_reduce(top, part, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (unsigned i = threadIdx.x; i < columns; i += block)
    sum += expf(row[i] - top);
  sum = block_reduce(sum, part, [](float a, float b) { return a + b; });
  for (unsigned i = threadIdx.x; i < columns; i += block)
    out[(size_t)blockIdx.x * columns + i] = expf(row[i] - top) / sum;
}

tour::Outcome tour::softmax() {
  const unsigned rows = 30, columns = 333;
  Random random;
  const auto in = random.floats(rows * columns, -20, 20);
  Buffer<float> din(in), dout(rows * columns);
  auto launch = [&] { softmax_kernel<<<rows, block>>>(din.get(), dout.get(), columns); };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<double> expected(in.size());
  for (unsigned r = 0; r < rows; ++r) {
    double sum = 0;
    for (unsigned c = 0; c < columns; ++c)
      sum += std::exp((double)in[r * columns + c]);
    for (unsigned c = 0; c < columns; ++c)
      expected[r * columns + c] = std::exp((double)in[r * columns + c]) / sum;
  }
  outcome.error = max_error(dout.download(), expected);
  outcome.tolerance = 2e-6; // of a probability
  outcome.run_ms = best_ms(launch);
  return outcome;
}
