// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes wrong in a kernel is an error of the launch that says where; the process and the device go on.
#include "host_runner.h"

namespace kiln::test {
namespace {

constexpr const char* kernels = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.trap()
declare void @__kiln_assert_fail(ptr, ptr, i32, ptr)
declare i64 @__ockl_printf_begin(i64)
declare i64 @__ockl_printf_append_args(i64, i32, i64, i64, i64, i64, i64, i64, i64, i32)
declare i64 @__ockl_printf_append_string_n(i64, ptr, i64, i32)
@format = private addrspace(4) constant [11 x i8] c"item %d.%d\00"
@expression = private addrspace(4) constant [6 x i8] c"x > 0\00"
@file = private addrspace(4) constant [6 x i8] c"a.hip\00"
@function = private addrspace(4) constant [2 x i8] c"f\00"
define spir_kernel void @trap(i32 %at) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %c1 = icmp eq i32 %i, %at
  %c2 = icmp eq i32 %g, 3
  %c = and i1 %c1, %c2
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  ret void
}
define spir_kernel void @store(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @store_behind_barrier(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  call void @llvm.amdgcn.s.barrier()
  %c = icmp eq i32 %i, 42
  br i1 %c, label %bad, label %good
bad:
  store volatile i32 1, ptr addrspace(1) %p
  br label %good
good:
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define internal i32 @deep(i32 %n) noinline {
  %a = alloca [1000 x i32]
  %p = getelementptr [1000 x i32], ptr %a, i32 0, i32 %n
  store volatile i32 %n, ptr %p
  %m = call i32 @deep(i32 0)
  %v = load volatile i32, ptr %p
  %r = add i32 %m, %v
  ret i32 %r
}
define spir_kernel void @overflow(ptr addrspace(1) %p) {
  %r = call i32 @deep(i32 0)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @divide(ptr addrspace(1) %p, i32 %d) {
  %r = udiv i32 7, %d
  store i32 %r, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @divergent() {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %i, 5
  br i1 %c, label %a, label %b
a:
  call void @llvm.amdgcn.s.barrier()
  ret void
b:
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define spir_kernel void @assertion(i32 %at) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp eq i32 %i, %at
  br i1 %c, label %bad, label %good
bad:
  call void @__kiln_assert_fail(ptr addrspacecast (ptr addrspace(4) @expression to ptr), ptr addrspacecast (ptr addrspace(4) @file to ptr), i32 12, ptr addrspacecast (ptr addrspace(4) @function to ptr))
  unreachable
good:
  ret void
}
define spir_kernel void @print() {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %x = zext i32 %i to i64
  %m = call i64 @__ockl_printf_begin(i64 0)
  %n = call i64 @__ockl_printf_append_string_n(i64 %m, ptr addrspacecast (ptr addrspace(4) @format to ptr), i64 11, i32 0)
  %o = call i64 @__ockl_printf_append_args(i64 %n, i32 2, i64 %x, i64 7, i64 0, i64 0, i64 0, i64 0, i64 0, i32 1)
  ret void
}
define spir_kernel void @bounded() !max_work_group_size !0 {
  ret void
}
!0 = !{i32 64, i32 1, i32 1}
)";

class HostFaults : public testing::Test {
protected:
  static Loaded& module() {
    static Loaded loaded(kernels);
    return loaded;
  }
  static void expect(const Result<void>& result, ErrorCode code, std::initializer_list<const char*> parts) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, code) << result.error().message;
    for (const char* part : parts)
      EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message << "\nlacks " << part;
    // The device still works.
    uint32_t out = 0;
    ASSERT_RUNS(module().run("divide", {1}, {1}, 0, &out, 3u));
    EXPECT_EQ(out, 2u);
  }
};

TEST_F(HostFaults, trap) {
  expect(module().run("trap", {5}, {100}, 0, 33u), ErrorCode::launch_failed,
         {"kernel 'trap'", "block [3,0,0]", "thread [33,0,0]", "trap"});
}
TEST_F(HostFaults, bad_address) {
  expect(module().run("store", {1}, {1}, 0, reinterpret_cast<void*>(0x1000)), ErrorCode::launch_failed,
         {"kernel 'store'", "block [0,0,0], thread [0,0,0]", "memory access fault at address 0x0000000000001000"});
  expect(module().run("store_behind_barrier", {1}, {64}, 0, reinterpret_cast<void*>(0x1000)), ErrorCode::launch_failed,
         {"thread [42,0,0]", "memory access fault"});
}
TEST_F(HostFaults, stack_overflow) {
  uint32_t out = 0;
  expect(module().run("overflow", {1}, {1}, 0, &out), ErrorCode::launch_failed,
         {"kernel 'overflow'", "stack overflow"});
}
TEST_F(HostFaults, division_by_zero) {
  uint32_t out = 0;
  expect(module().run("divide", {1}, {1}, 0, &out, 0u), ErrorCode::launch_failed, {"division by zero"});
}
TEST_F(HostFaults, divergent_barrier) {
  expect(module().run("divergent", {1}, {32}, 0), ErrorCode::launch_failed,
         {"kernel 'divergent'", "divergent barrier", "thread [0,0,0]", "thread [5,0,0]"});
}
TEST_F(HostFaults, assertion_is_told_on_stderr) {
  testing::internal::CaptureStderr();
  auto result = module().run("assertion", {1}, {100}, 0, 7u);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "a.hip:12: f: block [0,0,0], thread [7,0,0]: Assertion `x > 0' failed.\n");
  expect(result, ErrorCode::assert_failed,
         {"kernel 'assertion'", "assertion `x > 0' failed at a.hip:12", "thread [7,0,0]"});
}
TEST_F(HostFaults, printf_of_one_group_is_in_order) {
  testing::internal::CaptureStdout();
  ASSERT_RUNS(module().run("print", {1}, {3}, 0));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "item 0.7item 1.7item 2.7");
}
TEST_F(HostFaults, what_a_launch_must_not_ask_for) {
  expect(module().run("bounded", {1}, {65}, 0), ErrorCode::invalid_argument, {"kernel 'bounded'", "65", "at most 64"});
  expect(module().run("trap", {1}, {1025}, 0, 1u), ErrorCode::invalid_argument, {"1024"});
  expect(module().run("trap", {1, 65536}, {1}, 0, 1u), ErrorCode::invalid_argument, {"65535"});
  expect(module().run("trap", {0}, {1}, 0, 1u), ErrorCode::invalid_argument, {"grid"});
  expect(module().run("trap", {1}, {1}, 65537, 1u), ErrorCode::invalid_argument, {"65536"});
  expect(module().run("trap", {1}, {1}, 0), ErrorCode::invalid_argument, {"arguments"});
}
TEST_F(HostFaults, copies_of_bad_addresses) {
  uint32_t value = 0;
  ASSERT_RUNS(module().queue().copy(&value, reinterpret_cast<void*>(0x1000), 4));
  expect(module().queue().synchronize(), ErrorCode::invalid_argument, {"copy", "0x0000000000001000"});
}

