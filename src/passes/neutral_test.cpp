// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line that a module carries, and the errors of feature queries.
#include "passes/neutral.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace kiln::passes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* prologue = R"(
target datalayout = "e-i64:64-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
)";

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext& context, const std::string& body) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(prologue + body, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

// A module that clang compiled with LEVEL, with a dead external function in it.
std::string compiled_with(const std::string& level) {
  return "@llvm.cmdline = private addrspace(1) constant [" + std::to_string(10 + level.size()) + " x i8] c\"-cc1\\00" +
         level +
         "\\00-DX\\00\", section \".llvmcmd\"\n"
         "define weak spir_func void @dead() addrspace(4) #0 {\n  ret void\n}\n"
         "define spir_kernel void @kernel() addrspace(4) {\n  ret void\n}\n"
         "attributes #0 = { \"target-features\"=\"+a\" }\n"
         "!llvm.ident = !{!0}\n!0 = !{!\"clang\"}\n";
}

TEST(Neutral, ReadsTheEmbeddedCommandLine) {
  llvm::LLVMContext context;
  EXPECT_THAT(embedded_command_line(*parse(context, compiled_with("-O2"))), ElementsAre("-cc1", "-O2", "-DX"));
  EXPECT_THAT(embedded_command_line(*parse(context, "")), IsEmpty());
}

TEST(Neutral, OptimisesAsTheCommandLineSays) {
  llvm::LLVMContext context;
  for (auto [level, is_kept] :
       {std::pair("-O0", true), std::pair("-O1", false), std::pair("-O3", false), std::pair("-Ofast", false)}) {
    auto module = parse(context, compiled_with(level));
    ASSERT_TRUE(run_neutral(*module).ok());
    EXPECT_EQ(module->getFunction("dead") != nullptr, is_kept) << level;
    EXPECT_NE(module->getFunction("kernel"), nullptr);
    EXPECT_EQ(module->getGlobalVariable("llvm.cmdline", true), nullptr);
    EXPECT_EQ(module->getNamedMetadata("llvm.ident"), nullptr);
  }
  auto module = parse(context, compiled_with("-O0"));
  ASSERT_TRUE(run_neutral(*module, {.opt_level = 2}).ok());
  EXPECT_EQ(module->getFunction("dead"), nullptr);
}

TEST(Neutral, DropsTheUnionOfTargetFeatures) {
  llvm::LLVMContext context;
  auto module = parse(context, compiled_with("-O0"));
  ASSERT_TRUE(run_neutral(*module).ok());
  EXPECT_FALSE(module->getFunction("dead")->hasFnAttribute("target-features"));
}

std::string query(const std::string& function, const std::string& argument) {
  return "@s = private addrspace(1) constant [7 x i8] c\"gfx950\\00\"\n@v = addrspace(1) global [7 x i8] "
         "zeroinitializer\n"
         "declare i1 @" +
         function +
         "(ptr addrspace(4)) addrspace(4)\n"
         "define spir_func i1 @f(ptr addrspace(4) %p) addrspace(4) {\n"
         "  %r = call i1 @" +
         function + "(ptr addrspace(4) " + argument + ")\n  ret i1 %r\n}\n";
}

TEST(Predicates, ALiteralBecomesAFunctionOfItsOwn) {
  llvm::LLVMContext context;
  auto module = parse(context, query("__kiln_processor_is", "addrspacecast (ptr addrspace(1) @s to ptr addrspace(4))"));
  ASSERT_TRUE(lower_predicates(*module).ok());
  auto* predicate = module->getFunction("__kiln_predicate.is.gfx950");
  ASSERT_NE(predicate, nullptr);
  EXPECT_EQ(predicate->getNumUses(), 1u);
  EXPECT_TRUE(predicate->doesNotAccessMemory());
  EXPECT_FALSE(predicate->isSpeculatable());
  EXPECT_EQ(module->getFunction("__kiln_processor_is"), nullptr);
}

TEST(Predicates, WhatIsNoLiteralOrNoNameIsAnError) {
  llvm::LLVMContext context;
  auto message = [&](const std::string& text) {
    auto result = lower_predicates(*parse(context, text));
    return result.ok() ? std::string() : result.error().message;
  };
  EXPECT_THAT(message(query("__kiln_processor_is", "%p")), HasSubstr("function 'f': the argument of"));
  EXPECT_THAT(message(query("__kiln_processor_is", "addrspacecast (ptr addrspace(1) @v to ptr addrspace(4))")),
              HasSubstr("must be a string literal"));
  EXPECT_THAT(message(query("__kiln_is_invocable", "addrspacecast (ptr addrspace(1) @s to ptr addrspace(4))")),
              HasSubstr("'gfx950' is not the name of an AMDGCN builtin"));
}

} // namespace
} // namespace kiln::passes
