; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Types: odd integers, bfloat, odd vectors, packed and nested structures, arrays of length 0.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

%struct.pair = type { i32, float }
%struct.packed = type <{ i8, i64, %struct.pair }>
%struct.same = type { i32, float }
%struct.empty = type {}

@flexible = external addrspace(3) global [0 x i32], align 4
@packed = addrspace(1) global %struct.packed <{ i8 1, i64 -2, %struct.pair { i32 3, float 4.0 } }>, align 1
@same = addrspace(1) global %struct.same zeroinitializer, align 4
@nested = addrspace(1) global [2 x [3 x %struct.pair]] zeroinitializer, align 4

define spir_func i128 @wide(i128 %a, i24 %b, i4 %c) addrspace(4) {
  %x = zext i24 %b to i128
  %y = sext i4 %c to i128
  %s = add i128 %a, %x
  %t = xor i128 %s, %y
  %u = add i128 %t, -170141183460469231731687303715884105728
  ret i128 %u
}

define spir_func bfloat @brain(bfloat %a, half %b) addrspace(4) {
  %w = fpext half %b to float
  %n = fptrunc float %w to bfloat
  %r = fadd bfloat %a, %n
  ret bfloat %r
}

define spir_func <5 x float> @five(<5 x float> %v, <1 x i32> %one) addrspace(4) {
  %e = extractelement <1 x i32> %one, i32 0
  %f = sitofp i32 %e to float
  %r = insertelement <5 x float> %v, float %f, i64 4
  ret <5 x float> %r
}

define spir_func { i32, float } @literal(%struct.pair %p, %struct.empty %e) addrspace(4) {
  %i = extractvalue %struct.pair %p, 0
  %f = extractvalue %struct.pair %p, 1
  %a = insertvalue { i32, float } poison, i32 %i, 0
  %b = insertvalue { i32, float } %a, float %f, 1
  ret { i32, float } %b
}

define spir_func i32 @flex(i64 %i) addrspace(4) {
  %p = getelementptr inbounds nuw [0 x i32], ptr addrspace(3) @flexible, i64 0, i64 %i
  %v = load i32, ptr addrspace(3) %p, align 4
  ret i32 %v
}
