// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose work-items do not wait for each other.
#include "host_runner.h"

#include <bit>
#include <cmath>
#include <numeric>

namespace kiln::test {
namespace {

constexpr const char* global_id = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workgroup.id.z()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
define internal i32 @global_id() {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %a = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %p = getelementptr i8, ptr addrspace(4) %a, i64 12
  %n = load i16, ptr addrspace(4) %p
  %w = zext i16 %n to i32
  %b = mul i32 %g, %w
  %r = add i32 %b, %i
  ret i32 %r
}
)";

constexpr const char* saxpy = R"(
define spir_kernel void @saxpy(i32 %n, float %a, ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %i = call i32 @global_id()
  %c = icmp ult i32 %i, %n
  br i1 %c, label %in, label %out
in:
  %o = zext i32 %i to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %o
  %py = getelementptr float, ptr addrspace(1) %y, i64 %o
  %vx = load float, ptr addrspace(1) %px
  %vy = load float, ptr addrspace(1) %py
  %m = fmul float %a, %vx
  %s = fadd float %m, %vy
  store float %s, ptr addrspace(1) %py
  br label %out
out:
  ret void
})";

TEST(HostLoops, saxpy) {
  Loaded module(std::string(global_id) + saxpy);
  for (uint32_t block : {1u, 33u, 100u, 256u, 1024u}) {
    const uint32_t n = 100000;
    std::vector<float> x(n), y(n);
    std::iota(x.begin(), x.end(), 0.0f);
    std::iota(y.begin(), y.end(), 5.0f);
    ASSERT_RUNS(module.run("saxpy", {(n + block - 1) / block}, {block}, 0, n, 2.0f, x.data(), y.data()));
    for (uint32_t i = 0; i < n; ++i)
      ASSERT_EQ(y[i], 2.0f * float(i) + (float(i) + 5.0f)) << "block " << block << " element " << i;
  }
}

TEST(HostLoops, work_items_are_vectorised) {
  target::CodegenOptions options;
  options.output = target::Output::llvm_ir;
  auto text = compile_ir(std::string(global_id) + saxpy, options);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_NE(as_text(text->bytes).find("x float>"), std::string_view::npos) << as_text(text->bytes);
}

TEST(HostLoops, identity_in_three_dimensions) {
  Loaded module(std::string(global_id) + R"(
define spir_kernel void @ids(ptr addrspace(1) %out) {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %z = call i32 @llvm.amdgcn.workitem.id.z()
  %gx = call i32 @llvm.amdgcn.workgroup.id.x()
  %gy = call i32 @llvm.amdgcn.workgroup.id.y()
  %gz = call i32 @llvm.amdgcn.workgroup.id.z()
  %zs = mul i32 %z, 5
  %yz = add i32 %zs, %y
  %yzs = mul i32 %yz, 7
  %l = add i32 %yzs, %x
  %gzs = mul i32 %gz, 3
  %gyz = add i32 %gzs, %gy
  %gyzs = mul i32 %gyz, 2
  %g = add i32 %gyzs, %gx
  %gs = mul i32 %g, 105
  %i = add i32 %gs, %l
  %o = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %o
  store i32 %i, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @sizes(ptr addrspace(1) %out) {
  %a = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  call void @llvm.memcpy.p1.p4.i64(ptr addrspace(1) %out, ptr addrspace(4) %a, i64 18, i1 false)
  %d = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %o = getelementptr i8, ptr addrspace(1) %out, i64 24
  %s = getelementptr i8, ptr addrspace(4) %d, i64 12
  call void @llvm.memcpy.p1.p4.i64(ptr addrspace(1) %o, ptr addrspace(4) %s, i64 12, i1 false)
  ret void
}
declare void @llvm.memcpy.p1.p4.i64(ptr addrspace(1), ptr addrspace(4), i64, i1)
)");
  std::vector<uint32_t> out(105 * 2 * 3 * 4, ~0u);
  ASSERT_RUNS(module.run("ids", {2, 3, 4}, {7, 5, 3}, 0, out.data()));
  for (uint32_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], i);
  std::vector<uint32_t> sizes(16);
  ASSERT_RUNS(module.run("sizes", {2, 3, 4}, {7, 5, 1}, 0, sizes.data()));
  EXPECT_EQ(std::vector(sizes.begin(), sizes.begin() + 3), (std::vector<uint32_t>{2, 3, 4}));
  EXPECT_EQ(sizes[3], 7u | 5u << 16);
  EXPECT_EQ(std::vector(sizes.begin() + 6, sizes.begin() + 9), (std::vector<uint32_t>{14, 15, 4}));
}

