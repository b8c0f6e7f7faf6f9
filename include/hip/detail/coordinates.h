/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where a work-item stands: threadIdx, blockIdx, blockDim, gridDim and warpSize. Each is an empty constant whose
 * members are properties, so that `threadIdx.x` is one intrinsic and no memory is behind it. gridDim is read from the
 * implicit kernel arguments (three 32-bit block counts at their start) and costs a scalar load, not a division.
 * warpSize is not a constant expression: one module serves waves of 32 and of 64.
 */
#ifndef HIP_DETAIL_COORDINATES_H
#define HIP_DETAIL_COORDINATES_H

#define __KILN_COORDINATE static __device__ __attribute__((__always_inline__, __const__)) inline unsigned

__KILN_COORDINATE __kiln_grid_dim_x() {
#ifdef __HIP_DEVICE_COMPILE__
  return ((const unsigned*)(const void*)__builtin_amdgcn_implicitarg_ptr())[0];
#else
  return 0;
#endif
}
__KILN_COORDINATE __kiln_grid_dim_y() {
#ifdef __HIP_DEVICE_COMPILE__
  return ((const unsigned*)(const void*)__builtin_amdgcn_implicitarg_ptr())[1];
#else
  return 0;
#endif
}
__KILN_COORDINATE __kiln_grid_dim_z() {
#ifdef __HIP_DEVICE_COMPILE__
  return ((const unsigned*)(const void*)__builtin_amdgcn_implicitarg_ptr())[2];
#else
  return 0;
#endif
}
#undef __KILN_COORDINATE

// What clang wants to read in __declspec(property(get = ...)) has no reserved spelling.
#pragma push_macro("property")
#pragma push_macro("get")
#undef property
#undef get

#define __KILN_COORDINATES(name, ex, ey, ez)                                                                           \
  struct __kiln_##name##_t {                                                                                           \
    static __device__ __attribute__((__always_inline__)) unsigned __x() { return ex; }                                 \
    static __device__ __attribute__((__always_inline__)) unsigned __y() { return ey; }                                 \
    static __device__ __attribute__((__always_inline__)) unsigned __z() { return ez; }                                 \
    __declspec(property(get = __x)) unsigned x;                                                                        \
    __declspec(property(get = __y)) unsigned y;                                                                        \
    __declspec(property(get = __z)) unsigned z;                                                                        \
    __device__ __attribute__((__always_inline__)) operator dim3() const { return dim3(ex, ey, ez); }                   \
    __device__ __attribute__((__always_inline__)) operator uint3() const { return uint3(ex, ey, ez); }                 \
  };                                                                                                                   \
  static constexpr __device__ __attribute__((__unused__)) __kiln_##name##_t name {}

__KILN_COORDINATES(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                   __builtin_amdgcn_workitem_id_z());
__KILN_COORDINATES(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                   __builtin_amdgcn_workgroup_id_z());
__KILN_COORDINATES(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
                   __builtin_amdgcn_workgroup_size_z());
__KILN_COORDINATES(gridDim, __kiln_grid_dim_x(), __kiln_grid_dim_y(), __kiln_grid_dim_z());
#undef __KILN_COORDINATES

#pragma pop_macro("get")
#pragma pop_macro("property")

struct __kiln_warp_size_t {
  __device__ __attribute__((__always_inline__, __const__)) operator int() const {
    return __builtin_amdgcn_wavefrontsize();
  }
};
static constexpr __device__ __attribute__((__unused__)) __kiln_warp_size_t warpSize{};

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#endif
