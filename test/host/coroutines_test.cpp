// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose work-items wait for each other: barriers, and cross-lane operations under divergent control flow. The
// expected values come from lockstep rules applied by hand in C++.
#include "host_runner.h"

#include <bit>
#include <numeric>

namespace kiln::test {
namespace {

constexpr const char* prelude = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wave.barrier()
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.ds.permute(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i32 @llvm.amdgcn.wave.reduce.add.i32(i32, i32)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)
declare i32 @llvm.amdgcn.wavefrontsize()
define internal void @put(ptr addrspace(1) %out, i32 %at, i32 %v) alwaysinline {
  %o = zext i32 %at to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %o
  store i32 %v, ptr addrspace(1) %p
  ret void
}
)";

class HostCoroutines : public testing::TestWithParam<unsigned> {
protected:
  [[nodiscard]] unsigned wave() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Waves, HostCoroutines, testing::Values(32u, 64u));

// A tree reduction in local memory: a barrier in a loop.
TEST_P(HostCoroutines, tree_reduction) {
  Loaded module(std::string(prelude) + R"(
@lds = internal addrspace(3) global [1024 x i32] undef, align 16
define spir_kernel void @k(i32 %n, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %b = mul i32 %g, %n
  %j = add i32 %b, %i
  %o = zext i32 %j to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %o
  %v = load i32, ptr addrspace(1) %p
  %l = getelementptr [1024 x i32], ptr addrspace(3) @lds, i32 0, i32 %i
  store i32 %v, ptr addrspace(3) %l
  call void @llvm.amdgcn.s.barrier()
  br label %loop
loop:
  %s = phi i32 [ 512, %entry ], [ %half, %next ]
  %c1 = icmp ult i32 %i, %s
  %k2 = add i32 %i, %s
  %c2 = icmp ult i32 %k2, %n
  %c = and i1 %c1, %c2
  br i1 %c, label %add, label %next
add:
  %q = getelementptr [1024 x i32], ptr addrspace(3) @lds, i32 0, i32 %k2
  %x = load i32, ptr addrspace(3) %q
  %y = load i32, ptr addrspace(3) %l
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %l
  br label %next
next:
  call void @llvm.amdgcn.s.barrier()
  %half = lshr i32 %s, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %done
done:
  %first = icmp eq i32 %i, 0
  br i1 %first, label %write, label %end
write:
  %r = load i32, ptr addrspace(3) @lds
  call void @put(ptr addrspace(1) %out, i32 %g, i32 %r)
  br label %end
end:
  ret void
})",
                wave());
  for (uint32_t block : {1u, 33u, 100u, 1024u}) {
    const uint32_t groups = 50;
    std::vector<uint32_t> in(block * groups), out(groups);
    std::iota(in.begin(), in.end(), 7u);
    ASSERT_RUNS(module.run("k", {groups}, {block}, 0, block, in.data(), out.data()));
    for (uint32_t g = 0; g < groups; ++g)
      ASSERT_EQ(out[g], std::accumulate(in.begin() + g * block, in.begin() + (g + 1) * block, 0u)) << block << " " << g;
  }
}

// Dynamic local memory behind a static variable; reversal through it.
TEST_P(HostCoroutines, dynamic_local_memory) {
  Loaded module(std::string(prelude) + R"(
@fixed = internal addrspace(3) global [3 x i32] undef, align 4
@dynamic = external addrspace(3) global [0 x i32], align 4
define spir_kernel void @k(i32 %n, ptr addrspace(1) %out) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %l = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %i
  %v = mul i32 %i, 3
  store i32 %v, ptr addrspace(3) %l
  %m = urem i32 %i, 3
  %f = getelementptr [3 x i32], ptr addrspace(3) @fixed, i32 0, i32 %m
  store i32 -1, ptr addrspace(3) %f
  call void @llvm.amdgcn.s.barrier()
  %t = sub i32 %n, %i
  %j = sub i32 %t, 1
  %q = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %j
  %w = load i32, ptr addrspace(3) %q
  call void @put(ptr addrspace(1) %out, i32 %i, i32 %w)
  ret void
})",
                wave());
  std::vector<uint32_t> out(100);
  ASSERT_RUNS(module.run("k", {1}, {100}, 400, 100u, out.data()));
  for (uint32_t i = 0; i < 100; ++i)
    ASSERT_EQ(out[i], (99 - i) * 3);
}

