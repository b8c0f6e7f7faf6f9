; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels: entry point with the variables it reaches, launch bounds, by-reference arguments, attributes and metadata.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK: OpEntryPoint Kernel %[[K:[0-9]+]] "kernel" %[[G:[0-9]+]]{{$}}
; CHECK: OpExecutionMode %[[K]] MaxWorkgroupSizeINTEL 256 1 1
; CHECK-NOT: LinkageAttributes "kernel"
; CHECK-DAG: OpDecorate %[[G]] LinkageAttributes "reached" Export
; CHECK-DAG: OpDecorate %{{[0-9]+}} FuncParamAttr ByVal
; CHECK-NOT: target-features
; CHECK: OpFunctionEnd
; CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} FunctionAttributes %[[K]]
; BACK: define spir_kernel void @kernel(ptr addrspace(1) noalias noundef writeonly captures(none) %0, ptr addrspace(2) byref(%S) align 8 %1)
; BACK-SAME: !max_work_group_size
; BACK: load double, ptr addrspace(2) %{{[0-9]+}}, align 8, !tbaa
; BACK: attributes #0 = { norecurse nounwind "uniform-work-group-size"="true" }
%S = type { i32, double }
@reached = addrspace(1) global double 1.0, align 8
@other = addrspace(1) global double 2.0, align 8
define spir_kernel void @kernel(ptr addrspace(1) noundef noalias writeonly captures(none) %p, ptr addrspace(2) byref(%S) align 8 %s) addrspace(4) #0 !max_work_group_size !0 {
  call spir_func addrspace(4) void @inner()
  %q = getelementptr inbounds %S, ptr addrspace(2) %s, i32 0, i32 1
  %v = load double, ptr addrspace(2) %q, align 8, !tbaa !1
  store double %v, ptr addrspace(1) %p, align 8
  ret void
}
define internal spir_func void @inner() addrspace(4) {
  store double 0.0, ptr addrspace(1) @reached, align 8
  ret void
}
attributes #0 = { nounwind norecurse "uniform-work-group-size"="true" "target-features"="+16-bit-insts" }
!0 = !{i32 256, i32 1, i32 1}
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"root"}
