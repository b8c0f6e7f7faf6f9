/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * C++ forms of HIP's API: typed pointers instead of void**, __device__ variables and __global__ functions by name
 * instead of by address. Included by hip_runtime_api.h.
 */
#ifndef HIP_RUNTIME_API_TEMPLATES_H
#define HIP_RUNTIME_API_TEMPLATES_H

/* Portable programs write HIP_SYMBOL(x) and HIP_KERNEL_NAME(k<int>); neither needs help here. */
#define HIP_SYMBOL(x) x

template <class __T> inline hipError_t hipMalloc(__T** __ptr, size_t __size) {
  return hipMalloc((void**)__ptr, __size);
}
template <class __T> inline hipError_t hipMallocPitch(__T** __ptr, size_t* __pitch, size_t __width, size_t __height) {
  return hipMallocPitch((void**)__ptr, __pitch, __width, __height);
}
template <class __T> inline hipError_t hipMallocAsync(__T** __ptr, size_t __size, hipStream_t __stream) {
  return hipMallocAsync((void**)__ptr, __size, __stream);
}
template <class __T>
inline hipError_t hipMallocManaged(__T** __ptr, size_t __size, unsigned int __flags = hipMemAttachGlobal) {
  return hipMallocManaged((void**)__ptr, __size, __flags);
}
template <class __T>
inline hipError_t hipHostMalloc(__T** __ptr, size_t __size, unsigned int __flags = hipHostMallocDefault) {
  return hipHostMalloc((void**)__ptr, __size, __flags);
}
template <class __T>
inline hipError_t hipHostAlloc(__T** __ptr, size_t __size, unsigned int __flags = hipHostAllocDefault) {
  return hipHostAlloc((void**)__ptr, __size, __flags);
}
template <class __T> inline hipError_t hipMallocHost(__T** __ptr, size_t __size) {
  return hipMallocHost((void**)__ptr, __size);
}
template <class __T>
inline hipError_t hipHostGetDevicePointer(__T** __devicePtr, void* __hostPtr, unsigned int __flags) {
  return hipHostGetDevicePointer((void**)__devicePtr, __hostPtr, __flags);
}

template <class __T>
inline hipError_t hipMemcpyToSymbol(const __T& __symbol, const void* __src, size_t __size, size_t __offset = 0,
                                    hipMemcpyKind __kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol((const void*)&__symbol, __src, __size, __offset, __kind);
}
template <class __T>
inline hipError_t hipMemcpyToSymbolAsync(const __T& __symbol, const void* __src, size_t __size, size_t __offset,
                                         hipMemcpyKind __kind, hipStream_t __stream = 0) {
  return hipMemcpyToSymbolAsync((const void*)&__symbol, __src, __size, __offset, __kind, __stream);
}
template <class __T>
inline hipError_t hipMemcpyFromSymbol(void* __dst, const __T& __symbol, size_t __size, size_t __offset = 0,
                                      hipMemcpyKind __kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(__dst, (const void*)&__symbol, __size, __offset, __kind);
}
template <class __T>
inline hipError_t hipMemcpyFromSymbolAsync(void* __dst, const __T& __symbol, size_t __size, size_t __offset,
                                           hipMemcpyKind __kind, hipStream_t __stream = 0) {
  return hipMemcpyFromSymbolAsync(__dst, (const void*)&__symbol, __size, __offset, __kind, __stream);
}
template <class __T> inline hipError_t hipGetSymbolAddress(void** __devPtr, const __T& __symbol) {
  return hipGetSymbolAddress(__devPtr, (const void*)&__symbol);
}
template <class __T> inline hipError_t hipGetSymbolSize(size_t* __size, const __T& __symbol) {
  return hipGetSymbolSize(__size, (const void*)&__symbol);
}

template <class __T>
inline hipError_t hipLaunchKernel(__T* __function, dim3 __numBlocks, dim3 __dimBlocks, void** __args,
                                  size_t __sharedMemBytes = 0, hipStream_t __stream = 0) {
  return hipLaunchKernel((const void*)__function, __numBlocks, __dimBlocks, __args, __sharedMemBytes, __stream);
}
template <class __T>
inline hipError_t hipLaunchCooperativeKernel(__T* __function, dim3 gridDim, dim3 blockDim, void** __args,
                                             unsigned int __sharedMemBytes, hipStream_t __stream) {
  return hipLaunchCooperativeKernel((const void*)__function, gridDim, blockDim, __args, __sharedMemBytes, __stream);
}
template <class __T>
inline hipError_t hipExtLaunchKernel(__T* __function, dim3 __numBlocks, dim3 __dimBlocks, void** __args,
                                     size_t __sharedMemBytes, hipStream_t __stream, hipEvent_t __startEvent,
                                     hipEvent_t __stopEvent, int __flags) {
  return hipExtLaunchKernel((const void*)__function, __numBlocks, __dimBlocks, __args, __sharedMemBytes, __stream,
                            __startEvent, __stopEvent, __flags);
}
template <class __T> inline hipError_t hipFuncGetAttributes(struct hipFuncAttributes* __attr, __T* __function) {
  return hipFuncGetAttributes(__attr, (const void*)__function);
}
template <class __T> inline hipError_t hipFuncSetAttribute(__T* __function, hipFuncAttribute __attr, int __value) {
  return hipFuncSetAttribute((const void*)__function, __attr, __value);
}
template <class __T> inline hipError_t hipFuncSetCacheConfig(__T* __function, hipFuncCache_t __config) {
  return hipFuncSetCacheConfig((const void*)__function, __config);
}
template <class __T> inline hipError_t hipFuncSetSharedMemConfig(__T* __function, hipSharedMemConfig __config) {
  return hipFuncSetSharedMemConfig((const void*)__function, __config);
}

template <class __T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* __numBlocks, __T* __f, int __blockSize,
                                                               size_t __dynSharedMemPerBlk) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(__numBlocks, (const void*)__f, __blockSize, __dynSharedMemPerBlk);
}
template <class __T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* __numBlocks, __T* __f, int __blockSize,
                                                                        size_t __dynSharedMemPerBlk,
                                                                        unsigned int __flags = hipOccupancyDefault) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(__numBlocks, (const void*)__f, __blockSize,
                                                               __dynSharedMemPerBlk, __flags);
}
template <class __T>
inline hipError_t hipOccupancyMaxPotentialBlockSize(int* __gridSize, int* __blockSize, __T* __f,
                                                    size_t __dynSharedMemPerBlk = 0, int __blockSizeLimit = 0) {
  return hipOccupancyMaxPotentialBlockSize(__gridSize, __blockSize, (const void*)__f, __dynSharedMemPerBlk,
                                           __blockSizeLimit);
}

#endif
