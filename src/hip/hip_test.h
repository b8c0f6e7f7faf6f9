// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP entry points over fake devices: each test has a process-wide runtime of its own.
#pragma once

#include "hip/api.h"
#include "runtime/fake_device.h"
#include "runtime/registry.h"
#include "runtime/test_module.h"

#include <gtest/gtest.h>

extern "C" {
void** __hipRegisterFatBinary(const void* wrapper);
void __hipRegisterFunction(void** handle, const void* host_function, char*, const char* device_name, unsigned int,
                           void*, void*, dim3*, dim3*, int*);
void __hipRegisterVar(void** handle, void* host_variable, char*, char* device_name, int, size_t size, int, int);
void __hipRegisterManagedVar(void** handle, void** pointer, void* initial, const char* name, size_t size,
                             unsigned alignment);
void __hipUnregisterFatBinary(void** handle);
}

namespace kiln::hip {

struct HipTest : ::testing::Test {
  explicit HipTest(int device_count = 2) {
    device::Discovery discovery;
    for (int i = 0; i < device_count; ++i) {
      auto device = std::make_unique<runtime::testing::FakeDevice>("fake:" + std::to_string(i));
      fakes.push_back(device.get());
      discovery.devices.push_back(std::move(device));
    }
    discovery.unusable.push_back({"cuda", "not here"});
    auto fake_compiler = std::make_unique<runtime::testing::FakeCompiler>();
    compiler = fake_compiler.get();
    runtime = std::make_unique<runtime::Runtime>(std::move(discovery), std::move(fake_compiler));
    runtime::Runtime::set_instance_for_test(runtime.get());
    thread_state() = {};
  }
  ~HipTest() override {
    streams().remove_if([](const auto&) { return true; });
    events().remove_if([](const auto&) { return true; });
    modules().remove_if([](const auto&) { return true; });
    runtime::Runtime::set_instance_for_test(nullptr);
  }
  std::vector<runtime::testing::FakeDevice*> fakes;
  runtime::testing::FakeCompiler* compiler;
  std::unique_ptr<runtime::Runtime> runtime;
};

// A program's fat binary with the kernels fill, counts and broken and two variables, registered as clang does it.
struct RegisteredProgram {
  struct Wrapper {
    uint32_t magic = 0x48495046, version = 1;
    const void* data = nullptr;
    const void* unused = nullptr;
  };
  RegisteredProgram() : bundle(runtime::testing::portable_bundle({"fill", "counts", "broken"})) {
    wrapper.data = bundle.data();
    handle = __hipRegisterFatBinary(&wrapper);
    auto function = [&](const void* address, const char* name) {
      __hipRegisterFunction(handle, address, nullptr, name, unsigned(-1), nullptr, nullptr, nullptr, nullptr, nullptr);
    };
    function(&fill, "fill");
    function(&counts, "counts");
    function(&broken, "broken");
    static char counter_name[] = "counter";
    __hipRegisterVar(handle, &counter, nullptr, counter_name, 0, sizeof(counter), 0, 0);
    int initial = 11;
    __hipRegisterManagedVar(handle, reinterpret_cast<void**>(&managed), &initial, "managed", sizeof(int), 4);
  }
  ~RegisteredProgram() { __hipUnregisterFatBinary(handle); }

  Bytes bundle;
  Wrapper wrapper;
  void** handle;
  char fill = 0, counts = 0, broken = 0; // their addresses stand for the kernels
  int counter = 0;
  int* managed = nullptr;
};

} // namespace kiln::hip
