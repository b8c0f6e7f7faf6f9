; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Arithmetic and its flags.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func i32 @integers(i32 %a, i32 %b) addrspace(4) {
  %1 = add nsw i32 %a, %b
  %2 = sub nuw i32 %1, %b
  %3 = mul nuw nsw i32 %2, %a
  %4 = udiv exact i32 %3, %b
  %5 = sdiv exact i32 %4, %b
  %6 = urem i32 %5, 7
  %7 = srem i32 %6, 5
  %8 = shl nuw nsw i32 %7, 2
  %9 = lshr exact i32 %8, 1
  %10 = ashr exact i32 %9, 1
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %14 = or i32 %13, %a
  %15 = udiv i32 %14, %b
  %16 = sdiv i32 %15, %b
  %17 = freeze i32 %16
  %18 = shl i32 %17, %a
  ret i32 %18
}

define spir_func float @floats(float %a, float %b) addrspace(4) {
  %1 = fadd contract float %a, %b
  %2 = fsub reassoc nsz float %1, %b
  %3 = fmul fast float %2, %a
  %4 = fdiv arcp afn float %3, %b
  %5 = frem nnan ninf float %4, %b
  %6 = fneg nsz float %5
  %7 = fadd nnan ninf nsz arcp contract afn reassoc float %6, 1.0
  %8 = fadd float %7, 2.0
  ret float %8
}

define spir_func <4 x float> @vectors(<4 x float> %a, <4 x i32> %b) addrspace(4) {
  %1 = sitofp <4 x i32> %b to <4 x float>
  %2 = fmul contract <4 x float> %a, %1
  %3 = add nsw <4 x i32> %b, <i32 1, i32 2, i32 3, i32 4>
  %4 = uitofp nneg <4 x i32> %3 to <4 x float>
  %5 = fadd <4 x float> %2, %4
  %6 = fneg <4 x float> %5
  ret <4 x float> %6
}

define spir_func float @math(float %a, float %b, i32 %c) addrspace(4) {
  %1 = call contract float @llvm.fabs.f32(float %a)
  %2 = call nnan float @llvm.fma.f32(float %1, float %b, float %a)
  %3 = call float @llvm.minnum.f32(float %2, float %b)
  %4 = call float @llvm.copysign.f32(float %3, float %b)
  %5 = call float @llvm.sqrt.f32(float %4)
  %6 = call afn float @llvm.log2.f32(float %5)
  %7 = call i32 @llvm.ctlz.i32(i32 %c, i1 true)
  %8 = call i32 @llvm.cttz.i32(i32 %7, i1 false)
  %9 = call i32 @llvm.abs.i32(i32 %8, i1 true)
  %10 = call i32 @llvm.fshl.i32(i32 %9, i32 %9, i32 3)
  %11 = call i32 @llvm.fshl.i32(i32 %10, i32 %c, i32 4)
  %12 = call i32 @llvm.bitreverse.i32(i32 %11)
  %13 = call i32 @llvm.ctpop.i32(i32 %12)
  %14 = call i32 @llvm.smax.i32(i32 %13, i32 %c)
  %15 = call i32 @llvm.uadd.sat.i32(i32 %14, i32 %c)
  %16 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %15, i32 %c)
  %17 = extractvalue { i32, i1 } %16, 0
  %18 = sitofp i32 %17 to float
  %19 = fadd float %6, %18
  %20 = call float @llvm.fmuladd.f32(float %19, float %a, float %b)
  %21 = call i1 @llvm.is.fpclass.f32(float %20, i32 3)
  %22 = call float @llvm.powi.f32.i32(float %20, i32 2)
  %23 = select i1 %21, float %20, float %22
  ret float %23
}
