; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomics with an opcode, and those that are calls of an imported function that says what it is.
; RUN: %llvm-spirv --kiln-pristine %s -o %t.spv
; RUN: %llvm-spirv --to-text %t.spv | FileCheck %s
; RUN: spirv-val --target-env spv1.6 %t.spv
; RUN: %llvm-spirv -r --emit-llvm-text %t.spv -o - | FileCheck %s --check-prefix=BACK
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
; CHECK-DAG: OpDecorate %[[WRAP:[0-9]+]] LinkageAttributes "llvm:atomicrmw.uinc_wrap.p1.i32" Import
; CHECK-DAG: %[[ONE_AS:[0-9]+]] = OpString "agent-one-as"
; CHECK-DAG: %[[I32:[0-9]+]] = OpTypeInt 32 0
; CHECK-DAG: %[[DEVICE:[0-9]+]] = OpConstant %[[I32]] 1{{$}}
; CHECK-DAG: %[[RELAXED:[0-9]+]] = OpConstant %[[I32]] 0{{$}}
; CHECK-DAG: %[[SEQ_CST:[0-9]+]] = OpConstant %[[I32]] 784{{$}}
; CHECK-DAG: %[[ACQ_REL:[0-9]+]] = OpConstant %[[I32]] 776{{$}}
define spir_func i1 @f(ptr addrspace(1) %p, i32 %v) addrspace(4) {
; CHECK: OpFunctionEnd
; CHECK: %[[P:[0-9]+]] = OpFunctionParameter
; CHECK: OpAtomicIAdd %[[I32]] %[[P]] %[[DEVICE]] %[[RELAXED]]
; CHECK: SyncScope %[[ONE_AS]]
; CHECK-NEXT: OpAtomicSMin %[[I32]] %[[P]] %[[DEVICE]] %[[SEQ_CST]]
; CHECK: OpFunctionCall %[[I32]] %[[WRAP]]
; CHECK: %[[OLD:[0-9]+]] = OpAtomicCompareExchange %[[I32]] %[[P]]
; CHECK-NEXT: %[[SAME:[0-9]+]] = OpIEqual %{{[0-9]+}} %[[OLD]]
; CHECK-NEXT: OpCompositeConstruct %{{[0-9]+}} %[[OLD]] %[[SAME]]
; CHECK: OpMemoryBarrier %{{[0-9]+}} %[[ACQ_REL]]
; clang writes "device" for spirv64, AMDGPU calls it "agent".
; BACK: atomicrmw add ptr addrspace(1) %0, i32 %1 syncscope("agent") monotonic, align 4
; BACK-NEXT: atomicrmw min ptr addrspace(1) %0, i32 %1 syncscope("agent-one-as") seq_cst, align 4
; BACK-NEXT: atomicrmw uinc_wrap ptr addrspace(1) %0, i32 %1 syncscope("agent") monotonic, align 4
; BACK-NEXT: cmpxchg weak ptr addrspace(1) %0, i32 %1, i32 0 acq_rel monotonic, align 4
; BACK-NEXT: extractvalue { i32, i1 }
; BACK-NEXT: fence syncscope("workgroup") acq_rel
  %1 = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("device") monotonic, align 4
  %2 = atomicrmw min ptr addrspace(1) %p, i32 %v syncscope("agent-one-as") seq_cst, align 4
  %3 = atomicrmw uinc_wrap ptr addrspace(1) %p, i32 %v syncscope("agent") monotonic, align 4
  %4 = cmpxchg weak ptr addrspace(1) %p, i32 %v, i32 0 acq_rel monotonic, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  fence syncscope("workgroup") acq_rel
  ret i1 %5
}
