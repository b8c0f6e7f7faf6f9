// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/remap_address_spaces.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gmock/gmock.h>

namespace kiln::passes {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Result<std::string> remap(const std::string& text, const AddressSpaces& from, const AddressSpaces& to) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  if (!module) {
    ADD_FAILURE() << problem.getMessage().str() << ": " << problem.getLineContents().str();
    return std::string();
  }
  auto mapped = remap_address_spaces(*module, from, to, "x86_64-unknown-linux-gnu", "e-i64:64-n8:16:32:64-S128");
  if (!mapped)
    return std::move(mapped.error());
  std::string out;
  llvm::raw_string_ostream stream(out);
  EXPECT_FALSE(llvm::verifyModule(**mapped, &stream)) << out;
  (*mapped)->print(stream, nullptr);
  return out;
}

std::string to_host(const std::string& text) {
  auto result = remap(text, amdgpu_address_spaces, host_address_spaces);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : std::string();
}

std::string space(unsigned number) {
  return number == 0 ? "ptr" : "ptr addrspace(" + std::to_string(number) + ")";
}

TEST(RemapAddressSpaces, RenumbersParametersVariablesAndLoads) {
  std::string text = to_host(R"(
@table = addrspace(4) constant [2 x float] [float 1.0, float 2.0]
@where = addrspace(1) global ptr addrspace(4) @table
define float @f(ptr addrspace(5) %private, ptr addrspace(3) %local) {
  %i = load i32, ptr addrspace(5) %private
  %at = getelementptr float, ptr addrspace(4) @table, i32 %i
  %v = load float, ptr addrspace(4) %at
  store float %v, ptr addrspace(3) %local
  ret float %v
})");
  EXPECT_THAT(text, HasSubstr("target triple = \"x86_64-unknown-linux-gnu\""));
  EXPECT_THAT(text, HasSubstr("@f(" + space(host_address_spaces.private_) + " %private, " +
                              space(host_address_spaces.local) + " %local)"));
  EXPECT_THAT(text, HasSubstr("[float 1.000000e+00, float 2.000000e+00]"));
  EXPECT_THAT(text, HasSubstr(space(host_address_spaces.constant) + " @table"));
}

// Private memory is generic memory on the host: the cast disappears, and intrinsics change their names.
TEST(RemapAddressSpaces, DropsCastsBetweenSpacesThatBecameOne) {
  static_assert(host_address_spaces.private_ == host_address_spaces.generic);
  std::string text = to_host(R"(
declare void @use(ptr)
declare void @llvm.memcpy.p0.p5.i64(ptr, ptr addrspace(5), i64, i1)
define void @f(ptr %to) {
  %slot = alloca [4 x i32], addrspace(5)
  %generic = addrspacecast ptr addrspace(5) %slot to ptr
  call void @use(ptr %generic)
  call void @llvm.memcpy.p0.p5.i64(ptr %to, ptr addrspace(5) %slot, i64 16, i1 false)
  ret void
})");
  EXPECT_THAT(text, Not(HasSubstr("addrspacecast")));
  EXPECT_THAT(text, HasSubstr("call void @use(ptr %slot)"));
  EXPECT_THAT(text, HasSubstr("@llvm.memcpy.p0.p0.i64(ptr"));
  EXPECT_THAT(text, Not(HasSubstr("p0.p5")));
}

TEST(RemapAddressSpaces, RenamesStructsThatHoldPointers) {
  std::string text = to_host(R"(
%node = type { i32, ptr addrspace(5) }
%plain = type { i32, float }
define ptr addrspace(5) @f(ptr %p, ptr %q) {
  %at = getelementptr %node, ptr %p, i32 0, i32 1
  %next = load ptr addrspace(5), ptr %at
  %other = getelementptr %plain, ptr %q, i32 0, i32 1
  store float 0.0, ptr %other
  ret ptr addrspace(5) %next
})");
  EXPECT_THAT(text, HasSubstr("{ i32, " + space(host_address_spaces.private_) + " }"));
  EXPECT_THAT(text, Not(HasSubstr("addrspace(5)")));
}

TEST(RemapAddressSpaces, KeepsAttributesLinkageAndMetadata) {
  std::string text = to_host(R"(
define linkonce_odr protected float @f(float noundef %x) #0 {
  %y = fmul contract float %x, %x, !fpmath !1
  ret float %y
}
attributes #0 = { nounwind "some"="thing" }
!kept = !{!0}
!0 = !{!"text"}
!1 = !{float 2.5})");
  for (const char* part : {"linkonce_odr protected", "float noundef %x", "\"some\"=\"thing\"", "fmul contract",
                           "!fpmath", "!kept = !{", "!\"text\""})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(RemapAddressSpaces, IsUndoneByTheOppositeWhereSpacesStayApart) {
  constexpr AddressSpaces swapped{.private_ = 0, .global = 1, .constant = 2, .local = 3, .generic = 4, .function = 4};
  const std::string text = R"(
define void @f(ptr addrspace(1) %g, ptr addrspace(3) %l) addrspace(0) {
  %v = load i32, ptr addrspace(1) %g
  store i32 %v, ptr addrspace(3) %l
  ret void
})";
  auto there = remap(text, amdgpu_address_spaces, swapped);
  ASSERT_TRUE(there.ok());
  auto back = remap(*there, swapped, amdgpu_address_spaces);
  ASSERT_TRUE(back.ok());
  EXPECT_THAT(*back, HasSubstr("define void @f(ptr addrspace(1) %g, ptr addrspace(3) %l)"));
}

TEST(RemapAddressSpaces, RefusesAliases) {
  auto result = remap("@a = addrspace(1) global i32 0\n@b = alias i32, ptr addrspace(1) @a\n", amdgpu_address_spaces,
                      host_address_spaces);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("aliases"));
}

} // namespace
} // namespace kiln::passes
