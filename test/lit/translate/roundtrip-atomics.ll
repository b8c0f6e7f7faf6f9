; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Atomic accesses: orders, scopes, operations with and without an opcode.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func i32 @operations(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 %v, float %f, i64 %w, ptr addrspace(1) %q) addrspace(4) {
  %1 = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("agent") monotonic, align 4
  %2 = atomicrmw sub ptr addrspace(3) %l, i32 %1 syncscope("workgroup") acq_rel, align 4
  %3 = atomicrmw xchg ptr addrspace(1) %p, i32 %2 seq_cst, align 4
  %4 = atomicrmw umax ptr addrspace(1) %p, i32 %3 syncscope("wavefront") acquire, align 4
  %5 = atomicrmw min ptr addrspace(1) %p, i32 %4 syncscope("singlethread") release, align 4
  %6 = atomicrmw xor ptr addrspace(1) %p, i32 %5 syncscope("agent-one-as") monotonic, align 4
  %7 = atomicrmw fadd ptr addrspace(1) %p, float %f syncscope("agent") monotonic, align 4, !amdgpu.no.fine.grained.memory !0, !amdgpu.ignore.denormal.mode !0
  %8 = atomicrmw fmax ptr addrspace(1) %p, float %7 syncscope("agent") monotonic, align 4
  %9 = atomicrmw uinc_wrap ptr addrspace(1) %p, i32 %6 syncscope("agent") monotonic, align 4
  %10 = atomicrmw nand ptr addrspace(1) %p, i32 %9 syncscope("workgroup") seq_cst, align 4
  %11 = atomicrmw volatile or ptr addrspace(1) %p, i32 %10 monotonic, align 4
  %12 = atomicrmw and ptr addrspace(1) %q, i64 %w syncscope("agent") monotonic, align 8
  %13 = atomicrmw xchg ptr addrspace(1) %q, ptr addrspace(1) %p syncscope("agent") acq_rel, align 8
  store i32 %11, ptr addrspace(1) %13, align 4
  %14 = atomicrmw add ptr addrspace(1) %q, i8 1 monotonic, align 1
  %15 = zext i8 %14 to i32
  %16 = atomicrmw fsub ptr addrspace(1) %p, float %f syncscope("agent") monotonic, align 4
  %17 = atomicrmw xchg ptr addrspace(1) %p, float %16 syncscope("agent") monotonic, align 4
  %18 = atomicrmw fadd ptr addrspace(1) %p, <2 x half> zeroinitializer syncscope("agent") monotonic, align 4
  ret i32 %15
}

define spir_func i32 @accesses(ptr addrspace(1) %p, i32 %v) addrspace(4) {
  %1 = load atomic i32, ptr addrspace(1) %p syncscope("agent") acquire, align 4
  store atomic i32 %v, ptr addrspace(1) %p syncscope("workgroup") release, align 4
  %2 = load atomic volatile i64, ptr addrspace(1) %p seq_cst, align 8
  store atomic float 1.0, ptr addrspace(1) %p syncscope("agent") monotonic, align 4
  %3 = load atomic ptr addrspace(1), ptr addrspace(1) %p syncscope("agent") monotonic, align 8
  store atomic i16 3, ptr addrspace(1) %3 monotonic, align 2
  fence syncscope("workgroup") release
  fence syncscope("agent") acquire
  fence seq_cst
  fence syncscope("workgroup-one-as") acq_rel
  ret i32 %1
}

define spir_func i1 @exchange(ptr addrspace(1) %p, i32 %a, i32 %b, i64 %c, ptr addrspace(4) %x) addrspace(4) {
  %1 = cmpxchg ptr addrspace(1) %p, i32 %a, i32 %b syncscope("agent") acq_rel acquire, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  %3 = extractvalue { i32, i1 } %1, 0
  %4 = cmpxchg weak ptr addrspace(1) %p, i32 %3, i32 %b syncscope("workgroup") monotonic monotonic, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  %6 = and i1 %2, %5
  %7 = cmpxchg volatile ptr addrspace(1) %p, i64 %c, i64 0 seq_cst seq_cst, align 8
  %8 = extractvalue { i64, i1 } %7, 1
  %9 = and i1 %6, %8
  %10 = cmpxchg ptr addrspace(1) %p, ptr addrspace(4) %x, ptr addrspace(4) null syncscope("agent") acquire monotonic, align 8
  %11 = extractvalue { ptr addrspace(4), i1 } %10, 1
  %12 = and i1 %9, %11
  %13 = cmpxchg ptr addrspace(1) %p, i8 1, i8 2 monotonic monotonic, align 1
  %14 = cmpxchg ptr addrspace(1) %p, i32 %a, i32 %b syncscope("one-as") release monotonic, align 4
  ret i1 %12
}

!0 = !{}
