; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables: storage classes, linkage, initialisers with addresses, and what only Kiln's Global can say.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: %llvm-spirv --to-text %t.spv | not grep cmdline
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK-DAG: OpName %[[LDS:[0-9]+]] "lds"
; CHECK-DAG: OpDecorate %[[A:[0-9]+]] LinkageAttributes "a" Export
; CHECK-DAG: OpDecorate %[[DYN:[0-9]+]] LinkageAttributes "dyn" Import
; CHECK-DAG: OpDecorate %[[ONCE:[0-9]+]] LinkageAttributes "once" LinkOnceODR
; CHECK-DAG: OpDecorate %[[TAB:[0-9]+]] LinkageAttributes "tab" Export
; CHECK-DAG: %[[A]] = OpVariable %{{[0-9]+}} CrossWorkgroup %{{[0-9]+}}
; CHECK-DAG: %[[LDS]] = OpVariable %{{[0-9]+}} Workgroup{{$}}
; CHECK-DAG: %[[ADDRESS:[0-9]+]] = OpSpecConstantOp %{{[0-9]+}} PtrCastToGeneric %[[A]]
; CHECK-DAG: OpSpecConstantOp %{{[0-9]+}} InBoundsPtrAccessChain
; CHECK-DAG: %[[TAB]] = OpVariable
; BACK-DAG: @a = hidden addrspace(1) externally_initialized global i32 7, align 4
; BACK-DAG: @lds = internal addrspace(3) global [64 x i32] undef, align 16
; BACK-DAG: @dyn = external addrspace(3) global [0 x i32], align 4
; BACK-DAG: @once = linkonce_odr addrspace(1) constant half 0xH3C00, section "here", align 2
; BACK-DAG: @tab = addrspace(1) global [2 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr addrspace(1) @a to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @a, i64 2) to ptr addrspace(4))], align 8
@a = hidden addrspace(1) externally_initialized global i32 7, align 4
@lds = internal addrspace(3) global [64 x i32] undef, align 16
@dyn = external addrspace(3) global [0 x i32], align 4
@once = linkonce_odr addrspace(1) constant half 0xH3C00, section "here", align 2
@tab = addrspace(1) global [2 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr addrspace(1) @a to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @a, i64 2) to ptr addrspace(4))], align 8
@llvm.cmdline = private addrspace(1) constant [5 x i8] c"-cc1\00", section ".llvmcmd", align 1