// In each branch the active lanes are exactly those that took it, and all are back together behind it.
TEST_P(HostCoroutines, ballots_under_divergence) {
  Loaded module(std::string(prelude) + R"(
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %after) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %r = urem i32 %i, 3
  %c = icmp eq i32 %r, 0
  br i1 %c, label %a, label %b
a:
  %m1 = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  br label %join
b:
  %c2 = icmp eq i32 %r, 1
  %m2 = call i64 @llvm.amdgcn.ballot.i64(i1 %c2)
  br label %join
join:
  %m = phi i64 [ %m1, %a ], [ %m2, %b ]
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %o = zext i32 %i to i64
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %o
  store i64 %m, ptr addrspace(1) %p
  %q = getelementptr i64, ptr addrspace(1) %after, i64 %o
  store i64 %all, ptr addrspace(1) %q
  ret void
})",
                wave());
  for (uint32_t block : {1u, 33u, 100u, 1024u}) {
    std::vector<uint64_t> out(block), after(block);
    ASSERT_RUNS(module.run("k", {1}, {block}, 0, out.data(), after.data()));
    for (uint32_t i = 0; i < block; ++i) {
      uint64_t branch = 0, all = 0;
      uint32_t first = i / wave() * wave();
      for (uint32_t j = first; j < std::min(first + wave(), block); ++j) {
        all |= uint64_t(1) << (j - first);
        if (i % 3 == 0 ? j % 3 == 0 : j % 3 == 1)
          branch |= uint64_t(1) << (j - first);
      }
      ASSERT_EQ(out[i], branch) << block << " " << i;
      ASSERT_EQ(after[i], all) << block << " " << i;
    }
  }
}

// Two nested loops, an inner `break` that depends on the lane, `continue`, a ballot in each: lanes of different
// iterations are never taken together.
TEST_P(HostCoroutines, nested_loops_keep_lockstep) {
  Loaded module(std::string(prelude) + R"(
define spir_kernel void @k(ptr addrspace(1) %out) {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %bound = and i32 %i, 3
  br label %outer
outer:
  %n = phi i32 [ 0, %entry ], [ %n1, %outer.next ]
  %h0 = phi i32 [ 1, %entry ], [ %h3, %outer.next ]
  br label %inner
inner:
  %m = phi i32 [ 0, %outer ], [ %m1, %inner.next ]
  %h1 = phi i32 [ %h0, %outer ], [ %h2, %inner.next ]
  %mn = add i32 %m, %n
  %stop = icmp ugt i32 %mn, %i
  br i1 %stop, label %outer.next, label %body
body:
  %bal = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %lo = trunc i64 %bal to i32
  %x = mul i32 %h1, 31
  %y = add i32 %x, %lo
  %odd = and i32 %mn, 1
  %skip = icmp eq i32 %odd, 0
  br i1 %skip, label %inner.next, label %rest
rest:
  %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %i)
  %z = add i32 %y, %f
  br label %inner.next
inner.next:
  %h2 = phi i32 [ %y, %body ], [ %z, %rest ]
  %m1 = add i32 %m, 1
  %im = icmp ult i32 %m1, 5
  br i1 %im, label %inner, label %outer.next
outer.next:
  %h3 = phi i32 [ %h1, %inner ], [ %h2, %inner.next ]
  %n1 = add i32 %n, 1
  %om = icmp ule i32 %n1, %bound
  br i1 %om, label %outer, label %done
done:
  call void @put(ptr addrspace(1) %out, i32 %i, i32 %h3)
  ret void
})",
                wave());
  const uint32_t block = 100;
  std::vector<uint32_t> out(block), expected(block);
  ASSERT_RUNS(module.run("k", {1}, {block}, 0, out.data()));
  for (uint32_t first = 0; first < block; first += wave()) { // a machine with an execution mask
    uint32_t count = std::min(wave(), block - first);
    std::vector<uint32_t> h(count, 1);
    for (uint32_t n = 0; n < 4; ++n) {
      std::vector<bool> inside(count);
      for (uint32_t l = 0; l < count; ++l)
        inside[l] = n <= ((first + l) & 3);
      for (uint32_t m = 0; m < 5; ++m) {
        uint64_t mask = 0;
        for (uint32_t l = 0; l < count; ++l) {
          inside[l] = inside[l] && m + n <= first + l;
          mask |= uint64_t(inside[l]) << l;
        }
        for (uint32_t l = 0; l < count; ++l)
          if (inside[l]) {
            h[l] = h[l] * 31 + uint32_t(mask);
            if ((m + n) & 1)
              h[l] += first + uint32_t(std::countr_zero(mask));
          }
      }
    }
    std::copy(h.begin(), h.end(), expected.begin() + first);
  }
  EXPECT_EQ(out, expected);
}

