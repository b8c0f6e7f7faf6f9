; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Attributes of functions, parameters, calls; kernels and their metadata.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

%struct.args = type { i32, double, [8 x float] }

define hidden spir_kernel void @kernel(ptr addrspace(1) noalias noundef align 16 %out, ptr addrspace(2) noundef byref(%struct.args) align 8 %args, i32 noundef range(i32 0, 1024) %n) addrspace(4) #0 !max_work_group_size !0 !kiln.note !1 {
  %p = getelementptr inbounds %struct.args, ptr addrspace(2) %args, i32 0, i32 0
  %v = load i32, ptr addrspace(2) %p, align 8, !range !2, !invariant.load !3, !noundef !3
  %r = call spir_func noundef addrspace(4) i32 @pure(i32 noundef %v, ptr addrspace(4) noundef nonnull align 4 dereferenceable(16) addrspacecast (ptr addrspace(1) @g to ptr addrspace(4))) #3
  store i32 %r, ptr addrspace(1) %out, align 4, !tbaa !4, !nontemporal !8
  ret void
}

@g = addrspace(1) global [4 x i32] zeroinitializer, align 4

define spir_func noundef i32 @pure(i32 noundef %x, ptr addrspace(4) readonly captures(none) %p) addrspace(4) #1 {
  %v = load i32, ptr addrspace(4) %p, align 4
  %s = add i32 %v, %x
  ret i32 %s
}

define spir_func void @result(ptr sret(%struct.args) align 8 %r, ptr byval(%struct.args) align 8 %a) addrspace(4) #2 {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %r, ptr align 8 %a, i64 48, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) addrspace(4)

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "uniform-work-group-size"="true" }
attributes #1 = { alwaysinline nounwind willreturn memory(argmem: read) "no-trapping-math"="true" "empty" }
attributes #2 = { noinline optnone nounwind alignstack=16 memory(readwrite, inaccessiblemem: none) }
attributes #3 = { convergent nounwind memory(none) }

!0 = !{i32 256, i32 1, i32 1}
!1 = distinct !{!1, !9}
!2 = !{i32 0, i32 1024}
!3 = !{}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{i32 1}
!9 = !{!"a", i64 4611686018427387904, float 1.0}
