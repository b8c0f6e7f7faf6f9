// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IR as the reader makes it, written once with the address space numbers left open: {private} {global} {constant}
// {local}.
#pragma once

#include "target/target.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace kiln::target::test {

inline std::string number(std::string text, const AddressSpaces& spaces) {
  auto replace = [&](std::string_view what, unsigned space) {
    std::string by = space == 0 ? "" : " addrspace(" + std::to_string(space) + ")";
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
      text.replace(at, what.size(), by);
  };
  replace("{private}", spaces.private_);
  replace("{global}", spaces.global);
  replace("{constant}", spaces.constant);
  replace("{local}", spaces.local);
  auto plain = [&](std::string_view what, unsigned space) {
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
      text.replace(at, what.size(), std::to_string(space));
  };
  plain("{p}", spaces.private_);
  plain("{c}", spaces.constant);
  return text;
}

inline std::unique_ptr<llvm::Module> parse(llvm::LLVMContext& context, const std::string& text,
                                           const Backend& backend) {
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString("target datalayout = \"" + backend.data_layout() + "\"\ntarget triple = \"" +
                                              backend.triple() + "\"\n" + number(text, backend.address_spaces()),
                                          problem, context);
  if (!module)
    ADD_FAILURE() << problem.getMessage().str() << ": " << problem.getLineContents().str();
  return module;
}

inline Backend* backend_for(const std::string& name) {
  auto id = parse_target(name);
  EXPECT_TRUE(id.ok()) << name;
  auto found = backend(*id);
  EXPECT_TRUE(found.ok()) << name;
  return *found;
}

inline Result<Image> compile(const std::string& target, const std::string& text, const CodegenOptions& options = {}) {
  Backend* back_end = backend_for(target);
  llvm::LLVMContext context;
  auto module = parse(context, text, *back_end);
  return back_end->compile(std::move(module), options);
}

// LDS and a barrier, ocml, a struct by reference, a global variable, printf.
inline constexpr char everything[] = R"(
%S = type { [5 x i32], float }
@counter = hidden{global} externally_initialized global i32 0, align 4
@table = hidden{global} externally_initialized constant [4 x float] zeroinitializer, align 16
@lds = internal{local} global [256 x float] undef, align 16
@text = private unnamed_addr{global} constant [10 x i8] c"hello %d\0A\00", align 1
@seen = internal{global} global i32 7, align 4
define hidden spir_kernel void @everything(ptr{global} noundef %p, ptr{constant} noundef byref(%S) align 4 %s, i32 noundef %n) #0 !max_work_group_size !1 {
entry:
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %g, 256
  %i = add i32 %base, %x
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr{global} %p, i64 %wide
  %v = load float, ptr{global} %at, align 4
  %slot = getelementptr [256 x float], ptr{local} @lds, i32 0, i32 %x
  store float %v, ptr{local} %slot, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %y = xor i32 %x, 1
  %other = getelementptr [256 x float], ptr{local} @lds, i32 0, i32 %y
  %w = load float, ptr{local} %other, align 4
  %sin = call spir_func float @__ocml_sin_f32(float %w)
  %f = getelementptr %S, ptr{constant} %s, i32 0, i32 1
  %sf = load float, ptr{constant} %f, align 4
  %sum = fadd contract float %sin, %sf
  %which = and i32 %i, 3
  %tp = getelementptr [4 x float], ptr{global} @table, i32 0, i32 %which
  %t = load float, ptr{global} %tp, align 4
  %sum2 = fadd contract float %sum, %t
  store float %sum2, ptr{global} %at, align 4
  %old = atomicrmw add ptr{global} @counter, i32 1 syncscope("agent") monotonic
  store i32 %old, ptr{global} @seen, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %print, label %done
print:
  %id = call i64 @__ockl_printf_begin(i64 0)
  %id2 = call i64 @__ockl_printf_append_string_n(i64 %id, ptr addrspacecast (ptr{global} @text to ptr), i64 10, i32 0)
  %arg = sext i32 %i to i64
  %id3 = call i64 @__ockl_printf_append_args(i64 %id2, i32 1, i64 %arg, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i32 1)
  br label %done
done:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.amdgcn.s.barrier()
declare hidden spir_func float @__ocml_sin_f32(float)
declare i64 @__ockl_printf_begin(i64)
declare i64 @__ockl_printf_append_string_n(i64, ptr, i64, i32)
declare i64 @__ockl_printf_append_args(i64, i32, i64, i64, i64, i64, i64, i64, i64, i32)
attributes #0 = { convergent norecurse nounwind "target-cpu"="gfx906" "target-features"="+gfx12-insts,+wavefrontsize32" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!1 = !{i32 256, i32 1, i32 1}
)";

} // namespace kiln::target::test
