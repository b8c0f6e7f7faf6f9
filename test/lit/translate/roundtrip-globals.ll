; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Linkage, visibility and what else a global can say.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

@external = addrspace(1) global i32 1, align 4
@hidden = hidden addrspace(1) externally_initialized global i32 2, align 4
@protected = protected local_unnamed_addr addrspace(1) externally_initialized constant i32 3, align 4
@weak = weak addrspace(1) global i32 4, align 4
@weak_odr = weak_odr hidden addrspace(1) global i32 5, align 4
@linkonce = linkonce addrspace(1) global i32 6, align 4
@linkonce_odr = linkonce_odr hidden unnamed_addr addrspace(1) constant i32 7, align 4
@internal = internal addrspace(1) global i32 8, align 4
@private = private addrspace(1) global i32 9, align 4
@declared = external addrspace(1) global i32, align 4
@extern_weak = extern_weak addrspace(1) global i32, align 4
@section = addrspace(1) global i32 10, section "kiln.test", align 256
@constant_space = internal addrspace(2) constant [2 x i32] [i32 1, i32 2], align 4

@alias = alias i32, ptr addrspace(1) @external

declare spir_func i32 @imported(i32) addrspace(4)
declare i32 @plain_c(i32) addrspace(4)

define weak spir_func i32 @weak_function(i32 %x) addrspace(4) {
  %a = load i32, ptr addrspace(1) @private, align 4
  %b = load i32, ptr addrspace(1) @declared, align 4
  %c = load i32, ptr addrspace(1) @extern_weak, align 4
  %d = call spir_func addrspace(4) i32 @imported(i32 %a)
  %e = call addrspace(4) i32 @plain_c(i32 %b)
  %f = call spir_func addrspace(4) i32 @internal_function(i32 %c)
  %s = add i32 %d, %e
  %t = add i32 %s, %f
  %u = load i32, ptr addrspace(2) @constant_space, align 4
  %v = add i32 %t, %u
  ret i32 %v
}

define internal spir_func i32 @internal_function(i32 %x) unnamed_addr addrspace(4) {
  %a = load i32, ptr addrspace(1) @internal, align 4
  ret i32 %a
}

define linkonce_odr hidden spir_func i32 @inline_function(i32 %x) local_unnamed_addr addrspace(4) {
  ret i32 %x
}

define hidden i32 @c_function(i32 %x) addrspace(4) {
  %r = call spir_func addrspace(4) i32 @inline_function(i32 %x)
  ret i32 %r
}

!llvm.module.flags = !{!0, !1}
!kiln.other = !{!2, !3}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{!"text", i32 7, null, !3}
!3 = distinct !{!3, !"self"}
