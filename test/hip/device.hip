// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime says of a device against what the device does: the clocks and their rates, device-side allocation.
#include "check.h"

#include <chrono>

__global__ void wait_ticks(long long ticks, long long* out) {
  long long wall = wall_clock64(), cycles = clock64();
  while (wall_clock64() - wall < ticks) {
  }
  out[0] = clock64() - cycles;
  out[1] = wall_clock64() - wall;
}

static int attribute(hipDeviceAttribute_t which) {
  int value = 0;
  HIP(hipDeviceGetAttribute(&value, which, 0));
  return value;
}

TEST(clocks_tick_at_the_rates_that_are_told) {
  const double wall_khz = attribute(hipDeviceAttributeWallClockRate);
  const double cycles_khz = attribute(hipDeviceAttributeClockInstructionRate);
  hipDeviceProp_t properties;
  HIP(hipGetDeviceProperties(&properties, 0));
  CHECK_EQ(double(properties.clockInstructionRate), cycles_khz);
  CHECK(wall_khz > 0 && cycles_khz > 0);

  check::Buffer<long long> out(2);
  const int milliseconds = 60;
  wait_ticks<<<1, 1>>>(1, out); // compiled
  FINISH();
  auto start = std::chrono::steady_clock::now();
  wait_ticks<<<1, 1>>>((long long)(wall_khz * milliseconds), out);
  FINISH();
  double seen = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  double wall = out.get()[1] / wall_khz, cycles = out.get()[0] / cycles_khz; // both in ms
  CHECK(wall >= milliseconds && wall <= seen);
  CHECK(wall > seen - 1000); // whatever else the machine does meanwhile
  CHECK(cycles > wall * 0.98 && cycles < wall * 1.02);
}

__global__ void allocate(int* out) {
  int n = 10 + threadIdx.x;
  int* a = static_cast<int*>(malloc(n * sizeof(int)));
  int* b = new int[n];
  for (int i = 0; i < n; ++i)
    a[i] = b[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] + b[i];
  free(a);
  delete[] b;
  out[threadIdx.x] = sum;
}

TEST(memory_from_within_a_kernel) {
  check::Buffer<int> out(64);
  allocate<<<1, 64>>>(out);
  FINISH();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(out.get()[i], (10 + i) * (9 + i));
}
