/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * HIP's host API, as libkiln-hip.so implements it: names, values and layouts are those of HIP 7. Usable from C and C++,
 * with any compiler. What is not declared here does not exist; what is declared works (docs/limits.md has the edges).
 *
 * Every function is thread-safe. The current device is per thread. A failed kernel is reported by the next call that
 * waits for its stream and stays the device's error from then on (hipDeviceReset clears it).
 */
#ifndef HIP_RUNTIME_API_H
#define HIP_RUNTIME_API_H

#include <stddef.h>
#include <stdint.h>

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#include <hip/driver_types.h>
#include <hip/hip_device_types.h>
#include <hip/hip_error.h>

#ifdef HIP_API_PER_THREAD_DEFAULT_STREAM
#error "-fgpu-default-stream=per-thread is not supported by Kiln: pass hipStreamPerThread where you want that stream"
#endif

#ifdef __cplusplus
#define KILN_HIP_DEFAULT(x) = x
#else
#define KILN_HIP_DEFAULT(x)
#endif
#define KILN_HIP_API __attribute__((__visibility__("default")))

/* Streams */
#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01
#define hipStreamLegacy ((hipStream_t)1)
#define hipStreamPerThread ((hipStream_t)2)

/* Events */
#define hipEventDefault 0x0
#define hipEventBlockingSync 0x1
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipEventDisableSystemFence 0x20000000
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000
#define hipEventRecordDefault 0x00
#define hipEventWaitDefault 0x00

/* Host memory */
#define hipHostAllocDefault 0x0
#define hipHostAllocPortable 0x1
#define hipHostAllocMapped 0x2
#define hipHostAllocWriteCombined 0x4
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocUncached 0x10000000
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipHostRegisterReadOnly 0x08
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1

/* Devices */
#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask 0x7
#define hipDeviceMapHost 0x8
#define hipDeviceLmemResizeToMax 0x10
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)

#define hipOccupancyDefault 0x00
#define hipOccupancyDisableCachingOverride 0x01

/* The `extra` argument of hipModuleLaunchKernel: {POINTER, p, SIZE, &bytes, END}. */
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)
#define HIP_LAUNCH_PARAM_END ((void*)0x03)

#ifdef __cplusplus
extern "C" {
#endif

typedef int hipDevice_t;
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef void (*hipStreamCallback_t)(hipStream_t __stream, hipError_t __status, void* __userData);
typedef void (*hipHostFn_t)(void* __userData);

typedef struct dim3 {
  uint32_t x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(uint32_t __x = 1, uint32_t __y = 1, uint32_t __z = 1) : x(__x), y(__y), z(__z) {}
#endif
} dim3;

typedef enum hipMemoryType {
  hipMemoryTypeUnregistered = 0,
  hipMemoryTypeHost = 1,
  hipMemoryTypeDevice = 2,
  hipMemoryTypeManaged = 3,
  hipMemoryTypeArray = 10,
  hipMemoryTypeUnified = 11
} hipMemoryType;

typedef struct hipPointerAttribute_t {
  enum hipMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
  int isManaged;
  unsigned allocationFlags;
} hipPointerAttribute_t;

typedef struct hipFuncAttributes {
  int binaryVersion;
  int cacheModeCA;
  size_t constSizeBytes;
  size_t localSizeBytes;
  int maxDynamicSharedSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int preferredShmemCarveout;
  int ptxVersion;
  size_t sharedSizeBytes;
} hipFuncAttributes;

typedef enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout = 9,
  hipFuncAttributeMax
} hipFuncAttribute;

typedef enum hipFunction_attribute {
  HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_NUM_REGS,
  HIP_FUNC_ATTRIBUTE_PTX_VERSION,
  HIP_FUNC_ATTRIBUTE_BINARY_VERSION,
  HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA,
  HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
  HIP_FUNC_ATTRIBUTE_MAX
} hipFunction_attribute;

typedef enum hipFuncCache_t {
  hipFuncCachePreferNone,
  hipFuncCachePreferShared,
  hipFuncCachePreferL1,
  hipFuncCachePreferEqual
} hipFuncCache_t;

typedef enum hipSharedMemConfig {
  hipSharedMemBankSizeDefault,
  hipSharedMemBankSizeFourByte,
  hipSharedMemBankSizeEightByte
} hipSharedMemConfig;

