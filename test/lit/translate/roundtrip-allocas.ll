; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: kiln-roundtrip %s
; Allocas with a count, used with several pointee types and from several blocks; allocas outside of the entry block,
; which are new memory each time.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

define spir_func i64 @counted(i1 %c, ptr addrspace(1) %p) addrspace(4) {
entry:
  %bytes = alloca i8, i32 16, align 8
  %words = alloca i32, i64 7, align 4
  %none = alloca i32, i32 0, align 4
  br i1 %c, label %some, label %all
some:
  store i32 5, ptr %bytes, align 4
  %at = getelementptr i8, ptr %bytes, i32 4
  store i8 1, ptr %at, align 1
  %second = getelementptr i32, ptr %words, i64 1
  store i32 2, ptr %second, align 4
  store ptr %none, ptr addrspace(1) %p, align 8
  br label %all
all:
  %whole = load i64, ptr %bytes, align 8
  %wide = load <4 x i32>, ptr %words, align 4
  store <4 x i32> %wide, ptr addrspace(1) %p, align 16
  ret i64 %whole
}

%node = type { ptr, i32 }

define spir_func ptr @list(i32 %n) addrspace(4) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %head = phi ptr [ null, %entry ], [ %here, %loop ]
  %here = alloca %node, align 8
  %eight = alloca float, i32 8, align 4
  store ptr %head, ptr %here, align 8
  %value = getelementptr %node, ptr %here, i32 0, i32 1
  store i32 %i, ptr %value, align 4
  store float 1.0, ptr %eight, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret ptr %here
}
