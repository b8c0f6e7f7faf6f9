// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fake_device.h"
#include "runtime/launch.h"
#include "runtime/runtime.h"

#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiln::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace kiln::runtime::testing;

struct StreamTest : ::testing::Test {
  StreamTest() {
    auto device = std::make_unique<FakeDevice>();
    fake = device.get();
    device::Discovery discovery;
    discovery.devices.push_back(std::move(device));
    runtime = std::make_unique<Runtime>(std::move(discovery), std::make_unique<FakeCompiler>());
    context = runtime->devices()[0].get();
  }
  // Puts a note into the stream; the first of a gated stream waits until the gate opens.
  void note(Stream& stream, int number, bool gated = false) {
    ASSERT_TRUE(stream.submit([&](device::Queue& queue) {
      return queue.host_function([this, number, gated] {
        if (gated)
          gate.get_future().wait();
        std::lock_guard lock(mutex);
        order.push_back(number);
      });
    }));
  }
  FakeDevice* fake;
  std::unique_ptr<Runtime> runtime;
  DeviceContext* context;
  std::promise<void> gate;
  std::mutex mutex;
  std::vector<int> order;
};

TEST_F(StreamTest, TheNullStreamComesAfterBlockingStreams) {
  auto blocking = *context->create_stream(StreamKind::blocking);
  auto null = *context->null_stream();
  note(*blocking, 1, true);
  note(*null, 2);
  EXPECT_FALSE(null->idle());
  gate.set_value();
  ASSERT_TRUE(null->synchronize());
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST_F(StreamTest, BlockingStreamsComeAfterTheNullStream) {
  auto blocking = *context->create_stream(StreamKind::blocking);
  auto null = *context->null_stream();
  note(*null, 1, true);
  note(*blocking, 2);
  gate.set_value();
  ASSERT_TRUE(blocking->synchronize());
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST_F(StreamTest, NonBlockingStreamsDoNotWaitForTheNullStream) {
  auto free_stream = *context->create_stream(StreamKind::non_blocking);
  auto null = *context->null_stream();
  note(*null, 1, true);
  note(*free_stream, 2);
  ASSERT_TRUE(free_stream->synchronize());
  gate.set_value();
  ASSERT_TRUE(context->synchronize());
  EXPECT_THAT(order, ElementsAre(2, 1));
}

TEST_F(StreamTest, AnEventMakesAnotherStreamWait) {
  auto first = *context->create_stream(StreamKind::non_blocking);
  auto second = *context->create_stream(StreamKind::non_blocking);
  Event event(true);
  EXPECT_TRUE(event.done()); // never recorded
  note(*first, 1, true);
  ASSERT_TRUE(event.record(*first));
  ASSERT_TRUE(event.make_wait(*second));
  note(*second, 2);
  EXPECT_FALSE(event.done());
  gate.set_value();
  ASSERT_TRUE(second->synchronize());
  EXPECT_THAT(order, ElementsAre(1, 2));
  EXPECT_TRUE(event.done());
}

TEST_F(StreamTest, ElapsedTimeNeedsTwoRecordedEventsWithTiming) {
  auto stream = *context->create_stream(StreamKind::blocking);
  Event start(true), stop(true), silent(false);
  EXPECT_FALSE(Event::elapsed_ms(start, stop));
  ASSERT_TRUE(start.record(*stream));
  ASSERT_TRUE(stream->submit([](device::Queue& queue) {
    return queue.host_function([] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
  }));
  ASSERT_TRUE(stop.record(*stream));
  ASSERT_TRUE(stop.synchronize());
  EXPECT_GE(*Event::elapsed_ms(start, stop), 4.9);
  ASSERT_TRUE(silent.record(*stream));
  EXPECT_FALSE(Event::elapsed_ms(start, silent));
}

TEST_F(StreamTest, AFaultStaysUntilReset) {
  auto stream = *context->create_stream(StreamKind::blocking);
  auto other = *context->create_stream(StreamKind::non_blocking);
  fake->run = [](device::Kernel&, const device::Launch&) -> Result<void> {
    return Error{ErrorCode::launch_failed, "kernel 'k': out of bounds"};
  };
  FakeKernel kernel;
  ASSERT_TRUE(launch(*stream, kernel, {}));
  auto result = stream->synchronize();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::launch_failed);
  EXPECT_FALSE(stream->synchronize());
  EXPECT_FALSE(launch(*other, kernel, {}));
  EXPECT_FALSE(context->create_stream(StreamKind::blocking));
  fake->run = [](device::Kernel&, const device::Launch&) -> Result<void> { return {}; };
  ASSERT_TRUE(runtime->reset(*context));
  EXPECT_TRUE(launch(*other, kernel, {}));
  EXPECT_TRUE(context->synchronize());
}

TEST_F(StreamTest, MemoryIsFreedAfterAllWorkEvenAfterAFault) {
  auto stream = *context->create_stream(StreamKind::non_blocking);
  auto other = *context->create_stream(StreamKind::non_blocking);
  void* memory = *runtime->allocate(*context, 4, AllocationKind::device);
  note(*other, 1, true);
  fake->run = [](device::Kernel&, const device::Launch&) -> Result<void> {
    return Error{ErrorCode::launch_failed, "kernel 'k': out of bounds"};
  };
  FakeKernel kernel;
  ASSERT_TRUE(launch(*stream, kernel, {}));
  ASSERT_FALSE(stream->synchronize());
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.set_value();
  });
  EXPECT_FALSE(runtime->free(memory)); // the fault
  {
    std::lock_guard lock(mutex);
    EXPECT_THAT(order, ElementsAre(1));
  }
  EXPECT_EQ(fake->live_allocations, 0);
  opener.join();
}

