; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Calls: direct, through pointers, variadic, intrinsics with fixed address spaces and metadata.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

@table = internal addrspace(1) constant [2 x ptr addrspace(4)] [ptr addrspace(4) @callee, ptr addrspace(4) @callee], align 8

declare spir_func i32 @variadic(ptr addrspace(4), ...) addrspace(4)

define spir_func i32 @callee(i32 %x) addrspace(4) {
  ret i32 %x
}

define spir_func i32 @calls(i32 %i, ptr addrspace(4) %f, double %d) addrspace(4) {
  %1 = call spir_func addrspace(4) i32 @callee(i32 %i)
  %2 = tail call spir_func addrspace(4) i32 %f(i32 %1)
  %3 = getelementptr inbounds [2 x ptr addrspace(4)], ptr addrspace(1) @table, i64 0, i32 %i
  %4 = load ptr addrspace(4), ptr addrspace(1) %3, align 8
  %5 = call spir_func noundef addrspace(4) i32 %4(i32 noundef %2) #0
  %6 = call spir_func addrspace(4) i32 (ptr addrspace(4), ...) @variadic(ptr addrspace(4) %f, i32 %5, double %d)
  %7 = call addrspace(4) i32 @llvm.expect.i32(i32 %6, i32 1)
  %8 = icmp sgt i32 %7, 0
  call addrspace(4) void @llvm.assume(i1 %8)
  store i32 0, ptr addrspace(1) @counter, align 4
  ret i32 %7
}

@counter = addrspace(1) global i32 0, align 4

define spir_kernel void @target(ptr addrspace(1) %out) addrspace(4) {
  %1 = call addrspace(4) i32 @llvm.amdgcn.workitem.id.x(), !range !0
  %2 = call align 4 dereferenceable(64) addrspace(4) ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %3 = getelementptr i8, ptr addrspace(4) %2, i64 4
  %4 = load i16, ptr addrspace(4) %3, align 4, !invariant.load !1
  %5 = zext i16 %4 to i32
  %6 = add i32 %1, %5
  %7 = call addrspace(4) i64 @llvm.amdgcn.ballot.i64(i1 true)
  %8 = call addrspace(4) i32 @llvm.amdgcn.ds.bpermute(i32 %6, i32 %1)
  %9 = call addrspace(4) i32 @llvm.amdgcn.update.dpp.i32(i32 %8, i32 %1, i32 273, i32 15, i32 15, i1 false)
  call addrspace(4) void @llvm.amdgcn.s.barrier()
  %10 = call addrspace(4) i64 @llvm.read_register.i64(metadata !2)
  %11 = trunc i64 %10 to i32
  %12 = add i32 %11, %9
  %13 = call addrspace(4) float @llvm.experimental.constrained.fadd.f32(float 1.0, float 2.0, metadata !"round.tonearest", metadata !"fpexcept.ignore")
  store i32 %12, ptr addrspace(1) %out, align 4
  store float %13, ptr addrspace(1) %out, align 4
  ret void
}

attributes #0 = { convergent nounwind }

!0 = !{i32 0, i32 1024}
!1 = !{}
!2 = !{!"exec"}