// Recursion, indirect calls and private arrays all keep their own work-item's identity.
TEST(HostLoops, calls_carry_the_work_item) {
  Loaded module(R"(
declare i32 @llvm.amdgcn.workitem.id.x()
define internal i32 @down(i32 %n) noinline {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %more
end:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  ret i32 %i
more:
  %m = sub i32 %n, 1
  %r = call i32 @down(i32 %m)
  %s = add i32 %r, 1
  ret i32 %s
}
define internal i32 @twice(i32 %n) noinline {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %r = mul i32 %i, 2
  ret i32 %r
}
define spir_kernel void @k(ptr addrspace(1) %out) {
  %a = alloca [8 x i32]
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = and i32 %i, 1
  %c = icmp eq i32 %odd, 1
  %f = select i1 %c, ptr @down, ptr @twice
  %v = call i32 %f(i32 %i)
  %slot = and i32 %i, 7
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %slot
  store volatile i32 %v, ptr %p
  %w = load volatile i32, ptr %p
  %o = zext i32 %i to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %o
  store i32 %w, ptr addrspace(1) %q
  ret void
})");
  std::vector<uint32_t> out(100);
  ASSERT_RUNS(module.run("k", {1}, {100}, 0, out.data()));
  for (uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(out[i], 2 * i);
}

TEST(HostLoops, global_atomics_from_all_cores) {
  Loaded module(R"(
define spir_kernel void @k(ptr addrspace(1) %sum, ptr addrspace(1) %fsum) {
  %a = atomicrmw add ptr addrspace(1) %sum, i32 1 syncscope("agent") monotonic
  %b = atomicrmw fadd ptr addrspace(1) %fsum, double 1.0 syncscope("agent") monotonic
  ret void
})");
  uint32_t sum = 0;
  double fsum = 0;
  ASSERT_RUNS(module.run("k", {1000}, {100}, 0, &sum, &fsum));
  EXPECT_EQ(sum, 100000u);
  EXPECT_EQ(fsum, 100000.0);
}

TEST(HostLoops, grids_up_to_hips_limits_store_nothing_per_group) {
  Loaded module(R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
define spir_kernel void @k(ptr addrspace(1) %out) {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %c = icmp eq i32 %g, 99999999
  br i1 %c, label %a, label %b
a:
  store i32 %g, ptr addrspace(1) %out
  br label %b
b:
  ret void
})");
  uint32_t out = 0;
  ASSERT_RUNS(module.run("k", {100000000}, {1}, 0, &out));
  EXPECT_EQ(out, 99999999u);
}

TEST(HostLoops, arguments_lie_as_on_amd) {
  Loaded module(R"(
%S = type { i8, i64, [3 x i16] }
define spir_kernel void @k(i8 %a, ptr addrspace(4) byref(%S) align 8 %s, i1 %b, <3 x float> %v, ptr addrspace(1) %out) {
  %p = getelementptr %S, ptr addrspace(4) %s, i32 0, i32 2, i32 1
  %x = load i16, ptr addrspace(4) %p
  %w = zext i16 %x to i32
  store i32 %w, ptr addrspace(1) %out
  %q = getelementptr i32, ptr addrspace(1) %out, i64 1
  %c = zext i1 %b to i32
  store i32 %c, ptr addrspace(1) %q
  %e = extractelement <3 x float> %v, i32 2
  %r = getelementptr float, ptr addrspace(1) %out, i64 2
  store float %e, ptr addrspace(1) %r
  ret void
})");
  struct S {
    int8_t a;
    int64_t b;
    int16_t c[3];
  } s{1, 2, {3, 4, 5}};
  struct alignas(16) Float3 {
    float v[4];
  } v{{1, 2, 3.5f, 0}};
  uint32_t out[3] = {};
  ASSERT_RUNS(module.run("k", {1}, {1}, 0, int8_t(9), s, true, v, &out[0]));
  EXPECT_EQ(out[0], 4u);
  EXPECT_EQ(out[1], 1u);
  EXPECT_EQ(std::bit_cast<float>(out[2]), 3.5f);
}

} // namespace
} // namespace kiln::test
