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
#define KILN_HIP_API __attribute__((visibility("default")))

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
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* userData);
typedef void (*hipHostFn_t)(void* userData);

typedef struct dim3 {
  uint32_t x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
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
KILN_HIP_API hipError_t hipInit(unsigned int flags);
KILN_HIP_API hipError_t hipDriverGetVersion(int* driverVersion);
KILN_HIP_API hipError_t hipRuntimeGetVersion(int* runtimeVersion);
KILN_HIP_API hipError_t hipGetDeviceCount(int* count);
KILN_HIP_API hipError_t hipSetDevice(int deviceId);
KILN_HIP_API hipError_t hipGetDevice(int* deviceId);
KILN_HIP_API hipError_t hipDeviceGet(hipDevice_t* device, int ordinal);
KILN_HIP_API hipError_t hipDeviceGetName(char* name, int len, hipDevice_t device);
KILN_HIP_API hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device);
KILN_HIP_API hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device);
KILN_HIP_API hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device);
KILN_HIP_API hipError_t hipGetDeviceProperties(hipDeviceProp_t* prop, int deviceId);
KILN_HIP_API hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int deviceId);
KILN_HIP_API hipError_t hipDeviceSynchronize(void);
KILN_HIP_API hipError_t hipDeviceReset(void);
KILN_HIP_API hipError_t hipSetDeviceFlags(unsigned flags);
KILN_HIP_API hipError_t hipGetDeviceFlags(unsigned* flags);
KILN_HIP_API hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit_t limit);
KILN_HIP_API hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);
KILN_HIP_API hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config);
KILN_HIP_API hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config);
KILN_HIP_API hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config);
KILN_HIP_API hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);
KILN_HIP_API hipError_t hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
KILN_HIP_API hipError_t hipDeviceCanAccessPeer(int* canAccessPeer, int deviceId, int peerDeviceId);
KILN_HIP_API hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags);
KILN_HIP_API hipError_t hipDeviceDisablePeerAccess(int peerDeviceId);
KILN_HIP_API hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice);
KILN_HIP_API hipError_t hipProfilerStart(void);
KILN_HIP_API hipError_t hipProfilerStop(void);

/* Errors. The first two are per thread; hipGetLastError also clears it. */
KILN_HIP_API hipError_t hipGetLastError(void);
KILN_HIP_API hipError_t hipPeekAtLastError(void);
KILN_HIP_API const char* hipGetErrorName(hipError_t error);
KILN_HIP_API const char* hipGetErrorString(hipError_t error);
KILN_HIP_API hipError_t hipDrvGetErrorName(hipError_t error, const char** name);
KILN_HIP_API hipError_t hipDrvGetErrorString(hipError_t error, const char** text);

/* Memory: allocation */
KILN_HIP_API hipError_t hipMalloc(void** ptr, size_t size);
KILN_HIP_API hipError_t hipExtMallocWithFlags(void** ptr, size_t size, unsigned int flags);
KILN_HIP_API hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height);
KILN_HIP_API hipError_t hipMemAllocPitch(hipDeviceptr_t* ptr, size_t* pitch, size_t width, size_t height,
                                         unsigned int elementSizeBytes);
KILN_HIP_API hipError_t hipMallocAsync(void** ptr, size_t size, hipStream_t stream);
KILN_HIP_API hipError_t hipMallocManaged(void** ptr, size_t size,
                                         unsigned int flags KILN_HIP_DEFAULT(hipMemAttachGlobal));
KILN_HIP_API hipError_t hipFree(void* ptr);
KILN_HIP_API hipError_t hipFreeAsync(void* ptr, hipStream_t stream);
KILN_HIP_API hipError_t hipHostMalloc(void** ptr, size_t size,
                                      unsigned int flags KILN_HIP_DEFAULT(hipHostMallocDefault));
