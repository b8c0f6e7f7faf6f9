; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Feature predicates stay calls until they are decided.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

declare i1 @__kiln_predicate.is.gfx950() addrspace(4)
declare i1 @__kiln_predicate.has.gfx11-insts() addrspace(4)

define spir_kernel void @kernel(ptr addrspace(1) %p, i1 %c) addrspace(4) {
entry:
  %is = call addrspace(4) i1 @__kiln_predicate.is.gfx950()
  br i1 %is, label %fast, label %slow

fast:
  %has = call addrspace(4) i1 @__kiln_predicate.has.gfx11-insts()
  %both = and i1 %has, %c
  br i1 %both, label %join, label %slow

slow:
  store i32 1, ptr addrspace(1) %p, align 4
  %again = call addrspace(4) i1 @__kiln_predicate.is.gfx950()
  br label %join

join:
  %x = phi i1 [ %again, %slow ], [ true, %fast ]
  %r = zext i1 %x to i32
  store i32 %r, ptr addrspace(1) %p, align 4
  ret void
}