// Threads that have returned count neither for a barrier nor for a ballot.
TEST_P(HostCoroutines, early_returns) {
  Loaded module(std::string(prelude) + R"(
@lds = internal addrspace(3) global i32 undef, align 4
define spir_kernel void @k(ptr addrspace(1) %out) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = and i32 %i, 1
  %c = icmp eq i32 %odd, 1
  br i1 %c, label %leave, label %stay
leave:
  ret void
stay:
  %z = icmp eq i32 %i, 0
  br i1 %z, label %init, label %sync
init:
  store i32 1000, ptr addrspace(3) @lds
  br label %sync
sync:
  call void @llvm.amdgcn.s.barrier()
  %old = atomicrmw add ptr addrspace(3) @lds, i32 1 syncscope("workgroup") monotonic
  call void @llvm.amdgcn.s.barrier()
  %v = load i32, ptr addrspace(3) @lds
  call void @put(ptr addrspace(1) %out, i32 %i, i32 %v)
  ret void
})",
                wave());
  std::vector<uint32_t> out(200);
  ASSERT_RUNS(module.run("k", {1}, {200}, 0, out.data()));
  for (uint32_t i = 0; i < 200; ++i)
    ASSERT_EQ(out[i], i % 2 ? 0u : 1100u);
}

TEST_P(HostCoroutines, lane_moves) {
  Loaded module(std::string(prelude) + R"(
define spir_kernel void @k(ptr addrspace(1) %out) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)
  %w = call i32 @llvm.amdgcn.wavefrontsize()
  %v = mul i32 %i, 10
  %n = add i32 %lane, 5
  %a = shl i32 %n, 2
  %shuffled = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %v)
  %pushed = call i32 @llvm.amdgcn.ds.permute(i32 %a, i32 %v)
  %shifted = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 273, i32 15, i32 15, i1 false)
  %masked = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 27, i32 1, i32 15, i1 true)
  %third = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 3)
  %sum = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %v, i32 0)
  %b = mul i32 %i, 8
  call void @put(ptr addrspace(1) %out, i32 %b, i32 %lane)
  %b1 = add i32 %b, 1
  call void @put(ptr addrspace(1) %out, i32 %b1, i32 %w)
  %b2 = add i32 %b, 2
  call void @put(ptr addrspace(1) %out, i32 %b2, i32 %shuffled)
  %b3 = add i32 %b, 3
  call void @put(ptr addrspace(1) %out, i32 %b3, i32 %pushed)
  %b4 = add i32 %b, 4
  call void @put(ptr addrspace(1) %out, i32 %b4, i32 %shifted)
  %b5 = add i32 %b, 5
  call void @put(ptr addrspace(1) %out, i32 %b5, i32 %masked)
  %b6 = add i32 %b, 6
  call void @put(ptr addrspace(1) %out, i32 %b6, i32 %third)
  %b7 = add i32 %b, 7
  call void @put(ptr addrspace(1) %out, i32 %b7, i32 %sum)
  ret void
})",
                wave());
  const uint32_t block = wave() * 2 + 7; // the last wave has 7 lanes
  std::vector<uint32_t> out(block * 8);
  ASSERT_RUNS(module.run("k", {1}, {block}, 0, out.data()));
  for (uint32_t i = 0; i < block; ++i) {
    uint32_t first = i / wave() * wave(), lane = i - first, count = std::min(wave(), block - first);
    uint32_t from = (lane + 5) % wave(), by = (lane + wave() - 5) % wave(), sum = 0;
    for (uint32_t l = 0; l < count; ++l)
      sum += (first + l) * 10;
    const uint32_t* got = &out[i * 8];
    EXPECT_EQ(got[0], lane);
    EXPECT_EQ(got[1], wave());
    EXPECT_EQ(got[2], from < count ? (first + from) * 10 : 0) << i;
    EXPECT_EQ(got[3], by < count ? (first + by) * 10 : 0) << i;
    EXPECT_EQ(got[4], lane % 16 ? (i - 1) * 10 : ~0u) << i; // row_shr:1
    uint32_t mirror = lane ^ 3;                             // quad_perm:[3,2,1,0], in row 0 only
    EXPECT_EQ(got[5], lane >= 16 ? ~0u : mirror < count ? (first + mirror) * 10 : 0) << i;
    EXPECT_EQ(got[6], (first + 3) * 10);
    EXPECT_EQ(got[7], sum);
  }
}