KILN_HIP_API hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags);
KILN_HIP_API hipError_t hipMallocHost(void** ptr, size_t size);
KILN_HIP_API hipError_t hipMemAllocHost(void** ptr, size_t size);
KILN_HIP_API hipError_t hipHostFree(void* ptr);
KILN_HIP_API hipError_t hipFreeHost(void* ptr);
KILN_HIP_API hipError_t hipHostRegister(void* ptr, size_t size, unsigned int flags);
KILN_HIP_API hipError_t hipHostUnregister(void* ptr);
KILN_HIP_API hipError_t hipHostGetDevicePointer(void** devicePtr, void* hostPtr, unsigned int flags);
KILN_HIP_API hipError_t hipHostGetFlags(unsigned int* flags, void* hostPtr);
KILN_HIP_API hipError_t hipMemGetInfo(size_t* free, size_t* total);
KILN_HIP_API hipError_t hipMemPtrGetInfo(void* ptr, size_t* size);
KILN_HIP_API hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t ptr);
KILN_HIP_API hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr);
KILN_HIP_API hipError_t hipMemAdvise(const void* ptr, size_t count, hipMemoryAdvise advice, int device);
KILN_HIP_API hipError_t hipMemPrefetchAsync(const void* ptr, size_t count, int device,
                                            hipStream_t stream KILN_HIP_DEFAULT(0));

/* Memory: copies */
KILN_HIP_API hipError_t hipMemcpy(void* dst, const void* src, size_t size, hipMemcpyKind kind);
KILN_HIP_API hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t size, hipMemcpyKind kind,
                                            hipStream_t stream);
KILN_HIP_API hipError_t hipMemcpyAsync(void* dst, const void* src, size_t size, hipMemcpyKind kind,
                                       hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, size_t size);
KILN_HIP_API hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t size);
KILN_HIP_API hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size);
KILN_HIP_API hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, size_t size, hipStream_t stream);
KILN_HIP_API hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t size, hipStream_t stream);
KILN_HIP_API hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size, hipStream_t stream);
KILN_HIP_API hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                    size_t height, hipMemcpyKind kind);
KILN_HIP_API hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                         size_t height, hipMemcpyKind kind, hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyPeer(void* dst, int dstDeviceId, const void* src, int srcDeviceId, size_t size);
KILN_HIP_API hipError_t hipMemcpyPeerAsync(void* dst, int dstDeviceId, const void* src, int srcDevice, size_t size,
                                           hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t size,
                                          size_t offset KILN_HIP_DEFAULT(0),
                                          hipMemcpyKind kind KILN_HIP_DEFAULT(hipMemcpyHostToDevice));
KILN_HIP_API hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t size, size_t offset,
                                               hipMemcpyKind kind, hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t size,
                                            size_t offset KILN_HIP_DEFAULT(0),
                                            hipMemcpyKind kind KILN_HIP_DEFAULT(hipMemcpyDeviceToHost));
KILN_HIP_API hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t size, size_t offset,
                                                 hipMemcpyKind kind, hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipGetSymbolAddress(void** devPtr, const void* symbol);
KILN_HIP_API hipError_t hipGetSymbolSize(size_t* size, const void* symbol);

/* Memory: fills */
KILN_HIP_API hipError_t hipMemset(void* dst, int value, size_t size);
KILN_HIP_API hipError_t hipMemsetAsync(void* dst, int value, size_t size, hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count);
KILN_HIP_API hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                                         hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count);
KILN_HIP_API hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                                          hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count);
KILN_HIP_API hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count,
                                          hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height);
KILN_HIP_API hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height,
                                         hipStream_t stream KILN_HIP_DEFAULT(0));

/* Streams */
KILN_HIP_API hipError_t hipStreamCreate(hipStream_t* stream);
KILN_HIP_API hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags);
KILN_HIP_API hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority);
KILN_HIP_API hipError_t hipStreamDestroy(hipStream_t stream);
KILN_HIP_API hipError_t hipStreamQuery(hipStream_t stream);
KILN_HIP_API hipError_t hipStreamSynchronize(hipStream_t stream);
KILN_HIP_API hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event,
                                           unsigned int flags KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags);