TEST(HostErrors, intrinsics_and_assembly_without_equivalent) {
  auto intrinsic = compile_ir(R"(
declare i32 @llvm.amdgcn.s.getreg(i32)
define internal i32 @helper() noinline {
  %r = call i32 @llvm.amdgcn.s.getreg(i32 1)
  ret i32 %r
}
define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call i32 @helper()
  store i32 %r, ptr addrspace(1) %p
  ret void
})",
                              {});
  ASSERT_FALSE(intrinsic.ok());
  EXPECT_EQ(
      intrinsic.error().message.find("kernel 'k' uses llvm.amdgcn.s.getreg, which has no equivalent on host; guard it "
                                     "with __builtin_amdgcn_processor_is or __builtin_amdgcn_is_invocable"),
      0u)
      << intrinsic.error().message;
  auto assembly = compile_ir(R"(
define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call i32 asm "v_mov_b32 $0, 1", "=v"()
  store i32 %r, ptr addrspace(1) %p
  ret void
})",
                             {});
  ASSERT_FALSE(assembly.ok());
  EXPECT_NE(assembly.error().message.find("kernel 'k' uses the inline assembly \"v_mov_b32 $0, 1\""), std::string::npos)
      << assembly.error().message;
}

} // namespace
} // namespace kiln::test
