; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer gets one pointee; other uses share one bitcast, right after the definition.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK-DAG: %[[I8:[0-9]+]] = OpTypeInt 8 0
; CHECK-DAG: %[[FLOAT:[0-9]+]] = OpTypeFloat 32
; CHECK-DAG: %[[PFLOAT:[0-9]+]] = OpTypePointer CrossWorkgroup %[[FLOAT]]
; CHECK-DAG: %[[PBYTE:[0-9]+]] = OpTypePointer CrossWorkgroup %[[I8]]
define spir_func void @f(ptr addrspace(1) %p, i64 %i) addrspace(4) {
; CHECK: OpFunction
; CHECK: %[[P:[0-9]+]] = OpFunctionParameter %[[PFLOAT]]
; CHECK: OpLabel
; CHECK-NEXT: %[[BYTES:[0-9]+]] = OpBitcast %[[PBYTE]] %[[P]]
; CHECK-NOT: OpBitcast %[[PBYTE]] %[[P]]
; CHECK: OpLoad %[[FLOAT]] %[[P]] Aligned 4
; CHECK: %[[Q:[0-9]+]] = OpInBoundsPtrAccessChain %[[PBYTE]] %[[BYTES]]
; CHECK-NEXT: %[[QF:[0-9]+]] = OpBitcast %[[PFLOAT]] %[[Q]]
; CHECK: OpStore %[[QF]] %{{[0-9]+}} Volatile|Aligned 4
; CHECK: OpPtrAccessChain %[[PBYTE]] %[[BYTES]]
; BACK: define spir_func void @f(ptr addrspace(1) %0, i64 %1)
; BACK-NEXT: load float, ptr addrspace(1) %0
; BACK-NEXT: %[[Q:[0-9]+]] = getelementptr inbounds i8, ptr addrspace(1) %0, i64 8
; BACK-NEXT: store volatile float %{{[0-9]+}}, ptr addrspace(1) %[[Q]]
; BACK-NEXT: getelementptr nuw i8, ptr addrspace(1) %0, i64 %1
  %v = load float, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
  store volatile float %v, ptr addrspace(1) %q, align 4
  %r = getelementptr nuw i8, ptr addrspace(1) %p, i64 %i
  store i8 0, ptr addrspace(1) %r, align 1
  ret void
}