KILN_HIP_API hipError_t hipStreamGetPriority(hipStream_t stream, int* priority);
KILN_HIP_API hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);
KILN_HIP_API hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData,
                                             unsigned int flags);
KILN_HIP_API hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData);

/* Events */
KILN_HIP_API hipError_t hipEventCreate(hipEvent_t* event);
KILN_HIP_API hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
KILN_HIP_API hipError_t hipEventDestroy(hipEvent_t event);
KILN_HIP_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream KILN_HIP_DEFAULT(0),
                                                unsigned int flags KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipEventQuery(hipEvent_t event);
KILN_HIP_API hipError_t hipEventSynchronize(hipEvent_t event);
KILN_HIP_API hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop);

/* Modules */
KILN_HIP_API hipError_t hipModuleLoad(hipModule_t* module, const char* fname);
KILN_HIP_API hipError_t hipModuleLoadData(hipModule_t* module, const void* image);
KILN_HIP_API hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions,
                                            hipJitOption* options, void** optionValues);
KILN_HIP_API hipError_t hipModuleUnload(hipModule_t module);
KILN_HIP_API hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name);
KILN_HIP_API hipError_t hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t module, const char* name);
KILN_HIP_API hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                              unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                              unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                              void** kernelParams, void** extra);
KILN_HIP_API hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                                         unsigned int gridDimZ, unsigned int blockDimX,
                                                         unsigned int blockDimY, unsigned int blockDimZ,
                                                         unsigned int sharedMemBytes, hipStream_t stream,
                                                         void** kernelParams);
KILN_HIP_API hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc);
KILN_HIP_API hipError_t hipGetFuncBySymbol(hipFunction_t* functionPtr, const void* symbolPtr);

/* Launches of a __global__ function; `function` is its address on the host */
KILN_HIP_API hipError_t hipLaunchKernel(const void* function, dim3 numBlocks, dim3 dimBlocks, void** args,
                                        size_t sharedMemBytes KILN_HIP_DEFAULT(0),
                                        hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t hipLaunchCooperativeKernel(const void* function, dim3 gridDim, dim3 blockDim, void** args,
                                                   unsigned int sharedMemBytes, hipStream_t stream);
KILN_HIP_API hipError_t hipExtLaunchKernel(const void* function, dim3 numBlocks, dim3 dimBlocks, void** args,
                                           size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                           hipEvent_t stopEvent, int flags);
KILN_HIP_API hipError_t hipFuncGetAttributes(struct hipFuncAttributes* attr, const void* func);
KILN_HIP_API hipError_t hipFuncSetAttribute(const void* func, hipFuncAttribute attr, int value);
KILN_HIP_API hipError_t hipFuncSetCacheConfig(const void* func, hipFuncCache_t config);
KILN_HIP_API hipError_t hipFuncSetSharedMemConfig(const void* func, hipSharedMemConfig config);

/* What the compiler's launch stubs call */
KILN_HIP_API hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem KILN_HIP_DEFAULT(0),
                                                   hipStream_t stream KILN_HIP_DEFAULT(0));
KILN_HIP_API hipError_t __hipPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                                  hipStream_t* stream);

/* Occupancy */
KILN_HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* f, int blockSize,
                                                                     size_t dynSharedMemPerBlk);
KILN_HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, const void* f, int blockSize, size_t dynSharedMemPerBlk,
    unsigned int flags KILN_HIP_DEFAULT(hipOccupancyDefault));
KILN_HIP_API hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* f,
                                                          size_t dynSharedMemPerBlk, int blockSizeLimit);
KILN_HIP_API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, hipFunction_t f,
                                                                           int blockSize, size_t dynSharedMemPerBlk);
KILN_HIP_API hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, hipFunction_t f,
                                                                size_t dynSharedMemPerBlk, int blockSizeLimit);

#ifdef __cplusplus
} /* extern "C" */
#include <hip/hip_runtime_api_templates.h>
#endif

#endif
