// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that go wrong, one a run (faults NAME): the process must live, and say what happened. faults_test.py checks the
// output: the error's HIP name on stdout, the explanation on stderr.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void trap(int n) {
  if (threadIdx.x == 5 && blockIdx.x == 2 && n > 0)
    __builtin_trap();
}

__global__ void null_store(int* p, int n) {
  if (threadIdx.x == 7)
    p[n] = 1;
}

__device__ __noinline__ int deep(int depth, volatile int* seed) {
  volatile int frame[256];
  for (int i = 0; i < 256; ++i)
    frame[i] = *seed + i;
  return depth <= 0 ? frame[0] : deep(depth + 1, seed) + frame[depth % 256];
}

__global__ void stack_overflow(int* p, int n) { *p = deep(n, p); }

__global__ void failing_assert(int limit) {
  int value = int(threadIdx.x) + 100 * int(blockIdx.x);
  assert(value < limit && "too large");
}

// Half of a wave waits at a barrier that the other half never reaches.
__global__ void divergent_barrier(int* p) {
  if (threadIdx.x < 16) {
    for (int i = 0; i < 10; ++i) {
      __syncthreads();
      p[threadIdx.x] += i;
    }
  } else {
    __syncthreads();
    p[threadIdx.x] = 1;
    if (__ballot(1) != 0)
      __syncthreads();
  }
}

__global__ void amd_assembly(int* p) { asm volatile("v_mov_b32 %0, 5" : "=v"(*p)); }

__global__ void division(int* p) { p[1] = p[0] / p[2]; } // integer division by zero: undefined, but not the end of the process

__global__ void healthy(int* p) { p[0] = 123; }

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  int* p;
  if (hipMalloc(&p, 4096) != hipSuccess || hipMemset(p, 0, 4096) != hipSuccess)
    return 3;
  if (!std::strcmp(name, "trap"))
    trap<<<4, 32>>>(1);
  else if (!std::strcmp(name, "null_store"))
    null_store<<<1, 32>>>(nullptr, 3);
  else if (!std::strcmp(name, "stack_overflow"))
    stack_overflow<<<1, 1>>>(p, 1);
  else if (!std::strcmp(name, "assert"))
    failing_assert<<<3, 64>>>(240);
  else if (!std::strcmp(name, "divergent_barrier"))
    divergent_barrier<<<1, 32>>>(p);
  else if (!std::strcmp(name, "amd_assembly"))
    amd_assembly<<<1, 1>>>(p);
  else if (!std::strcmp(name, "division"))
    division<<<1, 1>>>(p);
  else
    return 2;
  hipError_t launch = hipGetLastError();
  hipError_t finish = hipDeviceSynchronize();
  std::printf("launch: %s\nfinish: %s\n", hipGetErrorName(launch), hipGetErrorName(finish));
  if (!std::strcmp(name, "amd_assembly")) { // nothing ran, so the module's other kernels still work
    healthy<<<1, 1>>>(p);
    int value = 0;
    if (hipMemcpy(&value, p, sizeof(value), hipMemcpyDeviceToHost) != hipSuccess || value != 123)
      return 4;
    std::printf("other kernel: ok\n");
  }
  return 0;
}
