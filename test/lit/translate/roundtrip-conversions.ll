; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Conversions and casts between address spaces.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func i64 @numbers(i32 %i, float %f, double %d, i8 %c) addrspace(4) {
  %1 = zext nneg i32 %i to i64
  %2 = sext i8 %c to i64
  %3 = trunc nuw i64 %1 to i32
  %4 = trunc nsw i64 %2 to i16
  %5 = trunc i64 %2 to i8
  %6 = fptoui float %f to i32
  %7 = fptosi double %d to i64
  %8 = uitofp i32 %6 to double
  %9 = sitofp i64 %7 to float
  %10 = fpext contract float %9 to double
  %11 = fptrunc double %10 to half
  %12 = bitcast half %11 to i16
  %13 = bitcast double %8 to <2 x i32>
  %14 = extractelement <2 x i32> %13, i32 1
  %15 = bitcast float %9 to i32
  %16 = add i32 %14, %15
  %17 = add i32 %16, %3
  %18 = add i16 %12, %4
  %19 = zext i16 %18 to i64
  %20 = zext i32 %17 to i64
  %21 = zext i8 %5 to i64
  %22 = add i64 %19, %20
  %23 = add i64 %22, %21
  ret i64 %23
}

define spir_func ptr addrspace(4) @pointers(ptr %p, ptr addrspace(1) %g, ptr addrspace(2) %c, ptr addrspace(3) %l) addrspace(4) {
  %1 = addrspacecast ptr %p to ptr addrspace(4)
  %2 = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  %3 = addrspacecast ptr addrspace(2) %c to ptr addrspace(4)
  %4 = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %5 = addrspacecast ptr addrspace(4) %1 to ptr addrspace(1)
  %6 = addrspacecast ptr addrspace(4) %2 to ptr addrspace(3)
  %7 = addrspacecast ptr addrspace(4) %3 to ptr addrspace(2)
  %8 = addrspacecast ptr addrspace(1) %5 to ptr addrspace(2)
  %9 = ptrtoint ptr addrspace(3) %6 to i32
  %10 = ptrtoint ptr addrspace(2) %7 to i64
  %11 = zext i32 %9 to i64
  %12 = add i64 %10, %11
  %13 = inttoptr i64 %12 to ptr addrspace(1)
  %14 = load i8, ptr addrspace(2) %8, align 1
  store i8 %14, ptr addrspace(1) %13, align 1
  ret ptr addrspace(4) %4
}

define spir_func <2 x i64> @vectors_of_pointers(<2 x ptr addrspace(1)> %p) addrspace(4) {
  %1 = ptrtoint <2 x ptr addrspace(1)> %p to <2 x i64>
  %2 = extractelement <2 x ptr addrspace(1)> %p, i32 0
  store i32 0, ptr addrspace(1) %2, align 4
  %3 = getelementptr inbounds i32, <2 x ptr addrspace(1)> %p, <2 x i64> %1
  %4 = ptrtoint <2 x ptr addrspace(1)> %3 to <2 x i64>
  ret <2 x i64> %4
}
