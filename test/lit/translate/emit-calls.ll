; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Direct and intrinsic calls; attributes of call sites; what OpenCL.std says exactly.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK: %[[CL:[0-9]+]] = OpExtInstImport "OpenCL.std"
; CHECK-DAG: OpDecorate %[[SIN:[0-9]+]] LinkageAttributes "llvm.sin.f32" Import
; CHECK-DAG: OpDecorate %[[ID:[0-9]+]] LinkageAttributes "llvm.amdgcn.workitem.id.x" Import
; CHECK-DAG: OpDecorate %[[CALLEE:[0-9]+]] LinkageAttributes "callee" Import
declare spir_func i32 @callee(i32, ptr addrspace(4)) addrspace(4)
define spir_func i32 @f(float %x, i32 %n, ptr addrspace(4) %p) addrspace(4) {
; CHECK: OpFunctionCall %{{[0-9]+}} %[[ID]]
; CHECK: OpExtInst %{{[0-9]+}} %[[CL]] fabs
; CHECK: OpFunctionCall %{{[0-9]+}} %[[SIN]]
; CHECK: OpExtInst %{{[0-9]+}} %[[CL]] rotate
; CHECK: clz
; CHECK: CallAttributes
; CHECK-NEXT: OpFunctionCall %{{[0-9]+}} %[[CALLEE]]
; BACK: call{{.*}} i32 @llvm.amdgcn.workitem.id.x()
; BACK: call nnan{{.*}} float @llvm.fabs.f32
; BACK: call contract{{.*}} float @llvm.sin.f32
; BACK: call{{.*}} i32 @llvm.fshl.i32(i32 %[[V:[0-9]+]], i32 %[[V]], i32 3)
; BACK: call{{.*}} i32 @llvm.ctlz.i32(i32 %{{[0-9]+}}, i1 true)
; BACK: call{{.*}} i32 @llvm.bswap.i32
; BACK: call spir_func{{.*}} i32 @callee(i32 noundef %{{[0-9]+}}, ptr addrspace(4) %2)
  %1 = call i32 @llvm.amdgcn.workitem.id.x()
  %2 = call nnan float @llvm.fabs.f32(float %x)
  %3 = call contract float @llvm.sin.f32(float %2)
  %4 = fptosi float %3 to i32
  %5 = call i32 @llvm.fshl.i32(i32 %4, i32 %4, i32 3)
  %6 = call i32 @llvm.ctlz.i32(i32 %5, i1 true)
  %7 = call i32 @llvm.bswap.i32(i32 %6)
  %8 = call spir_func addrspace(4) i32 @callee(i32 noundef %7, ptr addrspace(4) %p) #0
  ret i32 %8
}
attributes #0 = { convergent nounwind }
