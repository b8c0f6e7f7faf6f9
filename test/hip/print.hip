// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf: every conversion, strings, and the order of one work-item's messages. print_test.py checks the output.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void conversions(const char* from_host) {
  printf("int %d %i %5d|%-5d|%05d %+d\n", -1, 2, 3, 4, 5, 6);
  printf("unsigned %u %x %X %#x %o\n", 7u, 255u, 255u, 255u, 8u);
  printf("long %ld %lld %llu %lx\n", -5000000000l, -6000000000ll, 18446744073709551615ull, 0xabcdef0123ul);
  printf("float %f %.2f %e %g %8.3f|\n", 1.5f, 2.345, 12345.678, 0.0001, 3.14159);
  printf("char %c%c string %s %10s|%-6s|%.2s\n", 'o', 'k', "literal", "right", "left", "cut");
  printf("percent %% pointer %d\n", from_host == nullptr);
  printf("star %*d %.*f\n", 6, 42, 3, 2.71828);
  printf("no arguments\n");
  printf("short %hd %hhd size %zu\n", (short)-3, (signed char)-4, (size_t)99);
  const char* chosen = threadIdx.x == 0 ? "zero" : "other";
  printf("chosen %s\n", chosen);
}

__global__ void ordered() {
  for (int i = 0; i < 3; ++i)
    printf("block %d thread %d step %d\n", (int)blockIdx.x, (int)threadIdx.x, i);
  __syncthreads();
  printf("block %d thread %d last\n", (int)blockIdx.x, (int)threadIdx.x);
}

__global__ void returns(int* out) { *out = printf("x\n"); }

int main() {
  conversions<<<1, 1>>>(nullptr);
  (void)hipDeviceSynchronize();
  ordered<<<3, 40>>>();
  (void)hipDeviceSynchronize();
  return hipGetLastError() != hipSuccess;
}