typedef enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly = 2,
  hipMemAdviseSetPreferredLocation = 3,
  hipMemAdviseUnsetPreferredLocation = 4,
  hipMemAdviseSetAccessedBy = 5,
  hipMemAdviseUnsetAccessedBy = 6,
  hipMemAdviseSetCoarseGrain = 100,
  hipMemAdviseUnsetCoarseGrain = 101
} hipMemoryAdvise;

typedef enum hipJitOption {
  hipJitOptionMaxRegisters = 0,
  hipJitOptionThreadsPerBlock,
  hipJitOptionWallTime,
  hipJitOptionInfoLogBuffer,
  hipJitOptionInfoLogBufferSizeBytes,
  hipJitOptionErrorLogBuffer,
  hipJitOptionErrorLogBufferSizeBytes,
  hipJitOptionOptimizationLevel
} hipJitOption;

typedef struct hipLaunchParams_t {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  void** args;
  size_t sharedMem;
  hipStream_t stream;
} hipLaunchParams;

/* Devices */
KILN_HIP_API hipError_t hipInit(unsigned int __flags);
KILN_HIP_API hipError_t hipDriverGetVersion(int* __driverVersion);
KILN_HIP_API hipError_t hipRuntimeGetVersion(int* __runtimeVersion);
KILN_HIP_API hipError_t hipGetDeviceCount(int* __count);
KILN_HIP_API hipError_t hipSetDevice(int __deviceId);
KILN_HIP_API hipError_t hipGetDevice(int* __deviceId);
KILN_HIP_API hipError_t hipDeviceGet(hipDevice_t* device, int __ordinal);
KILN_HIP_API hipError_t hipDeviceGetName(char* __name, int __len, hipDevice_t device);
KILN_HIP_API hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device);
KILN_HIP_API hipError_t hipDeviceTotalMem(size_t* __bytes, hipDevice_t device);
KILN_HIP_API hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device);
KILN_HIP_API hipError_t hipGetDeviceProperties(hipDeviceProp_t* __prop, int __deviceId);
KILN_HIP_API hipError_t hipDeviceGetAttribute(int* __value, hipDeviceAttribute_t __attr, int __deviceId);
KILN_HIP_API hipError_t hipDeviceSynchronize(void);
KILN_HIP_API hipError_t hipDeviceReset(void);
KILN_HIP_API hipError_t hipSetDeviceFlags(unsigned __flags);
KILN_HIP_API hipError_t hipGetDeviceFlags(unsigned* __flags);
KILN_HIP_API hipError_t hipDeviceGetLimit(size_t* __value, enum hipLimit_t __limit);
KILN_HIP_API hipError_t hipDeviceSetLimit(enum hipLimit_t __limit, size_t __value);
KILN_HIP_API hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* __config);
KILN_HIP_API hipError_t hipDeviceSetCacheConfig(hipFuncCache_t __config);
KILN_HIP_API hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* __config);
KILN_HIP_API hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig __config);
KILN_HIP_API hipError_t hipDeviceGetStreamPriorityRange(int* __leastPriority, int* __greatestPriority);
KILN_HIP_API hipError_t hipDeviceCanAccessPeer(int* __canAccessPeer, int __deviceId, int __peerDeviceId);
KILN_HIP_API hipError_t hipDeviceEnablePeerAccess(int __peerDeviceId, unsigned int __flags);
KILN_HIP_API hipError_t hipDeviceDisablePeerAccess(int __peerDeviceId);
KILN_HIP_API hipError_t hipDeviceGetP2PAttribute(int* __value, hipDeviceP2PAttr __attr, int __srcDevice,
                                                 int __dstDevice);
KILN_HIP_API hipError_t hipProfilerStart(void);
KILN_HIP_API hipError_t hipProfilerStop(void);

/* Errors. The first two are per thread; hipGetLastError also clears it. */
KILN_HIP_API hipError_t hipGetLastError(void);
KILN_HIP_API hipError_t hipPeekAtLastError(void);
KILN_HIP_API const char* hipGetErrorName(hipError_t __error);
KILN_HIP_API const char* hipGetErrorString(hipError_t __error);
KILN_HIP_API hipError_t hipDrvGetErrorName(hipError_t __error, const char** __name);
KILN_HIP_API hipError_t hipDrvGetErrorString(hipError_t __error, const char** __text);

/* Memory: allocation */
KILN_HIP_API hipError_t hipMalloc(void** __ptr, size_t __size);
KILN_HIP_API hipError_t hipExtMallocWithFlags(void** __ptr, size_t __size, unsigned int __flags);
KILN_HIP_API hipError_t hipMallocPitch(void** __ptr, size_t* __pitch, size_t __width, size_t __height);
KILN_HIP_API hipError_t hipMemAllocPitch(hipDeviceptr_t* __ptr, size_t* __pitch, size_t __width, size_t __height,
                                         unsigned int __elementSizeBytes);
