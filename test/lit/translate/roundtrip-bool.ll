; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; i1: logic, comparisons, extensions, truncation, selects.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func i1 @logic(i1 %a, i1 %b, i32 %x, i32 %y) addrspace(4) {
  %1 = and i1 %a, %b
  %2 = or i1 %1, %a
  %3 = xor i1 %2, true
  %4 = xor i1 %3, %b
  %5 = icmp eq i1 %4, %a
  %6 = icmp ne i1 %5, %b
  %7 = icmp slt i32 %x, %y
  %8 = icmp samesign ult i32 %x, %y
  %9 = select i1 %7, i1 %6, i1 false
  %10 = select i1 %9, i1 true, i1 %8
  %11 = freeze i1 %10
  ret i1 %11
}

define spir_func i32 @extensions(i1 %a, i32 %x, float %f) addrspace(4) {
  %1 = zext i1 %a to i32
  %2 = sext i1 %a to i32
  %3 = add i32 %1, %2
  %4 = trunc i32 %x to i1
  %5 = select i1 %4, i32 %3, i32 %x
  %6 = uitofp i1 %a to float
  %7 = sitofp i1 %4 to float
  %8 = fadd float %6, %7
  %9 = fcmp contract ogt float %8, %f
  %10 = fcmp nnan une float %8, %f
  %11 = fcmp uno float %8, 0.0
  %12 = or i1 %9, %10
  %13 = or i1 %12, %11
  %14 = select nsz i1 %13, float %8, float %f
  %15 = fptosi float %14 to i32
  %16 = select i1 %13, i32 %15, i32 %5
  %17 = select i1 %13, i32 1, i32 0
  %18 = add i32 %16, %17
  ret i32 %18
}

define spir_func <4 x i32> @lanes(<4 x i1> %m, <4 x i32> %a, <4 x i32> %b) addrspace(4) {
  %1 = icmp ugt <4 x i32> %a, %b
  %2 = and <4 x i1> %1, %m
  %3 = select <4 x i1> %2, <4 x i32> %a, <4 x i32> %b
  %4 = zext <4 x i1> %m to <4 x i32>
  %5 = trunc <4 x i32> %3 to <4 x i1>
  %6 = sext <4 x i1> %5 to <4 x i32>
  %7 = add <4 x i32> %4, %6
  ret <4 x i32> %7
}

define spir_func i1 @pointers(ptr addrspace(1) %a, ptr addrspace(1) %b) addrspace(4) {
  %1 = icmp eq ptr addrspace(1) %a, %b
  %2 = icmp ne ptr addrspace(1) %a, null
  %3 = and i1 %1, %2
  ret i1 %3
}

define spir_func i1 @memory(ptr addrspace(1) %p) addrspace(4) {
  %1 = load i1, ptr addrspace(1) %p, align 1
  store i1 true, ptr addrspace(1) %p, align 1
  ret i1 %1
}
