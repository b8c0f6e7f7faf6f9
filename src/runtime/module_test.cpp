// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fake_device.h"
#include "runtime/runtime.h"
#include "runtime/test_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiln::runtime {
namespace {

using ::testing::HasSubstr;
using namespace kiln::runtime::testing;

struct RuntimeTest : ::testing::Test {
  RuntimeTest() {
    auto device = std::make_unique<FakeDevice>();
    fake = device.get();
    auto fake_compiler = std::make_unique<FakeCompiler>();
    compiler = fake_compiler.get();
    device::Discovery discovery;
    discovery.devices.push_back(std::move(device));
    runtime = std::make_unique<Runtime>(std::move(discovery), std::move(fake_compiler));
    context = runtime->devices()[0].get();
  }
  std::shared_ptr<Module> load(ByteView bytes, std::vector<ManagedVariable> managed = {}) {
    auto module = Module::load(bytes, Keep::copy, runtime->toolchain(), std::move(managed));
    EXPECT_TRUE(module) << (module ? "" : module.error().message);
    return module ? *module : nullptr;
  }
  FakeDevice* fake;
  FakeCompiler* compiler;
  std::unique_ptr<Runtime> runtime;
  DeviceContext* context;
};

TEST_F(RuntimeTest, AKernelIsCompiledOnceHoweverManyThreadsAsk) {
  compiler->delay = std::chrono::milliseconds(20);
  auto module = load(portable_bundle({"fill", "other"}));
  std::vector<std::thread> threads;
  std::vector<const LoadedKernel*> kernels(8);
  for (auto& kernel : kernels)
    threads.emplace_back([&] {
      auto found = module->kernel(*context, "fill");
      kernel = found ? *found : nullptr;
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_NE(kernels[0], nullptr);
  EXPECT_THAT(kernels, ::testing::Each(kernels[0]));
  EXPECT_EQ(compiler->compilations, 1);
  EXPECT_EQ(fake->loads, 1);
}

TEST_F(RuntimeTest, TheSameModuleLoadedAgainComesFromTheMemoryTier) {
  const Bytes bytes = portable_bundle({"fill"});
  auto first = load(bytes);
  auto second = load(bytes);
  ASSERT_TRUE(first->kernel(*context, "fill"));
  ASSERT_TRUE(second->kernel(*context, "fill"));
  EXPECT_EQ(compiler->compilations, 1);
  ASSERT_NE(runtime->jit_log().find("fill", ""), nullptr);
  EXPECT_EQ(runtime->jit_log().find("fill", "")->tier, "memory");
  EXPECT_EQ(runtime->jit_log().all().front()->tier, "compiler");
}

TEST_F(RuntimeTest, OnlyWhatIsAskedForIsCompiled) {
  auto module = load(portable_bundle({"fill", "broken"}));
  EXPECT_TRUE(module->kernel(*context, "fill"));
  auto broken = module->kernel(*context, "broken");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::compile_failed);
  EXPECT_THAT(broken.error().message, HasSubstr("kernel 'broken' for fake"));
  EXPECT_FALSE(module->kernel(*context, "broken")); // the answer is kept, not made again
  EXPECT_EQ(compiler->compilations, 2);
}

TEST_F(RuntimeTest, AMissingKernelIsNotFoundAndNothingIsCompiled) {
  auto module = load(portable_bundle({"fill"}));
  auto kernel = module->kernel(*context, "absent");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, ErrorCode::not_found);
  EXPECT_EQ(compiler->compilations, 0);
}

TEST_F(RuntimeTest, GlobalVariablesAreOneImageSharedByKernelsAndTheProgram) {
  auto module = load(portable_bundle({"fill", "counts"}));
  ASSERT_TRUE(module->kernel(*context, "fill"));
  EXPECT_EQ(compiler->compilations, 1); // 'fill' refers to no variable
  ASSERT_TRUE(module->kernel(*context, "counts"));
  EXPECT_EQ(compiler->compilations, 3);
  auto variable = module->variable(*context, "counter");
  ASSERT_TRUE(variable);
  EXPECT_EQ(variable->size, 4u);
  EXPECT_EQ(compiler->compilations, 3);
  EXPECT_EQ(module->variable(*context, "absent").error().code, ErrorCode::not_found);
}

TEST_F(RuntimeTest, AModuleWithoutVariablesCompilesNoneToSayThat) {
  auto module = load(spirv_with({"fill"}, false));
  EXPECT_EQ(module->variable(*context, "counter").error().code, ErrorCode::not_found);
  EXPECT_EQ(compiler->compilations, 0);
}

TEST_F(RuntimeTest, ManagedVariablesGetTheirAddressWritten) {
  int memory = 7;
  auto module = load(portable_bundle({"counts"}), {{"managed", &memory, sizeof(memory)}, {"unused", &memory, 4}});
  auto pointer = module->variable(*context, "managed");
  ASSERT_TRUE(pointer);
  void* stored = nullptr;
  std::memcpy(&stored, pointer->address, sizeof(stored));
  EXPECT_EQ(stored, &memory);
}

TEST_F(RuntimeTest, UnloadingStartsVariablesAnew) {
  auto module = load(portable_bundle({"counts"}));
  std::memset(module->variable(*context, "counter")->address, 0xff, 4);
  module->unload(*context);
  EXPECT_EQ(*static_cast<const int*>(module->variable(*context, "counter")->address), 0);
  EXPECT_EQ(compiler->compilations, 1); // the code is still in the cache
}

TEST_F(RuntimeTest, DamagedBytesAreRefused) {
  EXPECT_FALSE(Module::load(as_bytes("hello, world: not a module"), Keep::copy, runtime->toolchain()));
  Bytes cut = spirv_with({"fill"});
  cut.resize(cut.size() - 6);
  auto module = Module::load(cut, Keep::copy, runtime->toolchain());
  if (module) { // found out at the first use at the latest
    auto kernel = (*module)->kernel(*context, "fill");
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error().code, ErrorCode::invalid_module);
  }
}