KILN_HIP_API hipError_t hipMallocAsync(void** __ptr, size_t __size, hipStream_t __stream);
KILN_HIP_API hipError_t hipMallocManaged(void** __ptr, size_t __size,
                                         unsigned int __flags KILN_HIP_DEFAULT(hipMemAttachGlobal));
KILN_HIP_API hipError_t hipFree(void* __ptr);
KILN_HIP_API hipError_t hipFreeAsync(void* __ptr, hipStream_t __stream);
KILN_HIP_API hipError_t hipHostMalloc(void** __ptr, size_t __size,
                                      unsigned int __flags KILN_HIP_DEFAULT(hipHostMallocDefault));
KILN_HIP_API hipError_t hipHostAlloc(void** __ptr, size_t __size, unsigned int __flags);
KILN_HIP_API hipError_t hipMallocHost(void** __ptr, size_t __size);
KILN_HIP_API hipError_t hipMemAllocHost(void** __ptr, size_t __size);
KILN_HIP_API hipError_t hipHostFree(void* __ptr);
KILN_HIP_API hipError_t hipFreeHost(void* __ptr);
KILN_HIP_API hipError_t hipHostRegister(void* __ptr, size_t __size, unsigned int __flags);
KILN_HIP_API hipError_t hipHostUnregister(void* __ptr);
KILN_HIP_API hipError_t hipHostGetDevicePointer(void** __devicePtr, void* __hostPtr, unsigned int __flags);
KILN_HIP_API hipError_t hipHostGetFlags(unsigned int* __flags, void* __hostPtr);
KILN_HIP_API hipError_t hipMemGetInfo(size_t* __free, size_t* __total);
KILN_HIP_API hipError_t hipMemPtrGetInfo(void* __ptr, size_t* __size);
KILN_HIP_API hipError_t hipMemGetAddressRange(hipDeviceptr_t* __base, size_t* __size, hipDeviceptr_t __ptr);
KILN_HIP_API hipError_t hipPointerGetAttributes(hipPointerAttribute_t* __attributes, const void* __ptr);
KILN_HIP_API hipError_t hipMemAdvise(const void* __ptr, size_t __count, hipMemoryAdvise __advice, int device);
KILN_HIP_API hipError_t hipMemPrefetchAsync(const void* __ptr, size_t __count, int device,
                                            hipStream_t __stream KILN_HIP_DEFAULT(0));

/* Memory: copies */
KILN_HIP_API hipError_t hipMemcpy(void* __dst, const void* __src, size_t __size, hipMemcpyKind __kind);
KILN_HIP_API hipError_t hipMemcpyWithStream(void* __dst, const void* __src, size_t __size, hipMemcpyKind __kind,
                                            hipStream_t __stream);
KILN_HIP_API hipError_t hipMemcpyAsync(void* __dst, const void* __src, size_t __size, hipMemcpyKind __kind,
                                       hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyHtoD(hipDeviceptr_t __dst, const void* __src, size_t __size);
KILN_HIP_API hipError_t hipMemcpyDtoH(void* __dst, hipDeviceptr_t __src, size_t __size);
KILN_HIP_API hipError_t hipMemcpyDtoD(hipDeviceptr_t __dst, hipDeviceptr_t __src, size_t __size);
KILN_HIP_API hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t __dst, const void* __src, size_t __size,
                                           hipStream_t __stream);
KILN_HIP_API hipError_t hipMemcpyDtoHAsync(void* __dst, hipDeviceptr_t __src, size_t __size, hipStream_t __stream);
KILN_HIP_API hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t __dst, hipDeviceptr_t __src, size_t __size,
                                           hipStream_t __stream);
KILN_HIP_API hipError_t hipMemcpy2D(void* __dst, size_t __dpitch, const void* __src, size_t __spitch, size_t __width,
                                    size_t __height, hipMemcpyKind __kind);
