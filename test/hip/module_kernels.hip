// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that module.hip loads at run time.
#include <hip/hip_runtime.h>

__device__ float factor = 1.0f;

extern "C" __global__ void scale(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}
