; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; i1 is a boolean in SPIR-V: no arithmetic, no order, no bits. Each use means the same with logical operations.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK-DAG: %[[BOOL:[0-9]+]] = OpTypeBool
; CHECK-DAG: %[[I32:[0-9]+]] = OpTypeInt 32 0
define spir_func i32 @f(i1 %a, i1 %b, i64 %x) addrspace(4) {
; CHECK: OpFunction
; CHECK: %[[A:[0-9]+]] = OpFunctionParameter %[[BOOL]]
; CHECK: %[[B:[0-9]+]] = OpFunctionParameter %[[BOOL]]
; unsigned a < b is !a and b
; CHECK: %[[NOT:[0-9]+]] = OpLogicalNot %[[BOOL]] %[[A]]
; CHECK: %[[LESS:[0-9]+]] = OpLogicalAnd %[[BOOL]] %[[NOT]] %[[B]]
; signed a >= b is !a or b, since true is -1
; CHECK: %[[NOT2:[0-9]+]] = OpLogicalNot %[[BOOL]] %[[A]]
; CHECK: %[[GE:[0-9]+]] = OpLogicalOr %[[BOOL]] %[[NOT2]] %[[B]]
; CHECK: %[[ADD:[0-9]+]] = OpLogicalNotEqual %[[BOOL]] %[[LESS]] %[[GE]]
; CHECK: %[[LOW:[0-9]+]] = OpBitwiseAnd
; CHECK: %[[BIT:[0-9]+]] = OpINotEqual %[[BOOL]] %[[LOW]]
; CHECK: %[[MUL:[0-9]+]] = OpLogicalAnd %[[BOOL]] %[[ADD]] %[[BIT]]
; CHECK: OpSelect %[[I32]] %[[MUL]]
; CHECK: OpBranchConditional %[[MUL]] %[[YES:[0-9]+]] %[[NO:[0-9]+]]
  %1 = icmp ult i1 %a, %b
  %2 = icmp sge i1 %a, %b
  %3 = add i1 %1, %2
  %4 = trunc i64 %x to i1
  %5 = mul i1 %3, %4
  %6 = zext i1 %5 to i32
  switch i1 %5, label %no [ i1 true, label %yes ]
yes:
  ret i32 %6
no:
  ret i32 0
}
