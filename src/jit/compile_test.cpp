// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From SPIR-V words to images through the C interface, on devices of all three families.
#include "support/bytes.h"
#include "translate/emitter.h"

#include <kiln/compiler.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace kiln::jit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char source[] = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
@counter = addrspace(1) externally_initialized global i32 5, align 4
@lds = internal addrspace(3) global [64 x float] undef, align 4
define spir_kernel void @scale(ptr addrspace(1) %p, float %by) addrspace(4) !max_work_group_size !0 {
  %x = call addrspace(4) i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %x
  %v = load float, ptr addrspace(1) %at, align 4
  %w = fmul float %v, %by
  %new = call addrspace(4) i1 @__kiln_predicate.is.gfx950()
  br i1 %new, label %a, label %b
a:
  store float 950.0, ptr addrspace(1) %at, align 4
  ret void
b:
  store float %w, ptr addrspace(1) %at, align 4
  ret void
}
define spir_kernel void @count() addrspace(4) {
  %old = atomicrmw add ptr addrspace(1) @counter, i32 1 syncscope("agent") monotonic
  ret void
}
define spir_kernel void @matrix(ptr addrspace(1) %p) addrspace(4) {
  %m = call addrspace(4) <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float 1.0, float 2.0, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  store <4 x float> %m, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x() addrspace(4)
declare i1 @__kiln_predicate.is.gfx950() addrspace(4)
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32) addrspace(4)
!0 = !{i32 64, i32 1, i32 1}
)";

const std::vector<uint32_t>& words() {
  static const std::vector<uint32_t> made = [] {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    auto module = llvm::parseAssemblyString(source, problem, context);
    EXPECT_TRUE(module) << problem.getMessage().str();
    auto emitted = translate::emit(*module);
    EXPECT_TRUE(emitted.ok()) << emitted.error().message;
    return std::move(*emitted);
  }();
  return made;
}

using Compiled = std::unique_ptr<kiln_compile_result, decltype(&kiln_compile_result_free)>;

kiln_compile_request request(const char* target, const char* kernel, kiln_compile_output output = KILN_OUTPUT_IMAGE) {
  kiln_compile_request result{};
  result.struct_size = sizeof(result);
  result.words = words().data();
  result.word_count = words().size();
  result.kernel = kernel;
  result.target = target;
  result.unit = kernel ? KILN_UNIT_KERNEL : KILN_UNIT_GLOBALS;
  result.output = output;
  result.opt_level = 3;
  return result;
}
Compiled run(const kiln_compile_request& request) {
  return {kiln_compile(&request), kiln_compile_result_free};
}
std::string text(const Compiled& result) {
  return {reinterpret_cast<const char*>(result->image), result->image_size};
}

TEST(Compile, MakesAnImageOfOneKernelOnEveryFamily) {
  for (const char* target : {"gfx906", "gfx942:xnack-", "gfx1201", "gfx12-generic", "sm_90", "host"}) {
    auto result = run(request(target, "scale"));
    ASSERT_EQ(result->status, KILN_COMPILE_OK) << target << ": " << result->message;
    EXPECT_GT(result->image_size, 0u);
    std::string metadata(reinterpret_cast<const char*>(result->metadata), result->metadata_size);
    EXPECT_THAT(metadata, HasSubstr("scale")) << target;
    EXPECT_THAT(metadata, Not(HasSubstr("matrix"))) << target;
  }
}

TEST(Compile, FoldsPredicates) {
  EXPECT_THAT(text(run(request("gfx950", "scale", KILN_OUTPUT_LLVM_IR))), HasSubstr("9.500000e+02"));
  EXPECT_THAT(text(run(request("gfx942", "scale", KILN_OUTPUT_LLVM_IR))), Not(HasSubstr("9.500000e+02")));
}

TEST(Compile, GlobalsAreDefinedOnceAndReferredToElsewhere) {
  auto kernel = run(request("gfx942", "count", KILN_OUTPUT_LLVM_IR));
  ASSERT_EQ(kernel->status, KILN_COMPILE_OK) << kernel->message;
  EXPECT_THAT(text(kernel), HasSubstr("@counter = external"));
  auto globals = run(request("gfx942", nullptr, KILN_OUTPUT_LLVM_IR));
  ASSERT_EQ(globals->status, KILN_COMPILE_OK) << globals->message;
  EXPECT_THAT(text(globals), HasSubstr("i32 5"));
  EXPECT_THAT(text(globals), Not(HasSubstr("@scale")));
}

TEST(Compile, SaysWhatIsWrong) {
  struct Case {
    const char *target, *kernel;
    kiln_compile_status status;
    const char* part;
  };
  for (const Case& one : {Case{"gfx942", "scales", KILN_COMPILE_NOT_FOUND, "no kernel 'scales'; it has 'scale'"},
                          Case{"gfx9999", "scale", KILN_COMPILE_NOT_FOUND, "unknown target 'gfx9999'"},
                          Case{"gfx1201", "matrix", KILN_COMPILE_UNSUPPORTED, "kernel 'matrix' uses llvm.amdgcn.mfma"},
                          Case{"sm_90", "matrix", KILN_COMPILE_FAILED, "kernel 'matrix'"}}) {
    auto result = run(request(one.target, one.kernel));
    EXPECT_EQ(result->status, one.status) << result->message;
    EXPECT_THAT(result->message, HasSubstr(one.part));
    EXPECT_EQ(result->image_size, 0u);
  }
}

TEST(Compile, RefusesBadRequestsAndBadModules) {
  EXPECT_EQ(Compiled(kiln_compile(nullptr), kiln_compile_result_free)->status, KILN_COMPILE_INVALID_ARGUMENT);
  auto bad = request("gfx942", "scale");
  bad.opt_level = 7;
  EXPECT_EQ(run(bad)->status, KILN_COMPILE_INVALID_ARGUMENT);
  bad = request("gfx942", "scale");
  bad.word_count = words().size() / 2;
  EXPECT_EQ(run(bad)->status, KILN_COMPILE_INVALID_MODULE);
  // Any one word flipped: an image or an error, never a crash.
  for (size_t at = 0; at < words().size(); at += 7) {
    std::vector<uint32_t> flipped = words();
    flipped[at] ^= 0x00010004;
    auto asked = request("gfx942", "scale", KILN_OUTPUT_LLVM_IR);
    asked.words = flipped.data();
    asked.opt_level = 0;
    auto result = run(asked);
    EXPECT_TRUE(result->status == KILN_COMPILE_OK || *result->message) << at;
  }
}

TEST(Compile, IdentifiesItself) {
  EXPECT_THAT(kiln_compiler_build_id(), HasSubstr("llvm-22.1"));
  EXPECT_GT(std::string(kiln_compiler_build_id()).size(), 32u);
  size_t count = 0;
  while (kiln_compiler_targets()[count])
    ++count;
  EXPECT_GT(count, 60u);
}

} // namespace
} // namespace kiln::jit
