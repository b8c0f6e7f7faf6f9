; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Loads, stores, getelementptr, allocas, copies.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

%struct.s = type { i32, [4 x float], { i8, i64 } }

define spir_func float @chain(ptr addrspace(1) %p, i64 %i, i32 %j) addrspace(4) {
  %1 = getelementptr inbounds %struct.s, ptr addrspace(1) %p, i64 %i, i32 1, i32 %j
  %2 = load float, ptr addrspace(1) %1, align 4
  %3 = getelementptr %struct.s, ptr addrspace(1) %p, i32 %j, i32 2, i32 1
  %4 = load volatile i64, ptr addrspace(1) %3, align 8
  %5 = getelementptr nusw i8, ptr addrspace(1) %p, i64 %4
  %6 = getelementptr nuw float, ptr addrspace(1) %5, i64 2
  %7 = getelementptr inbounds nuw i8, ptr addrspace(1) %6, i64 12
  store volatile float %2, ptr addrspace(1) %7, align 1
  %8 = load <4 x float>, ptr addrspace(1) %5, align 4, !nontemporal !0
  %9 = extractelement <4 x float> %8, i64 %i
  store float %9, ptr addrspace(1) %6, align 64
  ret float %9
}

define spir_func i32 @allocas(i32 %n, i64 %m) addrspace(4) {
entry:
  %a = alloca i32, align 4
  %b = alloca [16 x i32], align 16
  %c = alloca %struct.s, align 8
  %d = alloca i32, i32 %n, align 4
  %e = alloca float, i32 7, align 4
  %g = addrspacecast ptr %a to ptr addrspace(4)
  call void @llvm.lifetime.start.p0(ptr %a)
  store i32 %n, ptr addrspace(4) %g, align 4
  call void @llvm.memset.p0.i64(ptr align 16 %b, i8 0, i64 64, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %d, ptr align 16 %b, i64 %m, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %c, ptr align 8 %b, i64 40, i1 true)
  call void @llvm.memmove.p0.p0.i64(ptr %b, ptr %d, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr %e, ptr %b, i32 28, i1 false)
  %p = getelementptr inbounds [16 x i32], ptr %b, i32 0, i32 %n
  %x = load i32, ptr %p, align 4
  call void @llvm.lifetime.end.p0(ptr %a)
  br label %more

more:
  %late = alloca [2 x i64], align 8
  store i64 %m, ptr %late, align 8
  ret i32 %x
}

define spir_func [2 x float] @aggregates(ptr %p, { i32, [2 x float] } %s, i1 %c) addrspace(4) {
  %1 = load { i32, [2 x float] }, ptr %p, align 4
  %2 = select i1 %c, { i32, [2 x float] } %1, { i32, [2 x float] } %s
  %3 = extractvalue { i32, [2 x float] } %2, 1
  %4 = extractvalue { i32, [2 x float] } %2, 1, 0
  %5 = insertvalue [2 x float] %3, float %4, 1
  %6 = insertvalue { i32, [2 x float] } %2, float %4, 1, 1
  store { i32, [2 x float] } %6, ptr %p, align 4
  ret [2 x float] %5
}

define spir_func <4 x i32> @lanes(<4 x i32> %a, <4 x i32> %b, <2 x i32> %c, i32 %i) addrspace(4) {
  %1 = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 5, i32 poison, i32 7>
  %2 = shufflevector <2 x i32> %c, <2 x i32> poison, <4 x i32> <i32 1, i32 0, i32 poison, i32 poison>
  %3 = add <4 x i32> %1, %2
  %4 = insertelement <4 x i32> %3, i32 %i, i32 2
  %5 = extractelement <4 x i32> %4, i32 %i
  %6 = insertelement <4 x i32> poison, i32 %5, i64 0
  %7 = shufflevector <4 x i32> %6, <4 x i32> poison, <4 x i32> zeroinitializer
  ret <4 x i32> %7
}

!0 = !{i32 1}
