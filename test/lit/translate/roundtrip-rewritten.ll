; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; What is written in another form with the same meaning (docs/spirv-mapping.md section 8).
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

%0 = type { i32, i32 }

@target = addrspace(1) global i32 1, align 4
@other = alias i32, ptr addrspace(1) @target
@unnamed = addrspace(1) global %0 { i32 1, i32 2 }, align 4

define fastcc i32 @fast(i32 %x) addrspace(4) {
  ret i32 %x
}

define spir_func i32 @calls(i32 %x, ptr addrspace(4) %f) addrspace(4) {
  %1 = tail call fastcc addrspace(4) i32 @fast(i32 %x)
  %2 = call addrspace(4) i32 %f(i32 %1)
  %3 = load i32, ptr addrspace(1) @other, align 4
  %4 = add i32 %2, %3
  ret i32 %4
}

define spir_func i1 @compares(float %a, ptr addrspace(1) %p, ptr addrspace(1) %q) addrspace(4) {
  %1 = fcmp true float %a, %a
  %2 = fcmp false float %a, %a
  %3 = icmp ult ptr addrspace(1) %p, %q
  %4 = icmp sge ptr addrspace(1) %p, %q
  %5 = and i1 %1, %3
  %6 = or i1 %2, %4
  %7 = xor i1 %5, %6
  ret i1 %7
}

define spir_func i32 @masks(i32 %x, i1 %b) addrspace(4) {
  %1 = and i32 %x, 1
  %2 = icmp ne i32 %1, 0
  %3 = add i1 %2, %b
  %4 = mul i1 %3, %b
  %5 = select i1 %4, i32 -1, i32 0
  ret i32 %5
}

define spir_func void @orders(ptr addrspace(1) %p) addrspace(4) {
  %1 = load atomic i32, ptr addrspace(1) %p unordered, align 4
  %2 = atomicrmw add ptr addrspace(1) %p, i32 %1 syncscope("device") monotonic, align 4
  fence syncscope("subgroup") acquire
  ret void
}

declare void @llvm.assume(i1) addrspace(4)

define spir_func void @assumes(ptr addrspace(1) %p) addrspace(4) {
  call addrspace(4) void @llvm.assume(i1 true) [ "align"(ptr addrspace(1) %p, i64 16) ]
  store i32 0, ptr addrspace(1) %p, align 4
  ret void
}
