// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from the host's side: copies of every kind, symbols, managed and registered memory, and their errors.
#include "check.h"

#include <numeric>

__device__ int counter = 41;
__device__ int table[4] = {1, 2, 3, 4};
__constant__ float weights[3] = {0.5f, 0.25f, 0.125f};
__device__ int* where = &table[2]; // a variable that holds another's address
static __device__ unsigned hidden_state;
__managed__ int shared_value = 5;

__global__ void use_globals(float* out) {
  if (threadIdx.x == 0) {
    counter += 1;
    hidden_state += 3;
    *where += 10;
    out[0] = weights[0] + weights[1] + weights[2];
    out[1] = table[0] + table[1] + table[2] + table[3];
    out[2] = hidden_state;
    shared_value *= 2;
  }
}

__global__ void other_kernel(int* out) { *out = counter * 1000 + table[2]; }

TEST(symbols) {
  check::Buffer<float> out(3);
  use_globals<<<1, 32>>>(out);
  FINISH();
  auto got = out.get();
  CHECK_EQ(got[0], 0.875f);
  CHECK_EQ(got[1], 20.0f);
  CHECK_EQ(got[2], 3.0f);
  int value = 0;
  HIP(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof(value)));
  CHECK_EQ(value, 42);
  float replaced[3] = {1, 2, 4};
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(weights), replaced, sizeof(replaced)));
  int second = 100;
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(table), &second, sizeof(second), sizeof(int)));
  use_globals<<<1, 32>>>(out);
  check::Buffer<int> seen(1); // another kernel, compiled on its own, sees the same variables
  other_kernel<<<1, 1>>>(seen);
  FINISH();
  got = out.get();
  CHECK_EQ(got[0], 7.0f);
  CHECK_EQ(got[1], float(1 + 100 + 23 + 4));
  CHECK_EQ(got[2], 6.0f);
  CHECK_EQ(seen.get()[0], 43 * 1000 + 23);
  CHECK_EQ(shared_value, 20);
  void* address = nullptr;
  size_t size = 0;
  HIP(hipGetSymbolAddress(&address, HIP_SYMBOL(table)));
  HIP(hipGetSymbolSize(&size, HIP_SYMBOL(table)));
  CHECK_EQ(size, sizeof(int) * 4);
  HIP(hipMemcpy(&value, address, sizeof(int), hipMemcpyDeviceToHost));
  CHECK_EQ(value, 1);
  CHECK_EQ(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), 8), hipErrorInvalidValue); // past its end
  (void)hipGetLastError();
}

TEST(copies) {
  int n = 1000;
  std::vector<int> source(n), back(n);
  std::iota(source.begin(), source.end(), 7);
  int *a, *b;
  HIP(hipMalloc(&a, n * sizeof(int)));
  HIP(hipMalloc(&b, n * sizeof(int)));
  HIP(hipMemcpy(a, source.data(), n * sizeof(int), hipMemcpyHostToDevice));
  HIP(hipMemcpy(b, a, n * sizeof(int), hipMemcpyDeviceToDevice));
  HIP(hipMemcpy(back.data(), b, n * sizeof(int), hipMemcpyDefault));
  CHECK(back == source);
  HIP(hipMemset(a, 0x11, n * sizeof(int)));
  HIP(hipMemsetAsync(a, 0, 40, nullptr));
  HIP(hipMemcpy(back.data(), a, n * sizeof(int), hipMemcpyDeviceToHost));
  CHECK_EQ(back[9], 0);
  CHECK_EQ(back[10], 0x11111111);
  HIP(hipFree(a));
  HIP(hipFree(b));
  HIP(hipFree(nullptr));
}

TEST(copies_2d) {
  int width = 13, height = 9;
  size_t pitch = 0;
  char* image;
  HIP(hipMallocPitch(reinterpret_cast<void**>(&image), &pitch, width, height));
  CHECK(pitch >= size_t(width));
  std::vector<char> source(width * height), back(20 * height, 'x');
  for (int i = 0; i < width * height; ++i)
    source[i] = char('a' + i % 26);
  HIP(hipMemcpy2D(image, pitch, source.data(), width, width, height, hipMemcpyHostToDevice));
  HIP(hipMemcpy2D(back.data(), 20, image, pitch, width, height, hipMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 20; ++x)
      CHECK_EQ(back[y * 20 + x], x < width ? source[y * width + x] : 'x');
  HIP(hipMemset2D(image, pitch, 'z', 5, height));
  HIP(hipMemcpy2D(back.data(), 20, image, pitch, width, height, hipMemcpyDeviceToHost));
  CHECK_EQ(back[4], 'z');
  CHECK_EQ(back[5], source[5]);
  CHECK_EQ(hipMemcpy2D(image, 5, source.data(), width, width, height, hipMemcpyHostToDevice), hipErrorInvalidPitchValue);
  (void)hipGetLastError();
  HIP(hipFree(image));
}

__global__ void add_one(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += 1;
}

TEST(host_visible) {
  int n = 777;
  int *pinned, *managed;
  HIP(hipHostMalloc(reinterpret_cast<void**>(&pinned), n * sizeof(int), hipHostMallocDefault));
  HIP(hipMallocManaged(reinterpret_cast<void**>(&managed), n * sizeof(int)));
  std::vector<int> own(n);
  HIP(hipHostRegister(own.data(), n * sizeof(int), hipHostRegisterDefault));
  int* own_device = nullptr;
  HIP(hipHostGetDevicePointer(reinterpret_cast<void**>(&own_device), own.data(), 0));
  for (int i = 0; i < n; ++i)
    pinned[i] = managed[i] = own[i] = i;
  for (int* data : {pinned, managed, own_device})
    add_one<<<(n + 63) / 64, 64>>>(data, n);
  FINISH();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(pinned[i], i + 1);
    CHECK_EQ(managed[i], i + 1);
    CHECK_EQ(own[i], i + 1);
  }
  HIP(hipHostUnregister(own.data()));
  HIP(hipHostFree(pinned));
  HIP(hipFree(managed));
}

TEST(memory_errors) {
  void* pointer = nullptr;
  CHECK_EQ(hipMalloc(nullptr, 16), hipErrorInvalidValue);
  CHECK_EQ(hipMalloc(&pointer, size_t(1) << 62), hipErrorOutOfMemory);
  CHECK_EQ(hipFree(&pointer), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(nullptr, nullptr, 16, hipMemcpyDefault), hipErrorInvalidValue);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue);
  CHECK_EQ(hipGetLastError(), hipSuccess);
  HIP(hipMalloc(&pointer, 0));
  CHECK(pointer == nullptr);
  size_t free_bytes = 0, total_bytes = 0;
  HIP(hipMemGetInfo(&free_bytes, &total_bytes));
  CHECK(free_bytes > 0 && free_bytes <= total_bytes);
}
