; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Inline assembly.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func i32 @assembly(i32 %a, i32 %b, ptr addrspace(1) %p) addrspace(4) {
  %1 = call i32 asm "v_add_u32 $0, $1, $2", "=v,v,v"(i32 %a, i32 %b) #0
  %2 = call i32 asm sideeffect "s_mov_b32 $0, $1", "=s,s"(i32 %1)
  %3 = call { i32, i32 } asm sideeffect "v_swap_b32 $0, $1", "=v,=v,0,1,~{memory}"(i32 %2, i32 %a) #0, !srcloc !0
  %4 = extractvalue { i32, i32 } %3, 0
  call void asm sideeffect "s_nop 0", "~{memory}"()
  call void asm sideeffect alignstack inteldialect "s_sleep 1", ""()
  call void asm sideeffect "global_store_dword $0, $1, off", "v,v"(ptr addrspace(1) %p, i32 %4)
  ret i32 %4
}

attributes #0 = { convergent nounwind }

!0 = !{i64 1234}
