; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; LLVM's own SPIR-V back end writes the names of intrinsics with '_' for '.'. They are read back as intrinsics.
; RUN: llc -mtriple=spirv64-amd-amdhsa -spv-allow-unknown-intrinsics -filetype=obj %s -o %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

declare i32 @llvm.amdgcn.workitem.id.x() addrspace(4)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) addrspace(4)
declare void @llvm.amdgcn.s.barrier() addrspace(4)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32) addrspace(4)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1) addrspace(4)

; CHECK-LABEL: spir_kernel void @kernel
; CHECK: [[X:%.*]] = call{{.*}} i32 @llvm.amdgcn.workitem.id.x()
; CHECK: [[FIRST:%.*]] = call{{.*}} i32 @llvm.amdgcn.readfirstlane.i32(i32 [[X]])
; CHECK: call{{.*}} void @llvm.amdgcn.s.barrier()
; CHECK: [[B:%.*]] = call{{.*}} i32 @llvm.amdgcn.ds.bpermute(i32 [[FIRST]], i32 [[X]])
; CHECK: call{{.*}} i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 [[B]], i32 273, i32 15, i32 15, i1 false)
; CHECK-NOT: spirv.llvm
define spir_kernel void @kernel(ptr addrspace(1) %p) addrspace(4) {
  %x = call addrspace(4) i32 @llvm.amdgcn.workitem.id.x()
  %first = call addrspace(4) i32 @llvm.amdgcn.readfirstlane.i32(i32 %x)
  call addrspace(4) void @llvm.amdgcn.s.barrier()
  %b = call addrspace(4) i32 @llvm.amdgcn.ds.bpermute(i32 %first, i32 %x)
  %u = call addrspace(4) i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %b, i32 273, i32 15, i32 15, i1 false)
  store i32 %u, ptr addrspace(1) %p, align 4
  ret void
}
