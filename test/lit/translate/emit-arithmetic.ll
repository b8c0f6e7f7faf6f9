; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Integer and floating point arithmetic with the flags that are decorations and those that only Kiln's Flags can say.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK-DAG: OpDecorate %[[SUM:[0-9]+]] NoSignedWrap
; CHECK-DAG: OpDecorate %[[FMUL:[0-9]+]] FPFastMathMode AllowContract
; CHECK-DAG: %[[I32:[0-9]+]] = OpTypeInt 32 0
; CHECK-DAG: %[[EXACT:[0-9]+]] = OpConstant %[[I32]] 1
define spir_func float @f(i32 %a, i32 %b, float %x, float %y) addrspace(4) {
; CHECK: %[[SUM]] = OpIAdd %[[I32]]
; CHECK: %[[DIV:[0-9]+]] = OpUDiv %[[I32]] %[[SUM]]
; CHECK: OpUMod %[[I32]] %[[DIV]]
; CHECK: OpShiftRightArithmetic
; CHECK: OpConvertUToF
; CHECK: %[[FMUL]] = OpFMul
; CHECK: OpFRem
; CHECK: OpFNegate
; CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} Flags %[[EXACT]] %[[DIV]]
; BACK: add nsw i32
; BACK: udiv exact i32
; BACK: urem i32
; BACK: ashr i32
; BACK: uitofp i32
; BACK: fmul contract float
; BACK: frem float
; BACK: fneg afn float
  %1 = add nsw i32 %a, %b
  %2 = udiv exact i32 %1, %b
  %3 = urem i32 %2, 7
  %4 = ashr i32 %3, %a
  %5 = uitofp i32 %4 to float
  %6 = fmul contract float %5, %x
  %7 = frem float %6, %y
  %8 = fneg afn float %7
  ret float %8
}
