; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; What is said of an instruction that does not survive is not said of the next one, nor of what stands in its place.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func float @constant_compare(float %f) addrspace(4) {
  %always = fcmp true float %f, %f, !annotation !0
  %third = fdiv float %f, 3.0
  %chosen = select i1 %always, float %third, float %f
  ret float %chosen
}

define spir_func i32 @weights(i1 %c) addrspace(4) {
  %one = select i1 %c, i32 1, i32 0, !prof !1
  %ones = select i1 %c, i32 -1, i32 0, !prof !1, !unpredictable !2
  %two = select i1 %c, i32 2, i32 0, !prof !1
  %sum = add i32 %one, %ones
  %all = add i32 %sum, %two
  ret i32 %all
}

define spir_func i32 @one_way(i1 %c, i32 %x) addrspace(4) {
entry:
  br i1 %c, label %next, label %next
next:
  %y = phi i32 [ %x, %entry ], [ %x, %entry ]
  switch i1 %c, label %last [
    i1 true, label %last
  ]
last:
  %z = phi i32 [ %y, %next ], [ %y, %next ]
  ret i32 %z
}

!0 = !{!"a note"}
!1 = !{!"branch_weights", i32 1, i32 2000}
!2 = !{}