struct SelectionCase {
  std::string device, expected;
};

TEST(ModuleSource, TakesExactThenGenericThenSpirv) {
  const Bytes bytes = codeobj::write_bundle({{"host-x86_64-unknown-linux-gnu-", {}},
                                             {"hipv4-amdgcn-amd-amdhsa--gfx942", as_bytes("exact")},
                                             {"hipv4-amdgcn-amd-amdhsa--gfx11-generic", as_bytes("generic")},
                                             {"hip-spirv64-amd-amdhsa--amdgcnspirv", as_bytes("spirv")}});
  auto source = ModuleSource::load(bytes, Keep::reference);
  ASSERT_TRUE(source) << source.error().message;
  const SelectionCase cases[] = {{"gfx942:sramecc+:xnack-", "exact"},
                                 {"gfx1100", "generic"},
                                 {"gfx1201", "spirv"},
                                 {"host", "spirv"},
                                 {"sm_90", "spirv"}};
  for (const auto& [device, expected] : cases) {
    device::DeviceInfo info;
    info.target = device;
    auto choice = source->choose(info, false);
    ASSERT_TRUE(choice) << device;
    EXPECT_EQ(as_text(choice->bytes), expected) << device;
    EXPECT_EQ(choice->spirv, expected == "spirv") << device;
    EXPECT_TRUE(source->choose(info, true)->spirv) << device;
  }
}

TEST(ModuleSource, SaysWhatThereIsWhenNothingFits) {
  const Bytes bytes = codeobj::write_bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", as_bytes("exact")}});
  auto source = ModuleSource::load(bytes, Keep::reference);
  ASSERT_TRUE(source);
  device::DeviceInfo info;
  info.id = info.target = "host";
  auto choice = source->choose(info, false);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::no_binary);
  EXPECT_THAT(choice.error().message, HasSubstr("gfx942"));
}

TEST(VisibleDevices, OrderAndEndAtTheFirstThatIsNone) {
  using Indices = std::vector<size_t>;
  EXPECT_EQ(visible_devices("1,0", 2), (Indices{1, 0}));
  EXPECT_EQ(visible_devices("1,7,0", 2), (Indices{1}));
  EXPECT_EQ(visible_devices("", 2), (Indices{}));
  EXPECT_EQ(visible_devices("0,0", 2), (Indices{0}));
  EXPECT_EQ(visible_devices("GPU-1", 2), (Indices{}));
}

} // namespace
} // namespace kiln::runtime
