// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// European options by the Black-Scholes formula: exp, log, sqrt and erfc of the device's mathematical library.
#include "tour.h"

__device__ float cumulative_normal(float x) {
  return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void black_scholes_kernel(const float* price, const float* strike, const float* years, float rate,
                                     float volatility, float2* call_put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = price[i], k = strike[i], t = years[i];
  float spread = volatility * sqrtf(t);
  float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / spread, d2 = d1 - spread;
  float discounted = k * expf(-rate * t);
  float call = s * cumulative_normal(d1) - discounted * cumulative_normal(d2);
  call_put[i] = make_float2(call, call + discounted - s);
}

tour::Outcome tour::black_scholes() {
  const int n = 10007;
  const float rate = 0.02f, volatility = 0.3f;
  Random random;
  const auto price = random.floats(n, 5, 30), strike = random.floats(n, 1, 100), years = random.floats(n, 0.25f, 10);
  Buffer<float> dprice(price), dstrike(strike), dyears(years);
  Buffer<float2> dresult(n);
  auto launch = [&] {
    black_scholes_kernel<<<(n + 255) / 256, 256>>>(dprice.get(), dstrike.get(), dyears.get(), rate, volatility,
                                                   dresult.get(), n);
  };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<double> expected;
  std::vector<float> actual;
  for (int i = 0; i < n; ++i) {
    const double s = price[i], k = strike[i], t = years[i], v = volatility * std::sqrt(t);
    const double d1 = (std::log(s / k) + (rate + 0.5 * volatility * volatility) * t) / v, d2 = d1 - v;
    const double discounted = k * std::exp(-rate * t);
    auto normal = [](double x) { return 0.5 * (1 + std::erf(x / std::sqrt(2.0))); };
    expected.insert(expected.end(),
                    {s * normal(d1) - discounted * normal(d2), discounted * normal(-d2) - s * normal(-d1)});
  }
  for (const float2& result : dresult.download())
    actual.insert(actual.end(), {result.x, result.y});
  outcome.error = max_error(actual, expected);
  outcome.tolerance = 1e-4; // prices up to 100 in float: about ten ulps
  outcome.run_ms = best_ms(launch);
  return outcome;
}
