// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hip/hip_test.h"

#include <kiln/kiln.h>

#include <gmock/gmock.h>
#include <thread>

namespace kiln::hip {
namespace {

using ::testing::HasSubstr;

struct HipLaunch : HipTest {
  HipLaunch() {
    // Every kernel adds n to *p once for each block.
    for (auto* fake : fakes)
      fake->run = [](device::Kernel&, const device::Launch& launch) -> Result<void> {
        int* p = *read_at<int*>(launch.arguments, 0);
        *p += *read_at<int>(launch.arguments, 8) * int(launch.grid.count());
        return {};
      };
  }
  hipError_t run(const void* function, dim3 grid = 2, dim3 block = 64, size_t shared = 0,
                 hipStream_t stream = nullptr) {
    void* args[] = {&target, &amount};
    return hipLaunchKernel(function, grid, block, args, shared, stream);
  }
  RegisteredProgram program;
  int sum = 0;
  int* target = &sum;
  int amount = 5;
};

TEST_F(HipLaunch, ARegisteredKernelRuns) {
  EXPECT_EQ(run(&program.fill, 3), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(sum, 15);
  kiln_jit_record record{};
  record.struct_size = sizeof(record);
  ASSERT_EQ(kiln_jit_find_function(&program.fill, nullptr, &record), KILN_OK);
  EXPECT_STREQ(record.kernel, "fill");
  EXPECT_STREQ(record.tier, "compiler");
}

TEST_F(HipLaunch, EachDeviceHasItsOwnCode) {
  EXPECT_EQ(run(&program.fill), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  EXPECT_EQ(run(&program.fill), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(sum, 20);
  EXPECT_EQ(fakes[0]->loads, 1);
  EXPECT_EQ(fakes[1]->loads, 1);
  EXPECT_EQ(compiler->compilations, 1); // the devices are alike
}

TEST_F(HipLaunch, ManyThreadsLaunchTheSameNewKernel) {
  compiler->delay = std::chrono::milliseconds(10);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] { EXPECT_EQ(run(&program.fill, 1), hipSuccess); });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(sum, 30);
  EXPECT_EQ(compiler->compilations, 1);
}

TEST_F(HipLaunch, ConfigurationsNestAndAreChecked) {
  dim3 grid, block;
  size_t shared = 0;
  hipStream_t stream = nullptr;
  EXPECT_EQ(__hipPopCallConfiguration(&grid, &block, &shared, &stream), hipErrorMissingConfiguration);
  EXPECT_EQ(__hipPushCallConfiguration(dim3(1, 2, 3), 64, 0, nullptr), hipSuccess);
  EXPECT_EQ(__hipPushCallConfiguration(dim3(4), 32, 100, nullptr), hipSuccess);
  EXPECT_EQ(__hipPopCallConfiguration(&grid, &block, &shared, &stream), hipSuccess);
  EXPECT_EQ(grid.x, 4u);
  EXPECT_EQ(shared, 100u);
  EXPECT_EQ(__hipPopCallConfiguration(&grid, &block, &shared, &stream), hipSuccess);
  EXPECT_EQ(grid.z, 3u);
  EXPECT_EQ(run(&program.fill, 0), hipErrorInvalidConfiguration);
  EXPECT_EQ(run(&program.fill, 1, 257), hipErrorInvalidConfiguration); // the kernel's own limit is 256
  EXPECT_EQ(run(&program.fill, 1, 64, 1 << 20), hipErrorInvalidConfiguration);
  EXPECT_EQ(run(&amount), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(run(nullptr), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(hipLaunchKernel(&program.fill, 1, 1, nullptr, 0, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(sum, 0);
}

TEST_F(HipLaunch, AKernelThatCannotBeCompiledSaysWhy) {
  EXPECT_EQ(run(&program.broken), hipErrorNoBinaryForGpu);
  EXPECT_THAT(kiln_last_error_message(), HasSubstr("broken"));
  EXPECT_EQ(hipGetLastError(), hipErrorNoBinaryForGpu);
  EXPECT_EQ(run(&program.fill), hipSuccess); // the module's other kernels work
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
}

TEST_F(HipLaunch, AFaultIsStickyUntilReset) {
  auto good = fakes[0]->run;
  fakes[0]->run = [](device::Kernel&, const device::Launch&) -> Result<void> {
    return Error{ErrorCode::assert_failed, "kernel 'fill': assertion failed"};
  };
  EXPECT_EQ(run(&program.fill), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);
  void* memory = nullptr;
  EXPECT_EQ(hipMalloc(&memory, 4), hipErrorLaunchFailure);
  EXPECT_EQ(run(&program.fill), hipErrorLaunchFailure);
  EXPECT_EQ(hipStreamQuery(nullptr), hipErrorLaunchFailure);
  fakes[0]->run = good;
  EXPECT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(run(&program.fill), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
}

TEST_F(HipLaunch, CooperativeOnlyWhereTheDeviceCan) {
  void* args[] = {&target, &amount};
  EXPECT_EQ(hipLaunchCooperativeKernel(&program.fill, 1, 1, args, 0, nullptr), hipErrorNotSupported);
  fakes[0]->info().cooperative_launch = true;
  EXPECT_EQ(hipLaunchCooperativeKernel(&program.fill, 1, 1, args, 0, nullptr), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
}

TEST_F(HipLaunch, VariablesAreReachedByTheirShadow) {
  const int value = 9;
  int back = 0;
  const void* shadow = &program.counter;
  EXPECT_EQ(hipMemcpyToSymbol(shadow, &value, 4, 0, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpyFromSymbol(&back, shadow, 4, 0, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(back, 9);
  EXPECT_EQ(program.counter, 0); // the shadow itself is not touched
  EXPECT_EQ(hipMemcpyToSymbol(shadow, &value, 4, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToSymbol(shadow, &value, 4, 0, hipMemcpyDeviceToHost), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpyToSymbol(static_cast<const void*>(&amount), &value, 4, 0, hipMemcpyHostToDevice),
            hipErrorInvalidSymbol);
  size_t size = 0;
  EXPECT_EQ(hipGetSymbolSize(&size, static_cast<const void*>(&program.counter)), hipSuccess);
  EXPECT_EQ(size, 4u);
  ASSERT_NE(program.managed, nullptr);
  EXPECT_EQ(*program.managed, 11); // there before any HIP call
  void* address = nullptr;
  EXPECT_EQ(hipGetSymbolAddress(&address, static_cast<const void*>(&program.managed)), hipSuccess);
  EXPECT_EQ(address, program.managed);
}

TEST_F(HipLaunch, ModulesOfTheProgramsOwn) {
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  EXPECT_EQ(hipModuleLoad(&module, "/nonexistent/file"), hipErrorFileNotFound);
  EXPECT_EQ(hipModuleLoadData(&module, "this is certainly not a module"), hipErrorInvalidImage);
  ASSERT_EQ(hipModuleLoadData(&module, program.bundle.data()), hipSuccess);
  EXPECT_EQ(hipModuleGetFunction(&function, module, "absent"), hipErrorNotFound);
  ASSERT_EQ(hipModuleGetFunction(&function, module, "fill"), hipSuccess);
  void* params[] = {&target, &amount};
  EXPECT_EQ(hipModuleLaunchKernel(function, 2, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), hipSuccess);
  struct {
    int* p;
    int n;
  } packed = {&sum, 1};
  size_t size = 12;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), hipSuccess);
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, params, extra), hipErrorInvalidValue);
  size = 11;
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(sum, 11);
  int threads = 0;
  EXPECT_EQ(hipFuncGetAttribute(&threads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function), hipSuccess);
  EXPECT_EQ(threads, 256);
  hipDeviceptr_t global = nullptr;
  EXPECT_EQ(hipModuleGetGlobal(&global, &size, module, "counter"), hipSuccess);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(hipModuleUnload(module), hipSuccess);
  EXPECT_EQ(hipModuleUnload(module), hipErrorInvalidHandle);
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), hipErrorInvalidHandle);
}

TEST_F(HipLaunch, AFunctionOfTheProgramGoesWithAReset) {
  hipFunction_t function = nullptr;
  ASSERT_EQ(hipGetFuncBySymbol(&function, &program.fill), hipSuccess);
  void* params[] = {&target, &amount};
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), hipSuccess);
  ASSERT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), hipErrorInvalidHandle);
}

TEST_F(HipLaunch, OccupancyIsTheDevices) {
  int blocks = 0, grid = 0, block = 0;
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &program.fill, 128, 0), hipSuccess);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &program.fill, 512, 0), hipSuccess);
  EXPECT_EQ(blocks, 0); // above the kernel's limit
  EXPECT_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, &program.fill, 0, 0), hipSuccess);
  EXPECT_EQ(block, 256);
  EXPECT_EQ(grid, 4 * 4);
  EXPECT_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, &program.fill, 0, 100), hipSuccess);
  EXPECT_EQ(block, 64); // whole waves
  hipFuncAttributes attributes;
  EXPECT_EQ(hipFuncGetAttributes(&attributes, &program.fill), hipSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 16u);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 65536 - 16);
}

