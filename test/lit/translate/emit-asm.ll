; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Inline assembly. (Debian's spirv-val takes OpAsmTargetINTEL to have a result type, which no producer writes.)
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK: OpDecorate %[[MOV:[0-9]+]] SideEffectsINTEL
; CHECK: %[[TARGET:[0-9]+]] = OpAsmTargetINTEL "amdgcn-amd-amdhsa"
; CHECK: %[[MOV]] = OpAsmINTEL %{{[0-9]+}} %{{[0-9]+}} %[[TARGET]] "v_mov_b32 $0, $1" "=v,v"
; CHECK: OpAsmINTEL %{{[0-9]+}} %{{[0-9]+}} %[[TARGET]] "two" "=s,=v,0"
; CHECK: CallAttributes
; CHECK-NEXT: OpAsmCallINTEL %{{[0-9]+}} %[[MOV]]
; BACK: call{{.*}} i32 asm sideeffect "v_mov_b32 $0, $1", "=v,v"(i32 %0) #[[A:[0-9]+]]
; BACK: call{{.*}} { i32, i32 } asm alignstack "two", "=s,=v,0"(i32
; BACK: attributes #[[A]] = { convergent nounwind }
define spir_func i32 @f(i32 %x) addrspace(4) {
  %1 = call i32 asm sideeffect "v_mov_b32 $0, $1", "=v,v"(i32 %x) #0
  %2 = call { i32, i32 } asm alignstack "two", "=s,=v,0"(i32 %1)
  %3 = extractvalue { i32, i32 } %2, 1
  ret i32 %3
}
attributes #0 = { convergent nounwind }
