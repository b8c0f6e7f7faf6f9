// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accelerations of all bodies by all bodies; positions and masses pass through LDS in tiles of one block.
#include "tour.h"

constexpr unsigned block = 128;

__global__ void nbody_kernel(const float4* bodies, float3* accelerations, unsigned n, float softening) {
  __shared__ float4 tile[block];
  unsigned i = blockIdx.x * block + threadIdx.x;
  float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (unsigned base = 0; base < n; base += block) {
    tile[threadIdx.x] = base + threadIdx.x < n ? bodies[base + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned j = 0; j < block; ++j) {
      float4 other = tile[j];
      float3 d = make_float3(other.x - own.x, other.y - own.y, other.z - own.z);
      float inverse = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + softening);
      sum += d * (other.w * inverse * inverse * inverse);
    }
    __syncthreads();
  }
  if (i < n)
    accelerations[i] = sum;
}

tour::Outcome tour::nbody() {
  const unsigned n = 500;
  const float softening = 0.01f;
  Random random;
  std::vector<float4> bodies(n);
  for (float4& body : bodies)
    body =
        make_float4(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.5f, 2) / n);
  Buffer<float4> dbodies(bodies);
  Buffer<float3> daccelerations(n);
  auto launch = [&] {
    nbody_kernel<<<(n + block - 1) / block, block>>>(dbodies.get(), daccelerations.get(), n, softening);
  };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<double> expected;
  for (const float4& own : bodies) {
    double ax = 0, ay = 0, az = 0;
    for (const float4& other : bodies) {
      const double dx = (double)other.x - own.x, dy = (double)other.y - own.y, dz = (double)other.z - own.z;
      const double strength = other.w / std::pow(dx * dx + dy * dy + dz * dz + softening, 1.5);
      ax += dx * strength, ay += dy * strength, az += dz * strength;
    }
    expected.insert(expected.end(), {ax, ay, az});
  }
  std::vector<float> actual;
  for (const float3& a : daccelerations.download())
    actual.insert(actual.end(), {a.x, a.y, a.z});
  outcome.error = max_error(actual, expected);
  outcome.tolerance = 1e-4; // 500 additions of terms of at most 0.2, each within a few float ulps
  outcome.run_ms = best_ms(launch);
  return outcome;
}
