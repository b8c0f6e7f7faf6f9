/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * C++ forms of HIP's API: typed pointers instead of void**, __device__ variables and __global__ functions by name
 * instead of by address. Included by hip_runtime_api.h.
 */
#ifndef HIP_RUNTIME_API_TEMPLATES_H
#define HIP_RUNTIME_API_TEMPLATES_H

/* Portable programs write HIP_SYMBOL(x) and HIP_KERNEL_NAME(k<int>); neither needs help here. */
#define HIP_SYMBOL(x) x

template <class T> inline hipError_t hipMalloc(T** ptr, size_t size) {
  return hipMalloc((void**)ptr, size);
}
template <class T> inline hipError_t hipMallocPitch(T** ptr, size_t* pitch, size_t width, size_t height) {
  return hipMallocPitch((void**)ptr, pitch, width, height);
}
template <class T> inline hipError_t hipMallocAsync(T** ptr, size_t size, hipStream_t stream) {
  return hipMallocAsync((void**)ptr, size, stream);
}
template <class T> inline hipError_t hipMallocManaged(T** ptr, size_t size, unsigned int flags = hipMemAttachGlobal) {
  return hipMallocManaged((void**)ptr, size, flags);
}
template <class T> inline hipError_t hipHostMalloc(T** ptr, size_t size, unsigned int flags = hipHostMallocDefault) {
  return hipHostMalloc((void**)ptr, size, flags);
}
template <class T> inline hipError_t hipHostAlloc(T** ptr, size_t size, unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc((void**)ptr, size, flags);
}
template <class T> inline hipError_t hipMallocHost(T** ptr, size_t size) {
  return hipMallocHost((void**)ptr, size);
}
template <class T> inline hipError_t hipHostGetDevicePointer(T** devicePtr, void* hostPtr, unsigned int flags) {
  return hipHostGetDevicePointer((void**)devicePtr, hostPtr, flags);
}

template <class T>
inline hipError_t hipMemcpyToSymbol(const T& symbol, const void* src, size_t size, size_t offset = 0,
                                    hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol((const void*)&symbol, src, size, offset, kind);
}
template <class T>
inline hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* src, size_t size, size_t offset,
                                         hipMemcpyKind kind, hipStream_t stream = 0) {
  return hipMemcpyToSymbolAsync((const void*)&symbol, src, size, offset, kind, stream);
}
template <class T>
inline hipError_t hipMemcpyFromSymbol(void* dst, const T& symbol, size_t size, size_t offset = 0,
                                      hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(dst, (const void*)&symbol, size, offset, kind);
}
template <class T>
inline hipError_t hipMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t size, size_t offset, hipMemcpyKind kind,
                                           hipStream_t stream = 0) {
  return hipMemcpyFromSymbolAsync(dst, (const void*)&symbol, size, offset, kind, stream);
}
template <class T> inline hipError_t hipGetSymbolAddress(void** devPtr, const T& symbol) {
  return hipGetSymbolAddress(devPtr, (const void*)&symbol);
}
template <class T> inline hipError_t hipGetSymbolSize(size_t* size, const T& symbol) {
  return hipGetSymbolSize(size, (const void*)&symbol);
}

template <class T>
inline hipError_t hipLaunchKernel(T* function, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes = 0,
                                  hipStream_t stream = 0) {
  return hipLaunchKernel((const void*)function, numBlocks, dimBlocks, args, sharedMemBytes, stream);
}
template <class T>
inline hipError_t hipLaunchCooperativeKernel(T* function, dim3 gridDim, dim3 blockDim, void** args,
                                             unsigned int sharedMemBytes, hipStream_t stream) {
  return hipLaunchCooperativeKernel((const void*)function, gridDim, blockDim, args, sharedMemBytes, stream);
}
template <class T>
inline hipError_t hipExtLaunchKernel(T* function, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes,
                                     hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
  return hipExtLaunchKernel((const void*)function, numBlocks, dimBlocks, args, sharedMemBytes, stream, startEvent,
                            stopEvent, flags);
}
template <class T> inline hipError_t hipFuncGetAttributes(struct hipFuncAttributes* attr, T* func) {
  return hipFuncGetAttributes(attr, (const void*)func);
}
template <class T> inline hipError_t hipFuncSetAttribute(T* func, hipFuncAttribute attr, int value) {
  return hipFuncSetAttribute((const void*)func, attr, value);
}
template <class T> inline hipError_t hipFuncSetCacheConfig(T* func, hipFuncCache_t config) {
  return hipFuncSetCacheConfig((const void*)func, config);
}
template <class T> inline hipError_t hipFuncSetSharedMemConfig(T* func, hipSharedMemConfig config) {
  return hipFuncSetSharedMemConfig((const void*)func, config);
}

template <class T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T* f, int blockSize,
                                                               size_t dynSharedMemPerBlk) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void*)f, blockSize, dynSharedMemPerBlk);
}
template <class T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T* f, int blockSize,
                                                                        size_t dynSharedMemPerBlk,
                                                                        unsigned int flags = hipOccupancyDefault) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void*)f, blockSize, dynSharedMemPerBlk,
                                                               flags);
}
template <class T>
inline hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, T* f, size_t dynSharedMemPerBlk = 0,
                                                    int blockSizeLimit = 0) {
  return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, (const void*)f, dynSharedMemPerBlk, blockSizeLimit);
}

#endif