TEST_F(StreamTest, PageableMemoryIsTheCallersAgain) {
  auto stream = *context->create_stream(StreamKind::non_blocking);
  void* memory = *runtime->allocate(*context, 4, AllocationKind::device);
  std::promise<void> open;
  ASSERT_TRUE(
      stream->submit([&](device::Queue& queue) { return queue.host_function([&] { open.get_future().wait(); }); }));
  int value = 42;
  ASSERT_TRUE(runtime->copy_async(*stream, memory, &value, sizeof(value)));
  value = 0; // before the copy ran
  open.set_value();
  ASSERT_TRUE(stream->synchronize());
  EXPECT_EQ(*static_cast<int*>(memory), 42);
  EXPECT_TRUE(runtime->free(memory));
  EXPECT_FALSE(runtime->free(memory));
  EXPECT_EQ(fake->live_allocations, 0);
}

TEST_F(StreamTest, CopiesMayNotLeaveTheirAllocation) {
  void* memory = *runtime->allocate(*context, 16, AllocationKind::device);
  char bytes[32] = {};
  EXPECT_TRUE(runtime->copy(*context, static_cast<char*>(memory) + 8, bytes, 8));
  EXPECT_FALSE(runtime->copy(*context, static_cast<char*>(memory) + 8, bytes, 9));
  EXPECT_TRUE(runtime->free(memory));
}

TEST(Launch, GeometryIsChecked) {
  device::DeviceInfo device;
  codeobj::KernelMetadata kernel;
  kernel.max_block_size = 256;
  kernel.group_size = 1024;
  auto message = [&](device::Dim3 grid, device::Dim3 block, uint64_t shared) {
    auto result = check_geometry(device, kernel, grid, block, shared);
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(message({1, 1, 1}, {256, 1, 1}, 65536 - 1024), "");
  EXPECT_THAT(message({0, 1, 1}, {1, 1, 1}, 0), HasSubstr("must not be empty"));
  EXPECT_THAT(message({1, 1, 1}, {16, 17, 1}, 0), HasSubstr("more than 256"));
  EXPECT_THAT(message({1, 70000, 1}, {1, 1, 1}, 0), HasSubstr("grid"));
  EXPECT_THAT(message({1, 1, 1}, {1, 1, 1}, 65536 - 1023), HasSubstr("shared memory"));
}

TEST(Launch, ArgumentsAreLaidOutAsTheMetadataSays) {
  codeobj::KernelMetadata kernel;
  kernel.name = "k";
  kernel.arguments = {{"a", "by_value", "", 0, 1}, {"b", "by_value", "", 8, 8}, {"", "hidden_none", "", 16, 8}};
  char a = 3;
  uint64_t b = 0x0102030405060708;
  void* values[] = {&a, &b};
  auto packed = pack_arguments(kernel, values);
  ASSERT_TRUE(packed);
  ASSERT_EQ(packed->size(), 16u);
  EXPECT_EQ(std::to_integer<int>((*packed)[0]), 3);
  EXPECT_EQ(*read_at<uint64_t>(*packed, 8), b);
  void* missing[] = {&a, nullptr};
  EXPECT_THAT(pack_arguments(kernel, missing).error().message, HasSubstr("argument 1"));
  EXPECT_FALSE(copy_arguments(kernel, packed->data(), 15));
  EXPECT_EQ(*copy_arguments(kernel, packed->data(), 24), *packed);
}

} // namespace
} // namespace kiln::runtime