KILN_HIP_API hipError_t hipMemcpy2DAsync(void* __dst, size_t __dpitch, const void* __src, size_t __spitch,
                                         size_t __width, size_t __height, hipMemcpyKind __kind,
                                         hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyPeer(void* __dst, int __dstDeviceId, const void* __src, int __srcDeviceId,
                                      size_t __size);
KILN_HIP_API hipError_t hipMemcpyPeerAsync(void* __dst, int __dstDeviceId, const void* __src, int __srcDevice,
                                           size_t __size, hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyToSymbol(const void* __symbol, const void* __src, size_t __size,
                                          size_t __offset KILN_HIP_DEFAULT(0),
                                          hipMemcpyKind __kind KILN_HIP_DEFAULT(hipMemcpyHostToDevice));
KILN_HIP_API hipError_t hipMemcpyToSymbolAsync(const void* __symbol, const void* __src, size_t __size, size_t __offset,
                                               hipMemcpyKind __kind, hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyFromSymbol(void* __dst, const void* __symbol, size_t __size,
                                            size_t __offset KILN_HIP_DEFAULT(0),
                                            hipMemcpyKind __kind KILN_HIP_DEFAULT(hipMemcpyDeviceToHost));
KILN_HIP_API hipError_t hipMemcpyFromSymbolAsync(void* __dst, const void* __symbol, size_t __size, size_t __offset,
                                                 hipMemcpyKind __kind, hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipGetSymbolAddress(void** __devPtr, const void* __symbol);
KILN_HIP_API hipError_t hipGetSymbolSize(size_t* __size, const void* __symbol);

/* Memory: fills */
KILN_HIP_API hipError_t hipMemset(void* __dst, int __value, size_t __size);
KILN_HIP_API hipError_t hipMemsetAsync(void* __dst, int __value, size_t __size,
                                       hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemsetD8(hipDeviceptr_t __dst, unsigned char __value, size_t __count);
KILN_HIP_API hipError_t hipMemsetD8Async(hipDeviceptr_t __dst, unsigned char __value, size_t __count,
                                         hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemsetD16(hipDeviceptr_t __dst, unsigned short __value, size_t __count);
KILN_HIP_API hipError_t hipMemsetD16Async(hipDeviceptr_t __dst, unsigned short __value, size_t __count,
                                          hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemsetD32(hipDeviceptr_t __dst, int __value, size_t __count);
KILN_HIP_API hipError_t hipMemsetD32Async(hipDeviceptr_t __dst, int __value, size_t __count,
                                          hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemset2D(void* __dst, size_t __pitch, int __value, size_t __width, size_t __height);
KILN_HIP_API hipError_t hipMemset2DAsync(void* __dst, size_t __pitch, int __value, size_t __width, size_t __height,
                                         hipStream_t __stream KILN_HIP_DEFAULT(0));

/* Streams */
KILN_HIP_API hipError_t hipStreamCreate(hipStream_t* __stream);
KILN_HIP_API hipError_t hipStreamCreateWithFlags(hipStream_t* __stream, unsigned int __flags);
KILN_HIP_API hipError_t hipStreamCreateWithPriority(hipStream_t* __stream, unsigned int __flags, int __priority);
KILN_HIP_API hipError_t hipStreamDestroy(hipStream_t __stream);
KILN_HIP_API hipError_t hipStreamQuery(hipStream_t __stream);
KILN_HIP_API hipError_t hipStreamSynchronize(hipStream_t __stream);
KILN_HIP_API hipError_t hipStreamWaitEvent(hipStream_t __stream, hipEvent_t __event,
                                           unsigned int __flags KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipStreamGetFlags(hipStream_t __stream, unsigned int* __flags);
KILN_HIP_API hipError_t hipStreamGetPriority(hipStream_t __stream, int* __priority);
KILN_HIP_API hipError_t hipStreamGetDevice(hipStream_t __stream, hipDevice_t* device);
KILN_HIP_API hipError_t hipStreamAddCallback(hipStream_t __stream, hipStreamCallback_t __callback, void* __userData,
                                             unsigned int __flags);
KILN_HIP_API hipError_t hipLaunchHostFunc(hipStream_t __stream, hipHostFn_t __function, void* __userData);

/* Events */
KILN_HIP_API hipError_t hipEventCreate(hipEvent_t* __event);
KILN_HIP_API hipError_t hipEventCreateWithFlags(hipEvent_t* __event, unsigned __flags);
KILN_HIP_API hipError_t hipEventDestroy(hipEvent_t __event);
KILN_HIP_API hipError_t hipEventRecord(hipEvent_t __event, hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipEventRecordWithFlags(hipEvent_t __event, hipStream_t __stream KILN_HIP_DEFAULT(0),
                                                unsigned int __flags KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipEventQuery(hipEvent_t __event);
KILN_HIP_API hipError_t hipEventSynchronize(hipEvent_t __event);
KILN_HIP_API hipError_t hipEventElapsedTime(float* __ms, hipEvent_t __start, hipEvent_t __stop);

/* Modules */
KILN_HIP_API hipError_t hipModuleLoad(hipModule_t* __module, const char* __file);
KILN_HIP_API hipError_t hipModuleLoadData(hipModule_t* __module, const void* __image);
KILN_HIP_API hipError_t hipModuleLoadDataEx(hipModule_t* __module, const void* __image, unsigned int __numOptions,
                                            hipJitOption* __options, void** __optionValues);
KILN_HIP_API hipError_t hipModuleUnload(hipModule_t __module);
KILN_HIP_API hipError_t hipModuleGetFunction(hipFunction_t* __function, hipModule_t __module, const char* __name);
KILN_HIP_API hipError_t hipModuleGetGlobal(hipDeviceptr_t* __dptr, size_t* __bytes, hipModule_t __module,
                                           const char* __name);
KILN_HIP_API hipError_t hipModuleLaunchKernel(hipFunction_t __f, unsigned int __gridDimX, unsigned int __gridDimY,
                                              unsigned int __gridDimZ, unsigned int __blockDimX,
                                              unsigned int __blockDimY, unsigned int __blockDimZ,
                                              unsigned int __sharedMemBytes, hipStream_t __stream,
                                              void** __kernelParams, void** __extra);
KILN_HIP_API hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t __f, unsigned int __gridDimX,
                                                         unsigned int __gridDimY, unsigned int __gridDimZ,
                                                         unsigned int __blockDimX, unsigned int __blockDimY,
                                                         unsigned int __blockDimZ, unsigned int __sharedMemBytes,
                                                         hipStream_t __stream, void** __kernelParams);
KILN_HIP_API hipError_t hipFuncGetAttribute(int* __value, hipFunction_attribute __attrib, hipFunction_t __hfunc);
KILN_HIP_API hipError_t hipGetFuncBySymbol(hipFunction_t* __functionPtr, const void* __symbolPtr);

/* Launches of a __global__ function; `function` is its address on the host */
KILN_HIP_API hipError_t hipLaunchKernel(const void* __function, dim3 __numBlocks, dim3 __dimBlocks, void** __args,
                                        size_t __sharedMemBytes KILN_HIP_DEFAULT(0),
                                        hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipLaunchCooperativeKernel(const void* __function, dim3 gridDim, dim3 blockDim, void** __args,
                                                   unsigned int __sharedMemBytes, hipStream_t __stream);
KILN_HIP_API hipError_t hipExtLaunchKernel(const void* __function, dim3 __numBlocks, dim3 __dimBlocks, void** __args,
                                           size_t __sharedMemBytes, hipStream_t __stream, hipEvent_t __startEvent,
                                           hipEvent_t __stopEvent, int __flags);
KILN_HIP_API hipError_t hipFuncGetAttributes(struct hipFuncAttributes* __attr, const void* __function);
KILN_HIP_API hipError_t hipFuncSetAttribute(const void* __function, hipFuncAttribute __attr, int __value);
KILN_HIP_API hipError_t hipFuncSetCacheConfig(const void* __function, hipFuncCache_t __config);
KILN_HIP_API hipError_t hipFuncSetSharedMemConfig(const void* __function, hipSharedMemConfig __config);

/* What the compiler's launch stubs call */
KILN_HIP_API hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem KILN_HIP_DEFAULT(0),
                                                   hipStream_t __stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t __hipPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                                  hipStream_t* __stream);

/* Occupancy */
KILN_HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* __numBlocks, const void* __f, int __blockSize,
                                                                     size_t __dynSharedMemPerBlk);
KILN_HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* __numBlocks, const void* __f, int __blockSize, size_t __dynSharedMemPerBlk,
    unsigned int __flags KILN_HIP_DEFAULT(hipOccupancyDefault));
KILN_HIP_API hipError_t hipOccupancyMaxPotentialBlockSize(int* __gridSize, int* __blockSize, const void* __f,
                                                          size_t __dynSharedMemPerBlk, int __blockSizeLimit);
KILN_HIP_API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* __numBlocks, hipFunction_t __f,
                                                                           int __blockSize,
                                                                           size_t __dynSharedMemPerBlk);
KILN_HIP_API hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* __gridSize, int* __blockSize, hipFunction_t __f,
                                                                size_t __dynSharedMemPerBlk, int __blockSizeLimit);

#ifdef __cplusplus
} /* extern "C" */
#include <hip/hip_runtime_api_templates.h>
#endif

#endif
