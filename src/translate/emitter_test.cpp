// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What golden tests cannot say: that output is a function of the input alone, and what is refused in which words.
#include "translate/emitter.h"
#include "translate/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace kiln::translate {
namespace {

using testing::HasSubstr;

constexpr const char* prologue = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
)";

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext& context, const std::string& body) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(prologue + body, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

Result<std::vector<uint32_t>> emit_text(const std::string& body, const EmitOptions& options = {}) {
  llvm::LLVMContext context;
  auto module = parse(context, body);
  if (!module)
    return Error{ErrorCode::invalid_argument, "the test's IR does not parse"};
  return emit(*module, options);
}

constexpr const char* sample = R"(
@table = internal addrspace(1) constant [3 x i32] [i32 1, i32 2, i32 3], align 4
declare spir_func float @outer(ptr addrspace(4)) addrspace(4)
define spir_kernel void @kernel(ptr addrspace(1) noalias %out, i32 %n) addrspace(4) #0 {
entry:
  %slot = alloca i32, align 4
  %generic = addrspacecast ptr %slot to ptr addrspace(4)
  %cell = getelementptr inbounds [3 x i32], ptr addrspace(1) @table, i64 0, i32 %n
  %value = load i32, ptr addrspace(1) %cell, align 4, !tbaa !0
  store i32 %value, ptr %slot, align 4
  %x = call spir_func float @outer(ptr addrspace(4) %generic) #1
  %y = fmul contract float %x, %x
  store float %y, ptr addrspace(1) %out, align 4
  ret void
}
attributes #0 = { convergent nounwind "b"="1" "a"="2" }
attributes #1 = { nounwind }
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
)";

TEST(Emitter, SameModuleSameWords) {
  auto first = emit_text(sample);
  ASSERT_TRUE(first.ok()) << first.error().message;
  // Other addresses, another context with other metadata kinds and types in it, and a way through bitcode.
  llvm::LLVMContext context;
  context.getMDKindID("something.else");
  auto noise =
      parse(context, "%unrelated = type { i8 }\n@noise = global %unrelated zeroinitializer, !k !0\n!0 = !{!\"x\"}");
  auto module = parse(context, sample);
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  auto again = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "test"), context);
  ASSERT_TRUE(bool(again));
  auto second = emit(*module);
  auto third = emit(**again);
  ASSERT_TRUE(second.ok() && third.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(*first, *third);
}

TEST(Emitter, HeaderIsThatOfTheAmdgcnFlavour) {
  auto words = emit_text(sample);
  ASSERT_TRUE(words.ok());
  EXPECT_EQ((*words)[0], 0x07230203u);
  EXPECT_EQ((*words)[1], 0x00010600u);
  EXPECT_EQ((*words)[2] & 0xffff, 0xffffu);
  EXPECT_EQ((*words)[4], 0u);
}

TEST(Emitter, WithoutAuxDataNothingIsNonSemantic) {
  EmitOptions plain;
  plain.aux_data = false;
  auto words = emit_text(sample, plain);
  ASSERT_TRUE(words.ok()) << words.error().message;
  std::string bytes(reinterpret_cast<const char*>(words->data()), words->size() * 4);
  EXPECT_EQ(bytes.find("NonSemantic"), std::string::npos);
  auto full = emit_text(sample);
  std::string all(reinterpret_cast<const char*>(full->data()), full->size() * 4);
  EXPECT_NE(all.find("NonSemantic.Kiln.1"), std::string::npos);
}

// A list in one instruction can have 65,535 words, a block any number of instructions.
TEST(Emitter, ABlockMayBeLong) {
  std::string text = "define spir_func i32 @long(i32 %x0) {\n";
  constexpr int count = 70000;
  for (int i = 0; i < count; ++i)
    text += "  %x" + std::to_string(i + 1) + " = or disjoint i32 %x" + std::to_string(i) + ", 1\n";
  text += "  ret i32 %x" + std::to_string(count) + "\n}\n";
  llvm::LLVMContext context, other;
  auto module = parse(context, text);
  auto words = emit(*module);
  ASSERT_TRUE(words.ok()) << words.error().message;
  auto read_back = read(*words, other);
  ASSERT_TRUE(read_back.ok()) << read_back.error().message;
  for (const llvm::Instruction& instruction : (*read_back)->getFunction("long")->getEntryBlock())
    if (auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction))
      ASSERT_TRUE(disjoint->isDisjoint());
}

TEST(Emitter, LocalPathsDoNotTravel) {
  auto words = emit_text(R"(source_filename = "/home/someone/a.hip"
@llvm.cmdline = private addrspace(1) constant [6 x i8] c"/home/", section ".llvmcmd", align 1
@llvm.embedded.module = private addrspace(1) constant [6 x i8] c"/root/", section ".llvmbc", align 1
@kept = addrspace(1) global i32 0
)");
  ASSERT_TRUE(words.ok()) << words.error().message;
  // A constant array is one id a byte, so the number of instructions tells as well as the text does.
  EXPECT_LT(words->size(), 60u);
}

struct Refusal {
  const char* name;
  const char* body;
  const char* message; // part of it
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, NamesFunctionAndInstruction) {
  auto words = emit_text(GetParam().body);
  ASSERT_FALSE(words.ok());
  EXPECT_EQ(words.error().code, ErrorCode::unsupported);
  EXPECT_THAT(words.error().message, HasSubstr(GetParam().message));
}

constexpr Refusal refusals[] = {
    {"Type",
     "define spir_func void @f(ptr addrspace(1) %p) addrspace(4) {\n %v = load x86_fp80, ptr addrspace(1) %p\n ret "
     "void\n}",
     "function 'f': type 'x86_fp80' has no SPIR-V form: %v = load x86_fp80, ptr addrspace(1) %p"},
    {"AddressSpace", "define spir_func void @f(ptr addrspace(7) %p) addrspace(4) {\n ret void\n}", "address space 7"},
    {"ThreadLocal", "@t = thread_local addrspace(1) global i32 0", "thread-local"},
    {"Cycle", "@a = addrspace(1) global ptr addrspace(1) @b\n@b = addrspace(1) global ptr addrspace(1) @a",
     "refers to itself"},
    {"KernelCall",
     "define spir_kernel void @k() addrspace(4) {\n ret void\n}\n"
     "define spir_func void @f() addrspace(4) {\n call spir_kernel addrspace(4) void @k()\n ret void\n}",
     "function 'f': a kernel cannot be called by device code"},
    {"Mustfail",
     "define spir_func void @f() addrspace(4) {\n musttail call spir_func addrspace(4) void @f()\n ret void\n}",
     "musttail"},
    {"VaArg", "define spir_func i32 @f(ptr %p) addrspace(4) {\n %v = va_arg ptr %p, i32\n ret i32 %v\n}", "'va_arg'"},
    {"ModuleAsm", "module asm \"nop\"", "file scope"},
    {"Convention", "define amdgpu_kernel void @k() addrspace(4) {\n ret void\n}", "calling convention 91"},
    {"Bundle",
     "declare void @g() addrspace(4)\ndefine spir_func void @f() addrspace(4) {\n call addrspace(4) void @g() [ "
     "\"x\"(i32 1) ]\n ret void\n}",
     "operand bundles"},
};

INSTANTIATE_TEST_SUITE_P(Emitter, Refused, testing::ValuesIn(refusals),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace kiln::translate
