// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hip/hip_test.h"

#include <cstring>
#include <thread>

namespace kiln::hip {
namespace {

using HipDevice = HipTest;

struct NoDevice : HipTest {
  NoDevice() : HipTest(0) {}
};

TEST_F(HipDevice, TheCurrentDeviceIsPerThread) {
  int count = 0;
  EXPECT_EQ(hipGetDeviceCount(&count), hipSuccess);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(hipSetDevice(1), hipSuccess);
  std::thread([] {
    int device = -1;
    EXPECT_EQ(hipGetDevice(&device), hipSuccess);
    EXPECT_EQ(device, 0);
  }).join();
  int device = -1;
  EXPECT_EQ(hipGetDevice(&device), hipSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(hipSetDevice(2), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
}

TEST_F(HipDevice, PropertiesAreTheDevices) {
  fakes[0]->info().target = "gfx90a:sramecc+:xnack-";
  hipDeviceProp_t properties;
  std::memset(&properties, 0xff, sizeof(properties));
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  EXPECT_STREQ(properties.name, "Fake device");
  EXPECT_STREQ(properties.gcnArchName, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 0);
  EXPECT_EQ(properties.warpSize, 64);
  EXPECT_EQ(properties.totalGlobalMem, size_t(1) << 30);
  EXPECT_EQ(properties.multiProcessorCount, 4);
  EXPECT_EQ(properties.maxTexture1D, 0);
  EXPECT_EQ(hipGetDeviceProperties(nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGetDeviceProperties(&properties, 9), hipErrorInvalidDevice);
  fakes[1]->info().target = "gfx1201";
  ASSERT_EQ(hipGetDeviceProperties(&properties, 1), hipSuccess);
  EXPECT_EQ(properties.major, 12);
}

TEST_F(HipDevice, AttributesAgreeWithProperties) {
  int value = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0), hipSuccess);
  EXPECT_EQ(value, 64);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxThreadsPerBlock, 0), hipSuccess);
  EXPECT_EQ(value, 1024);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeUnused1, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0), hipErrorInvalidValue);
}

TEST_F(HipDevice, ClocksAndCachesAreTheDevices) {
  fakes[0]->info().clock_khz = 1700000;
  fakes[0]->info().steady_clock_khz = 100000;
  fakes[0]->info().l2_cache = 8 << 20;
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  EXPECT_EQ(properties.clockInstructionRate, 1700000);
  EXPECT_EQ(properties.l2CacheSize, 8 << 20);
  int value = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeClockInstructionRate, 0), hipSuccess);
  EXPECT_EQ(value, 1700000);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeWallClockRate, 0), hipSuccess);
  EXPECT_EQ(value, 100000);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeL2CacheSize, 0), hipSuccess);
  EXPECT_EQ(value, 8 << 20);
}

TEST_F(HipDevice, TheLastErrorIsKeptUntilRead) {
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  int count = 0;
  EXPECT_EQ(hipGetDeviceCount(&count), hipSuccess);
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST_F(HipDevice, ErrorNamesAreHips) {
  EXPECT_STREQ(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory");
  EXPECT_STREQ(hipGetErrorString(hipErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(hipGetErrorString(static_cast<hipError_t>(12345)), "unrecognized error code");
  const char* name = nullptr;
  EXPECT_EQ(hipDrvGetErrorName(hipErrorLaunchFailure, &name), hipSuccess);
  EXPECT_STREQ(name, "hipErrorLaunchFailure");
}

TEST_F(HipDevice, PeersReachEachOtherOnlyWithUnifiedMemory) {
  int can = -1;
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, 1), hipSuccess);
  EXPECT_EQ(can, 1);
  fakes[1]->info().unified_memory = false;
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, 1), hipSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessUnsupported);
  EXPECT_EQ(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
}

TEST_F(HipDevice, LimitsThatNoDeviceHasAreRefused) {
  size_t value = 0;
  EXPECT_EQ(hipDeviceSetLimit(hipLimitPrintfFifoSize, 1 << 22), hipSuccess);
  EXPECT_EQ(hipDeviceGetLimit(&value, hipLimitPrintfFifoSize), hipSuccess);
  EXPECT_EQ(value, size_t(1) << 22);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitMallocHeapSize, 1), hipErrorUnsupportedLimit);
}

TEST_F(NoDevice, EverythingSaysSo) {
  int count = -1;
  EXPECT_EQ(hipGetDeviceCount(&count), hipErrorNoDevice);
  EXPECT_EQ(count, 0);
  void* memory = nullptr;
  EXPECT_EQ(hipMalloc(&memory, 16), hipErrorNoDevice);
  EXPECT_EQ(hipInit(0), hipErrorNoDevice);
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorNoDevice);
}

} // namespace
} // namespace kiln::hip
