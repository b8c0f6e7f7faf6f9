; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Constants and constant expressions.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

@table = internal unnamed_addr addrspace(1) constant [4 x float] [float 1.0, float 0x7FF8000000000000, float 0xFFF0000000000000, float 0x36A0000000000000], align 16
@text = private unnamed_addr addrspace(1) constant [6 x i8] c"hello\00", align 1
@into = addrspace(1) global ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @table, i64 8), align 8
@generic = addrspace(1) global ptr addrspace(4) addrspacecast (ptr addrspace(1) @table to ptr addrspace(4)), align 8
@number = addrspace(1) global i64 ptrtoint (ptr addrspace(1) @table to i64), align 8
@difference = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) @into to i64), i64 ptrtoint (ptr addrspace(1) @table to i64)), align 8
@pointers = internal addrspace(1) global [2 x ptr addrspace(4)] [ptr addrspace(4) @one, ptr addrspace(4) @two], align 8
@lds = internal addrspace(3) global [64 x i32] undef, align 16
@lds2 = internal addrspace(3) global i32 poison, align 4
@mixed = addrspace(1) global { i8, [3 x i16], <2 x double> } { i8 -1, [3 x i16] [i16 1, i16 undef, i16 -3], <2 x double> <double -0.0, double 1.0e300> }, align 16

define spir_func i32 @one(i32 %x) addrspace(4) {
  %r = add i32 %x, 1
  ret i32 %r
}

define spir_func i32 @two(i32 %x) addrspace(4) {
  %r = mul i32 %x, 2
  ret i32 %r
}

define spir_func void @uses(ptr addrspace(4) %out) addrspace(4) {
  store ptr addrspace(4) addrspacecast (ptr addrspace(3) @lds to ptr addrspace(4)), ptr addrspace(4) %out, align 8
  store <4 x i32> <i32 1, i32 poison, i32 undef, i32 -1>, ptr addrspace(4) %out, align 16
  store half 0xH3C01, ptr addrspace(4) %out, align 2
  store bfloat 0xR3F81, ptr addrspace(4) %out, align 2
  store double 0x3FF0000000000001, ptr addrspace(4) %out, align 8
  store ptr addrspace(1) null, ptr addrspace(4) %out, align 8
  store [4 x i64] zeroinitializer, ptr addrspace(4) %out, align 8
  store i32 undef, ptr addrspace(4) %out, align 4
  store i64 poison, ptr addrspace(4) %out, align 8
  store i8 -128, ptr addrspace(4) %out, align 1
  store ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(1) @table to ptr addrspace(4)), i64 4), ptr addrspace(4) %out, align 8
  ret void
}
