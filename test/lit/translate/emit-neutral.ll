; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The neutral optimiser: generic pointers get their address space back, dead functions go, nothing is made for one target.
; RUN: %llvm-spirv -O2 %s -o %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s
; RUN: %llvm-spirv -O0 %s -o - | %llvm-spirv -r --emit-llvm-text -o - | FileCheck %s --check-prefix=O0
; A module without clang's command line is not optimised unless -O says so.
; RUN: %llvm-spirv %s -o - | %llvm-spirv -r --emit-llvm-text -o - | FileCheck %s --check-prefix=O0
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; O0: define linkonce_odr spir_func void @dead
; O0: alloca ptr addrspace(1)
; CHECK-NOT: @dead
; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-NOT: alloca
; CHECK-NOT: inttoptr
; CHECK: %[[P:[0-9]+]] = getelementptr inbounds{{.*}} float, ptr addrspace(1) %0, i64 %{{[0-9]+}}
; CHECK: load float, ptr addrspace(1) %[[P]]
; CHECK: call{{.*}} i1 @__kiln_predicate.is.gfx950()
; CHECK: br label %[[LOOP:[0-9]+]]
; the loop stays a loop
; CHECK: phi i32
declare i1 @__kiln_predicate.is.gfx950() addrspace(4)
define linkonce_odr spir_func void @dead(ptr addrspace(4) %p) addrspace(4) {
  store i32 1, ptr addrspace(4) %p
  ret void
}
define internal spir_func float @get(ptr addrspace(4) %p, i64 %i) addrspace(4) {
  %q = getelementptr inbounds float, ptr addrspace(4) %p, i64 %i
  %v = load float, ptr addrspace(4) %q, align 4
  ret float %v
}
define spir_kernel void @kernel(ptr addrspace(1) %p, i32 %n) addrspace(4) {
entry:
  %slot = alloca ptr addrspace(1), align 8
  %slot.generic = addrspacecast ptr %slot to ptr addrspace(4)
  store ptr addrspace(1) %p, ptr addrspace(4) %slot.generic, align 8
  %generic = load ptr addrspace(4), ptr addrspace(4) %slot.generic, align 8
  %wide = sext i32 %n to i64
  %v = call spir_func addrspace(4) float @get(ptr addrspace(4) %generic, i64 %wide)
  %is = call i1 @__kiln_predicate.is.gfx950()
  %start = select i1 %is, i32 1, i32 0
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(4) %generic, i32 %i
  store float %v, ptr addrspace(4) %at, align 4
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 8
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
