; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Feature predicates are specialisation constants with upstream LLVM's table; unknown names are errors.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
; RUN: sed 's/gfx950/gfx95x/' %s | not %llvm-spirv - -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: error: function 'f': __builtin_amdgcn_processor_is: 'gfx95x' is not the name of an AMD processor
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK: OpName %[[TABLE:[0-9]+]] "llvm.amdgcn.feature.predicate.ids"
; CHECK: OpDecorate %[[IS:[0-9]+]] SpecId 0
; CHECK: OpDecorate %[[HAS:[0-9]+]] SpecId 1
; CHECK-DAG: %[[IS]] = OpSpecConstantFalse
; CHECK-DAG: %[[HAS]] = OpSpecConstantFalse
; CHECK: OpBranchConditional %[[IS]]
; CHECK: OpBranchConditional %[[HAS]]
; BACK: call{{.*}} i1 @__kiln_predicate.is.gfx950()
; BACK: call{{.*}} i1 @{{.*}}__kiln_predicate.has.gfx950-insts
@.str = private unnamed_addr addrspace(1) constant [7 x i8] c"gfx950\00", align 1
@.str.1 = private unnamed_addr addrspace(1) constant [45 x i8] c"__builtin_amdgcn_cvt_scalef32_2xpk16_bf6_f32\00", align 1
declare spir_func zeroext i1 @__kiln_processor_is(ptr addrspace(4)) addrspace(4)
declare spir_func zeroext i1 @__kiln_is_invocable(ptr addrspace(4)) addrspace(4)
define spir_func i32 @f() addrspace(4) {
  %a = call spir_func zeroext i1 @__kiln_processor_is(ptr addrspace(4) addrspacecast (ptr addrspace(1) @.str to ptr addrspace(4)))
  br i1 %a, label %yes, label %more
more:
  %b = call spir_func zeroext i1 @__kiln_is_invocable(ptr addrspace(4) addrspacecast (ptr addrspace(1) @.str.1 to ptr addrspace(4)))
  br i1 %b, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
