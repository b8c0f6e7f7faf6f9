; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Blocks stand after their dominators, phis have one pair a predecessor, unreachable blocks are dropped.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
define spir_func i32 @f(i32 %n) addrspace(4) {
; CHECK: %[[ENTRY:[0-9]+]] = OpLabel
; CHECK-NEXT: OpBranch %[[HEAD:[0-9]+]]
; CHECK-NEXT: %[[HEAD]] = OpLabel
; CHECK-NEXT: OpSwitch %{{[0-9]+}} %[[OTHER:[0-9]+]] 1 %[[JOIN:[0-9]+]] 4294967295 %[[JOIN]]
; CHECK-NEXT: %[[JOIN]] = OpLabel
; CHECK-NEXT: OpPhi %{{[0-9]+}} %{{[0-9]+}} %[[HEAD]] %{{[0-9]+}} %[[OTHER]]
; CHECK-NEXT: OpReturnValue
; CHECK-NEXT: %[[OTHER]] = OpLabel
; CHECK-NEXT: OpBranch %[[JOIN]]
; CHECK-NEXT: OpFunctionEnd
; BACK: phi i32 [ 5, %[[H:[0-9]+]] ], [ 6, %{{[0-9]+}} ], [ 5, %[[H]] ]
entry:
  br label %head
join:
  %r = phi i32 [ 5, %head ], [ 5, %head ], [ 6, %other ], [ 7, %dead ]
  ret i32 %r
other:
  br label %join
head:
  switch i32 %n, label %other [ i32 1, label %join
                                i32 -1, label %join ]
dead:
  br label %join
}
