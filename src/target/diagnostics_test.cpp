// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device does not have is one sentence that names kernel and intrinsic, on every family; nothing goes to
// standard error.
#include "target/test_modules.h"

#include <gmock/gmock.h>

namespace kiln::target {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Case {
  const char* name; // of the intrinsic
  const char* call; // uses %p (global), %i (i32), %f (float)
  const char* declaration;
  std::vector<const char*> without, with;
};

const Case& mfma() {
  static const Case one{
      "llvm.amdgcn.mfma.f32.4x4x1f32",
      "call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %f, float %f, <4 x float> zeroinitializer, "
      "i32 0, i32 0, i32 0)",
      "declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)",
      {"gfx900", "gfx906", "gfx1030", "gfx1100", "gfx1201", "gfx12-generic", "host", "sm_90"},
      {"gfx908", "gfx90a", "gfx942", "gfx950", "gfx9-4-generic"}};
  return one;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      mfma(),
      {"llvm.amdgcn.permlane16.swap",
       "call {i32, i32} @llvm.amdgcn.permlane16.swap(i32 %i, i32 %i, i1 false, i1 false)",
       "declare {i32, i32} @llvm.amdgcn.permlane16.swap(i32, i32, i1, i1)",
       {"gfx900", "gfx90a", "gfx942", "gfx1100", "gfx1201"},
       {"gfx950"}},
      // The code generator crashes on these two.
      {"llvm.amdgcn.s.sleep.var",
       "call void @llvm.amdgcn.s.sleep.var(i32 %i)",
       "declare void @llvm.amdgcn.s.sleep.var(i32)",
       {"gfx900", "gfx942", "gfx1030", "gfx1100"},
       {"gfx1200", "gfx1201", "gfx12-generic"}},
      {"llvm.amdgcn.s.get.barrier.state",
       "call i32 @llvm.amdgcn.s.get.barrier.state(i32 1)",
       "declare i32 @llvm.amdgcn.s.get.barrier.state(i32)",
       {"gfx906", "gfx1100", "host", "sm_90"},
       {"gfx1201"}},
      // Gives instructions to some that have none.
      {"llvm.amdgcn.cvt.scalef32.f32.fp8",
       "call float @llvm.amdgcn.cvt.scalef32.f32.fp8(i32 %i, float %f, i32 0)",
       "declare float @llvm.amdgcn.cvt.scalef32.f32.fp8(i32, float, i32 immarg)",
       {"gfx900", "gfx90a", "gfx942", "gfx9-4-generic", "gfx1030", "gfx1201"},
       {"gfx950"}},
      // Every processor has the float one, whatever forms there are besides.
      {"llvm.amdgcn.exp2",
       "call float @llvm.amdgcn.exp2.f32(float %f)",
       "declare float @llvm.amdgcn.exp2.f32(float)",
       {},
       {"gfx900", "gfx950", "gfx1030", "gfx1201", "host", "sm_90"}},
      {"llvm.amdgcn.raw.ptr.buffer.load",
       "call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) null, i32 %lane, i32 0, i32 0)",
       "declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32 immarg)",
       {"host", "sm_90"},
       {"gfx900", "gfx950", "gfx1030", "gfx1201"}},
      // Makes another instruction of this one.
      {"llvm.amdgcn.sdot4",
       "call i32 @llvm.amdgcn.sdot4(i32 %i, i32 %lane, i32 %i, i1 false)",
       "declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1 immarg)",
       {"gfx900"},
       {"gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1201", "host", "sm_90"}},
      // And reports these on standard error.
      {"llvm.amdgcn.update.dpp",
       "call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %lane, i32 322, i32 15, i32 15, i1 false)",
       "declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)",
       {"gfx1030", "gfx1100", "gfx1201", "gfx10-3-generic"},
       {"gfx900", "gfx942", "gfx9-generic"}},
      {"llvm.amdgcn.fdot2",
       "call float @llvm.amdgcn.fdot2(<2 x half> %h, <2 x half> %h, float %f, i1 false)",
       "declare float @llvm.amdgcn.fdot2(<2 x half>, <2 x half>, float, i1 immarg)",
       {"gfx900"},
       {"gfx906", "gfx942", "gfx1100", "gfx1201"}},
      {"llvm.amdgcn.s.memtime",
       "call i64 @llvm.amdgcn.s.memtime()",
       "declare i64 @llvm.amdgcn.s.memtime()",
       {"gfx1100", "gfx1201"},
       {"gfx900", "gfx942", "gfx1030", "host", "sm_90"}},
  };
  return all;
}

std::string kernel(const Case& one) {
  std::string call = one.call;
  std::string type = call.substr(5, call.find(" @") - 5);
  bool returns = type != "void";
  return std::string(one.declaration) + "\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n" +
         "define internal void @helper(ptr{global} %p, i32 %i, float %f, i32 %lane, <2 x half> %h) noinline {\n  " +
         (returns ? "%r = " : "") + call + "\n" + (returns ? "  store " + type + " %r, ptr{global} %p\n" : "") +
         "  ret void\n}\n" +
         "define spir_kernel void @the_kernel(ptr{global} %p, i32 %i, float %f, <2 x half> %h) {\n"
         "  %lane = call i32 @llvm.amdgcn.workitem.id.x()\n"
         "  call void @helper(ptr{global} %p, i32 %i, float %f, i32 %lane, <2 x half> %h)\n  ret void\n}\n";
}

TEST(Diagnostics, NameTheKernelAndTheIntrinsicThatADeviceLacks) {
  for (const Case& one : cases()) {
    for (const char* device : one.without) {
      testing::internal::CaptureStderr();
      auto image = test::compile(device, kernel(one));
      std::string noise = testing::internal::GetCapturedStderr();
      EXPECT_EQ(noise, "") << one.name << " on " << device;
      ASSERT_FALSE(image.ok()) << one.name << " on " << device;
      EXPECT_THAT(image.error().message, AllOf(HasSubstr("kernel 'the_kernel' uses " + std::string(one.name)),
                                               HasSubstr(device), HasSubstr("guard it with"), Not(HasSubstr("\n"))));
    }
    for (const char* device : one.with) {
      auto image = test::compile(device, kernel(one));
      EXPECT_TRUE(image.ok()) << one.name << " on " << device << ": " << image.error().message;
    }
  }
}

// What cannot be done leaves the back end fit for the next kernel.
TEST(Diagnostics, AFailureIsNotCatching) {
  for (const char* device : {"gfx900", "host", "sm_90"}) {
    ASSERT_FALSE(test::compile(device, kernel(mfma())).ok());
    auto next = test::compile(device, test::everything);
    EXPECT_TRUE(next.ok()) << device << ": " << next.error().message;
  }
}

// A 32-bit ballot where waves have 64 lanes: no intrinsic is wrong in itself. No addresses of compiler data in the
// text.
TEST(Diagnostics, OperationsThatCannotBeSelectedReadWell) {
  auto image = test::compile("gfx900", R"(
declare i32 @llvm.amdgcn.ballot.i32(i1)
define spir_kernel void @narrow(ptr{global} %p, i32 %i) {
  %v = load i32, ptr{global} %p
  %c = icmp sgt i32 %v, %i
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  store i32 %b, ptr{global} %p
  ret void
})");
  ASSERT_FALSE(image.ok());
  EXPECT_THAT(image.error().message,
              AllOf(HasSubstr("kernel 'narrow'"), HasSubstr("gfx900 cannot do"), Not(HasSubstr("0x"))));
}

} // namespace
} // namespace kiln::target
