// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that go wrong, one a run (faults NAME): the process must live, and say what happened. faults_test.py checks the
// output: the error's HIP name on stdout, the explanation on stderr.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

// A barrier in a function that is called through a table.
__device__ __noinline__ int meet(int* p) {
  __syncthreads();
  return p[threadIdx.x];
}
__device__ __noinline__ int alone(int* p) { return p[0]; }
__device__ int (*choices[2])(int*) = {alone, meet};
__global__ void pointer_to_barrier(int* p, int which) { p[threadIdx.x] = choices[which](p); }

// After a fault a static object's destructor calls HIP, when the main thread's own objects are gone already.
struct AtExit {
  int* memory = nullptr;
  ~AtExit() {
    if (!memory)
      return;
    hipError_t error = hipFree(memory);
    std::printf("at exit: %s\n", hipGetErrorName(error));
    healthy<<<1, 1>>>(memory);
    std::printf("launch at exit: %s\n", hipGetErrorName(hipGetLastError()));
  }
} at_exit;

// A child process without the parent's threads: calls fail, and it can leave.
int forks(int* p) {
  healthy<<<4, 32>>>(p);
  healthy<<<1, 1, 0, hipStreamPerThread>>>(p);
  hipEvent_t event;
  if (hipEventCreate(&event) != hipSuccess || hipDeviceSynchronize() != hipSuccess)
    return 3;
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    healthy<<<4, 32>>>(p);
    std::printf("child: %s, %s\n", hipGetErrorName(hipGetLastError()), hipGetErrorName(hipDeviceSynchronize()));
    std::exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  healthy<<<4, 32>>>(p);
  std::printf("child's status: %d\nparent: %s\n", status, hipGetErrorName(hipDeviceSynchronize()));
  return 0;
}

// No room for another thread.
int streams_without_memory() {
  std::FILE* sizes = std::fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (!sizes || std::fscanf(sizes, "%lu", &pages) != 1)
    return 3;
  std::fclose(sizes);
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  const auto before = limit.rlim_cur;
  limit.rlim_cur = pages * 4096 + (6 << 20);
  setrlimit(RLIMIT_AS, &limit);
  hipStream_t stream;
  std::printf("stream: %s\n", hipGetErrorName(hipStreamCreate(&stream)));
  limit.rlim_cur = before;
  setrlimit(RLIMIT_AS, &limit);
  std::printf("again: %s\n", hipGetErrorName(hipStreamCreate(&stream)));
  return 0;
}

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
  else if (!std::strcmp(name, "pointer_to_barrier"))
    pointer_to_barrier<<<1, 32>>>(p, 1);
  else if (!std::strcmp(name, "at_exit"))
    null_store<<<1, 32>>>(at_exit.memory = p, -(1 << 30));
  else if (!std::strcmp(name, "fork"))
    return forks(p);
  else if (!std::strcmp(name, "streams_without_memory"))
    return streams_without_memory();
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
