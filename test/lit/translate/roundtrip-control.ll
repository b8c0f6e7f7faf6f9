; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Control flow: phis, loops with metadata, switches, unreachable code, blocks out of order.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func i32 @loop(i32 %n, ptr addrspace(1) %p) addrspace(4) {
entry:
  %0 = icmp sgt i32 %n, 0
  br i1 %0, label %body, label %exit, !prof !0

exit:
  %r = phi i32 [ 0, %entry ], [ %s1, %body ]
  ret i32 %r

body:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %s = phi i32 [ 0, %entry ], [ %s1, %body ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %q, align 4
  %s1 = add i32 %s, %v
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i1, %n
  br i1 %c, label %body, label %exit, !llvm.loop !1
}

define spir_func i32 @switches(i32 %x, i64 %y, i8 %z, i1 %b) addrspace(4) {
entry:
  switch i32 %x, label %default [
    i32 0, label %a
    i32 -1, label %a
    i32 7, label %c
  ]

a:
  %pa = phi i32 [ 1, %entry ], [ 1, %entry ], [ 5, %d ]
  switch i64 %y, label %c [
    i64 -9223372036854775808, label %default
    i64 5, label %c
  ]

c:
  %pc = phi i32 [ 2, %entry ], [ %pa, %a ], [ %pa, %a ]
  switch i8 %z, label %default [
    i8 -128, label %d
  ]

d:
  switch i1 %b, label %a [
    i1 true, label %default
  ]

default:
  %p = phi i32 [ 3, %entry ], [ %pa, %a ], [ %pc, %c ], [ 9, %d ]
  ret i32 %p
}

define spir_func void @no_way_out(i1 %c) addrspace(4) {
  br i1 %c, label %trap, label %forever

trap:
  call void @llvm.trap()
  unreachable

forever:
  br label %forever, !llvm.loop !3

dead:
  br label %forever
}

define spir_func float @fast_phi(i1 %c, float %a, float %b, <2 x ptr addrspace(1)> %v) addrspace(4) {
entry:
  br i1 %c, label %left, label %right

left:
  %l = fadd float %a, %b
  br label %join

right:
  br label %join

join:
  %p = phi nnan nsz float [ %l, %left ], [ %b, %right ]
  %q = phi { i32, float } [ { i32 1, float 2.0 }, %left ], [ zeroinitializer, %right ]
  %e = extractvalue { i32, float } %q, 1
  %r = fadd float %p, %e
  ret float %r
}

declare void @llvm.trap() addrspace(4)

!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.count", i32 4}
!3 = distinct !{!3, !4, !5}
!4 = !{!"llvm.loop.mustprogress"}
!5 = !{!"llvm.loop.unroll.disable"}
