// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events, callbacks, host threads that launch at the same time, and launch errors.
#include "check.h"

#include <atomic>
#include <thread>

__global__ void spin_add(int* data, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int round = 0; round < rounds; ++round)
      data[i] = data[i] * 3 + round;
}

static int after(int rounds) {
  unsigned value = 0;
  for (int round = 0; round < rounds; ++round)
    value = value * 3u + unsigned(round);
  return int(value);
}

TEST(stream_order) {
  int n = 10000;
  hipStream_t streams[3];
  std::vector<std::vector<int>> results(3, std::vector<int>(n));
  int* data[3];
  for (int s = 0; s < 3; ++s) {
    HIP(hipStreamCreate(&streams[s]));
    HIP(hipMalloc(&data[s], n * sizeof(int)));
    HIP(hipMemsetAsync(data[s], 0, n * sizeof(int), streams[s]));
    for (int k = 0; k < 5; ++k)
      spin_add<<<(n + 255) / 256, 256, 0, streams[s]>>>(data[s], n, 3);
    HIP(hipMemcpyAsync(results[s].data(), data[s], n * sizeof(int), hipMemcpyDeviceToHost, streams[s]));
  }
  unsigned expected = 0;
  for (int k = 0; k < 5; ++k)
    for (int round = 0; round < 3; ++round)
      expected = expected * 3u + unsigned(round);
  for (int s = 0; s < 3; ++s) {
    HIP(hipStreamSynchronize(streams[s]));
    HIP(hipStreamQuery(streams[s]));
    for (int value : results[s])
      CHECK_EQ(value, int(expected));
    HIP(hipFree(data[s]));
    HIP(hipStreamDestroy(streams[s]));
  }
}

TEST(events) {
  int n = 1 << 18;
  check::Buffer<int> data(n);
  hipEvent_t start, stop;
  HIP(hipEventCreate(&start));
  HIP(hipEventCreate(&stop));
  float ms = -1;
  CHECK_EQ(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle); // never recorded
  (void)hipGetLastError();
  HIP(hipEventRecord(start));
  spin_add<<<n / 256, 256>>>(data, n, 200);
  HIP(hipEventRecord(stop));
  HIP(hipEventSynchronize(stop));
  HIP(hipEventElapsedTime(&ms, start, stop));
  CHECK(ms > 0 && ms < 60000);
  HIP(hipEventQuery(stop));
  HIP(hipEventDestroy(start));
  HIP(hipEventDestroy(stop));
  CHECK_EQ(data.get()[n - 1], after(200));
}

TEST(wait_event_across_streams) {
  int n = 1 << 16;
  check::Buffer<int> data(n);
  hipStream_t first, second;
  hipEvent_t done;
  HIP(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  HIP(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  HIP(hipEventCreateWithFlags(&done, hipEventDisableTiming));
  spin_add<<<n / 256, 256, 0, first>>>(data, n, 100);
  HIP(hipEventRecord(done, first));
  HIP(hipStreamWaitEvent(second, done, 0));
  std::vector<int> got(n);
  HIP(hipMemcpyAsync(got.data(), data, n * sizeof(int), hipMemcpyDeviceToHost, second));
  HIP(hipStreamSynchronize(second));
  for (int value : got)
    CHECK_EQ(value, after(100));
  HIP(hipEventDestroy(done));
  HIP(hipStreamDestroy(first));
  HIP(hipStreamDestroy(second));
}

TEST(host_function) {
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  static std::atomic<int> order;
  order = 0;
  check::Buffer<int> data(256);
  spin_add<<<1, 256, 0, stream>>>(data, 256, 50);
  HIP(hipLaunchHostFunc(stream, [](void* target) { static_cast<std::atomic<int>*>(target)->fetch_add(1); }, &order));
  HIP(hipStreamAddCallback(
      stream, [](hipStream_t, hipError_t status, void* target) { static_cast<std::atomic<int>*>(target)->fetch_add(status == hipSuccess ? 10 : 1000); },
      &order, 0));
  HIP(hipStreamSynchronize(stream));
  CHECK_EQ(order.load(), 11);
  HIP(hipStreamDestroy(stream));
}

TEST(many_host_threads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int id = 0; id < 8; ++id)
    threads.emplace_back([&wrong] {
      int n = 512;
      int* data;
      hipStream_t stream;
      bool ok = hipStreamCreate(&stream) == hipSuccess && hipMalloc(&data, n * sizeof(int)) == hipSuccess;
      for (int repeat = 0; ok && repeat < 20; ++repeat) {
        std::vector<int> got(n);
        ok = hipMemsetAsync(data, 0, n * sizeof(int), stream) == hipSuccess;
        spin_add<<<2, 256, 0, stream>>>(data, n, 10);
        ok = ok && hipMemcpyAsync(got.data(), data, n * sizeof(int), hipMemcpyDeviceToHost, stream) == hipSuccess &&
             hipStreamSynchronize(stream) == hipSuccess;
        for (int value : got)
          ok = ok && value == after(10);
      }
      ok = ok && hipFree(data) == hipSuccess && hipStreamDestroy(stream) == hipSuccess;
      wrong += !ok;
    });
  for (auto& thread : threads)
    thread.join();
  CHECK_EQ(wrong.load(), 0);
}

__global__ void count_blocks(unsigned long long* count) {
  if (threadIdx.x == 0)
    atomicAdd(count, 1ull);
}

TEST(large_and_wrong_grids) {
  check::Buffer<unsigned long long> count(1);
  count_blocks<<<dim3(100003, 7, 3), 1>>>(count);
  FINISH();
  CHECK_EQ(count.get()[0], 100003ull * 21);
  count_blocks<<<1, 1025>>>(count); // more than a block may have
  CHECK_EQ(hipGetLastError(), hipErrorInvalidConfiguration);
  count_blocks<<<0, 32>>>(count);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidConfiguration);
  count_blocks<<<1, 32, 1 << 20>>>(count); // more LDS than there is
  CHECK(hipGetLastError() != hipSuccess);
  FINISH();
  CHECK_EQ(count.get()[0], 100003ull * 21);
}

__launch_bounds__(64) __global__ void bounded(int* out) { out[threadIdx.x] = 1; }

TEST(launch_bounds) {
  check::Buffer<int> out(128);
  bounded<<<1, 64>>>(out);
  FINISH();
  CHECK_EQ(out.get()[63], 1);
  bounded<<<1, 128>>>(out);
  CHECK(hipGetLastError() != hipSuccess);
  hipFuncAttributes attributes;
  HIP(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&bounded)));
  CHECK_EQ(attributes.maxThreadsPerBlock, 64);
}