TEST_F(HipLaunch, StreamsAndEvents) {
  hipStream_t stream = nullptr;
  hipEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), hipSuccess);
  EXPECT_EQ(hipStreamCreateWithFlags(&stream, 7), hipErrorInvalidValue);
  ASSERT_EQ(hipEventCreate(&start), hipSuccess);
  ASSERT_EQ(hipEventCreate(&stop), hipSuccess);
  float ms = -1;
  EXPECT_EQ(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventRecord(start, stream), hipSuccess);
  EXPECT_EQ(run(&program.fill, 1, 1, 0, stream), hipSuccess);
  EXPECT_EQ(hipEventRecord(stop, stream), hipSuccess);
  EXPECT_EQ(hipEventSynchronize(stop), hipSuccess);
  EXPECT_EQ(hipEventQuery(stop), hipSuccess);
  EXPECT_EQ(hipEventElapsedTime(&ms, start, stop), hipSuccess);
  EXPECT_GE(ms, 0);
  unsigned flags = 0;
  EXPECT_EQ(hipStreamGetFlags(stream, &flags), hipSuccess);
  EXPECT_EQ(flags, unsigned(hipStreamNonBlocking));
  int called = 0;
  EXPECT_EQ(hipStreamAddCallback(
                stream,
                [](hipStream_t, hipError_t status, void* data) { *static_cast<int*>(data) = status == hipSuccess; },
                &called, 0),
            hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(hipStreamQuery(stream), hipSuccess);
  EXPECT_EQ(run(&program.fill, 1, 1, 0, hipStreamPerThread), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(hipStreamPerThread), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventDestroy(start), hipSuccess);
  EXPECT_EQ(hipEventDestroy(stop), hipSuccess);
  EXPECT_EQ(hipEventRecord(stop, nullptr), hipErrorInvalidHandle);
}

} // namespace
} // namespace kiln::hip