// One wave waits for another through local memory, without a barrier.
TEST_P(HostCoroutines, waves_take_turns_when_they_spin) {
  Loaded module(std::string(prelude) + R"(
@flag = internal addrspace(3) global i32 undef, align 4
define spir_kernel void @k(ptr addrspace(1) %out) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  store i32 0, ptr addrspace(3) @flag
  call void @llvm.amdgcn.s.barrier()
  %last = icmp eq i32 %i, 199
  br i1 %last, label %set, label %spin
set:
  store atomic i32 77, ptr addrspace(3) @flag syncscope("workgroup") release, align 4
  br label %done
spin:
  %v = load atomic i32, ptr addrspace(3) @flag syncscope("workgroup") acquire, align 4
  %c = icmp eq i32 %v, 0
  br i1 %c, label %spin, label %done
done:
  %r = load i32, ptr addrspace(3) @flag
  call void @put(ptr addrspace(1) %out, i32 %i, i32 %r)
  ret void
})",
                wave());
  std::vector<uint32_t> out(200);
  ASSERT_RUNS(module.run("k", {1}, {200}, 0, out.data()));
  EXPECT_EQ(out, std::vector<uint32_t>(200, 77));
}

TEST_P(HostCoroutines, barrier_in_a_called_function) {
  Loaded module(std::string(prelude) + R"(
@lds = internal addrspace(3) global [64 x i32] undef, align 4
define internal i32 @rotate(i32 %v) noinline {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %l = getelementptr [64 x i32], ptr addrspace(3) @lds, i32 0, i32 %i
  store i32 %v, ptr addrspace(3) %l
  call void @llvm.amdgcn.s.barrier()
  %j = add i32 %i, 1
  %m = and i32 %j, 63
  %q = getelementptr [64 x i32], ptr addrspace(3) @lds, i32 0, i32 %m
  %r = load i32, ptr addrspace(3) %q
  call void @llvm.amdgcn.s.barrier()
  ret i32 %r
}
define spir_kernel void @k(ptr addrspace(1) %out) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call i32 @rotate(i32 %i)
  %b = call i32 @rotate(i32 %a)
  call void @put(ptr addrspace(1) %out, i32 %i, i32 %b)
  ret void
})",
                wave());
  std::vector<uint32_t> out(64);
  ASSERT_RUNS(module.run("k", {1}, {64}, 0, out.data()));
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], (i + 2) % 64);
}

// AMD's own reductions over a wave and a group (ockl), which are made of these operations, also with lanes missing.
TEST_P(HostCoroutines, device_library_reductions) {
  Loaded module(std::string(prelude) + R"(
declare i32 @__ockl_wfred_add_i32(i32)
declare i32 @__ockl_wfred_max_i32(i32)
declare i32 @__ockl_wfscan_add_i32(i32, i1)
define spir_kernel void @k(ptr addrspace(1) %out) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call i32 @__ockl_wfred_add_i32(i32 %i)
  %b = call i32 @__ockl_wfred_max_i32(i32 %i)
  %c = call i32 @__ockl_wfscan_add_i32(i32 %i, i1 true)
  %j = mul i32 %i, 3
  call void @put(ptr addrspace(1) %out, i32 %j, i32 %a)
  %j1 = add i32 %j, 1
  call void @put(ptr addrspace(1) %out, i32 %j1, i32 %b)
  %j2 = add i32 %j, 2
  call void @put(ptr addrspace(1) %out, i32 %j2, i32 %c)
  ret void
})",
                wave());
  for (uint32_t block : {64u, 128u, 100u}) {
    std::vector<uint32_t> out(block * 3);
    ASSERT_RUNS(module.run("k", {1}, {block}, 0, out.data()));
    for (uint32_t i = 0; i < block; ++i) {
      uint32_t first = i / wave() * wave(), end = std::min(first + wave(), block), sum = 0, scan = 0;
      for (uint32_t j = first; j < end; ++j) {
        sum += j;
        scan += j <= i ? j : 0;
      }
      EXPECT_EQ(out[i * 3], sum) << block << " " << i;
      EXPECT_EQ(out[i * 3 + 1], end - 1) << block << " " << i;
      EXPECT_EQ(out[i * 3 + 2], scan) << block << " " << i;
    }
  }
}

TEST(HostCoroutineErrors, barrier_behind_a_pointer_is_refused) {
  auto image = compile_ir(std::string(prelude) + R"(
define internal void @f() noinline {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define internal void @g() noinline {
  ret void
}
define spir_kernel void @k(i1 %c) {
  %p = select i1 %c, ptr @f, ptr @g
  call void %p()
  ret void
})",
                          {});
  ASSERT_FALSE(image.ok());
  EXPECT_NE(image.error().message.find("kernel 'k' reaches a barrier"), std::string::npos) << image.error().message;
}

} // namespace
} // namespace kiln::test
