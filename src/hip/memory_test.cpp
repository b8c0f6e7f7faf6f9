// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hip/hip_test.h"

#include <numeric>

namespace kiln::hip {
namespace {

using HipMemory = HipTest;

TEST_F(HipMemory, AllocationsRoundTrip) {
  int* device = nullptr;
  std::vector<int> from(1000), to(1000);
  std::iota(from.begin(), from.end(), 0);
  ASSERT_EQ(hipMalloc(&device, 4000), hipSuccess);
  EXPECT_EQ(hipMemcpy(device, from.data(), 4000, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpy(to.data(), device, 4000, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(from, to);
  EXPECT_EQ(hipFree(device), hipSuccess);
  EXPECT_EQ(hipFree(device), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(nullptr), hipSuccess);
  EXPECT_EQ(fakes[0]->live_allocations, 0);
}

TEST_F(HipMemory, ArgumentsAreChecked) {
  char* device = nullptr;
  char host[64] = {};
  EXPECT_EQ(hipMalloc(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
  EXPECT_EQ(hipMalloc(&device, size_t(2) << 30), hipErrorOutOfMemory);
  EXPECT_EQ(hipMalloc(&device, 0), hipSuccess);
  EXPECT_EQ(device, nullptr);
  ASSERT_EQ(hipMalloc(&device, 64), hipSuccess);
  EXPECT_EQ(hipMemcpy(device, host, 64, static_cast<hipMemcpyKind>(17)), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpy(nullptr, host, 4, hipMemcpyDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(nullptr, host, 0, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(hipMemcpy(device + 1, host, 64, hipMemcpyDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset(device, 0, 65), hipErrorInvalidValue);
  EXPECT_EQ(hipMemsetD32(device + 1, 0, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy2D(device, 8, host, 8, 9, 2, hipMemcpyDefault), hipErrorInvalidPitchValue);
  EXPECT_EQ(hipMemcpy2D(device, 32, host, 32, 32, 3, hipMemcpyDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyAsync(device, host, 4, hipMemcpyDefault, reinterpret_cast<hipStream_t>(0x1234)),
            hipErrorInvalidHandle);
  EXPECT_EQ(hipHostFree(device), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(device), hipSuccess);
}

TEST_F(HipMemory, FillsWriteTheirPattern) {
  unsigned char* device = nullptr;
  ASSERT_EQ(hipMalloc(&device, 64), hipSuccess);
  EXPECT_EQ(hipMemset(device, 0x1ab, 64), hipSuccess); // only the low byte counts
  EXPECT_EQ(device[63], 0xab);
  EXPECT_EQ(hipMemsetD16(device, 0x0102, 4), hipSuccess);
  EXPECT_EQ(device[7], 0x01);
  EXPECT_EQ(device[8], 0xab);
  EXPECT_EQ(hipMemsetD32(device, 0x01020304, 1), hipSuccess);
  EXPECT_EQ(device[0], 0x04);
  EXPECT_EQ(hipMemset2D(device, 16, 9, 3, 2), hipSuccess);
  EXPECT_EQ(device[2], 9);
  EXPECT_EQ(device[18], 9);
  EXPECT_EQ(device[19], 0xab);
  EXPECT_EQ(hipFree(device), hipSuccess);
}

TEST_F(HipMemory, PointersAreKnown) {
  hipPointerAttribute_t attributes;
  int on_stack = 0;
  EXPECT_EQ(hipPointerGetAttributes(&attributes, &on_stack), hipSuccess);
  EXPECT_EQ(attributes.type, hipMemoryTypeUnregistered);
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  char *device = nullptr, *host = nullptr, *managed = nullptr;
  ASSERT_EQ(hipMalloc(&device, 64), hipSuccess);
  ASSERT_EQ(hipHostMalloc(&host, 64, hipHostMallocMapped), hipSuccess);
  ASSERT_EQ(hipMallocManaged(&managed, 64), hipSuccess);
  EXPECT_EQ(hipPointerGetAttributes(&attributes, device + 63), hipSuccess);
  EXPECT_EQ(attributes.type, hipMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 1);
  EXPECT_EQ(hipPointerGetAttributes(&attributes, host), hipSuccess);
  EXPECT_EQ(attributes.type, hipMemoryTypeHost);
  EXPECT_EQ(hipPointerGetAttributes(&attributes, managed), hipSuccess);
  EXPECT_EQ(attributes.type, hipMemoryTypeManaged);
  EXPECT_EQ(attributes.isManaged, 1);
  unsigned flags = 0;
  EXPECT_EQ(hipHostGetFlags(&flags, host), hipSuccess);
  EXPECT_EQ(flags, unsigned(hipHostMallocMapped));
  size_t free = 0, total = 0;
  EXPECT_EQ(hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_EQ(total - free, 64u);
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  EXPECT_EQ(hipMemGetAddressRange(&base, &size, device + 5), hipSuccess);
  EXPECT_EQ(base, device);
  EXPECT_EQ(size, 64u);
  EXPECT_EQ(hipFree(device), hipSuccess);
  EXPECT_EQ(hipHostFree(host), hipSuccess);
  EXPECT_EQ(hipFree(managed), hipSuccess);
}

TEST_F(HipMemory, RegisteredRangesMayNotOverlap) {
  char memory[128];
  EXPECT_EQ(hipHostRegister(memory, 64, hipHostRegisterDefault), hipSuccess);
  EXPECT_EQ(hipHostRegister(memory + 32, 64, hipHostRegisterDefault), hipErrorHostMemoryAlreadyRegistered);
  void* device = nullptr;
  EXPECT_EQ(hipHostGetDevicePointer(&device, memory, 0), hipSuccess);
  EXPECT_EQ(device, memory);
  EXPECT_EQ(hipHostUnregister(memory), hipSuccess);
  EXPECT_EQ(hipHostUnregister(memory), hipErrorHostMemoryNotRegistered);
  fakes[0]->info().unified_memory = false;
  EXPECT_EQ(hipHostRegister(memory, 64, hipHostRegisterDefault), hipErrorNotSupported);
}

TEST_F(HipMemory, DevicesThatCannotReachEachOtherCopyThroughTheHost) {
  for (auto* fake : fakes)
    fake->info().unified_memory = false;
  int *first = nullptr, *second = nullptr;
  ASSERT_EQ(hipMalloc(&first, 4), hipSuccess);
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  ASSERT_EQ(hipMalloc(&second, 4), hipSuccess);
  const int value = 77;
  EXPECT_EQ(hipMemcpy(first, &value, 4, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpyPeer(second, 1, first, 0, 4), hipSuccess);
  EXPECT_EQ(*second, 77);
  EXPECT_EQ(hipFree(first), hipSuccess);
  EXPECT_EQ(hipFree(second), hipSuccess);
}

} // namespace
} // namespace kiln::hip
