// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/slice.h"
#include "spirv/test_modules.h"
#include "spirv/text.h"
#include "spirv/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace kiln::spirv {
namespace {

constexpr const char* good_lines = R"(OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %30 "k"
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeBool
%4 = OpTypeFloat 32
%5 = OpConstant %2 4
%6 = OpConstantTrue %3
%7 = OpTypeArray %2 %5
%8 = OpConstantComposite %7 %5 %5 %5 %5
%9 = OpTypeVector %4 4
%20 = OpTypeFunction %1 %2
%30 = OpFunction %1 None %20
%31 = OpFunctionParameter %2
%32 = OpLabel
OpBranchConditional %6 %33 %34
%33 = OpLabel
%35 = OpIAdd %2 %31 %5
OpBranch %34
%34 = OpLabel
%36 = OpPhi %2 %31 %32 %35 %33
OpReturn
OpFunctionEnd
)";

TEST(Validate, TakesGoodModules) {
  for (const auto& words : {assemble(good_lines), rich_module(), opencl_module()}) {
    auto result = validate(words);
    EXPECT_TRUE(result.ok()) << result.error().message;
  }
}

TEST(Validate, WantsAMemoryModel) {
  std::string text = good_lines;
  text.erase(text.find("OpMemoryModel"), std::string_view("OpMemoryModel Physical64 OpenCL\n").size());
  auto words = assemble(text);
  std::vector<uint32_t> header(words.begin(), words.begin() + 5);
  for (const auto& damaged : {words, header}) {
    auto result = validate(damaged);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalid_module);
    EXPECT_THAT(result.error().message, testing::HasSubstr("OpMemoryModel"));
    auto index = ModuleIndex::build(damaged);
    ASSERT_FALSE(index.ok());
    EXPECT_THAT(index.error().message, testing::HasSubstr("OpMemoryModel"));
  }
}

struct Damage {
  const char* from;
  const char* to;
  const char* message;
};

class Damaged : public testing::TestWithParam<Damage> {};

TEST_P(Damaged, IsRefusedWithAReason) {
  std::string text = good_lines;
  size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, strlen(GetParam().from), GetParam().to);
  auto result = validate(assemble(text));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::invalid_module);
  EXPECT_THAT(result.error().message, testing::HasSubstr(GetParam().message));
  EXPECT_THAT(result.error().message, testing::HasSubstr("SPIR-V word "));
}

INSTANTIATE_TEST_SUITE_P(
    Validate, Damaged,
    testing::Values(Damage{"%35 = OpIAdd %2 %31 %5", "%35 = OpIAdd %2 %31 %99", "%99 is not defined"},
                    Damage{"%35 = OpIAdd %2 %31 %5", "%35 = OpIAdd %2 %31 %36", "%36 is used before it is defined"},
                    Damage{"%35 = OpIAdd %2 %31 %5", "%35 = OpIAdd %5 %31 %5", "the result type %5 is not a type"},
                    Damage{"%35 = OpIAdd %2 %31 %5", "%35 = OpIAdd %2 %31 %5\nOpReturn\n%40 = OpIAdd %2 %31 %5",
                           "outside of a block"},
                    Damage{"OpBranch %34", "OpBranch %31", "%31 is not a label"},
                    Damage{"OpBranch %34\n", "", "the block before %34 has no terminator"},
                    Damage{"OpReturn\n", "", "the last block has no terminator"},
                    Damage{"%31 = OpFunctionParameter %2\n", "%31 = OpFunctionParameter %4\n",
                           "differs from the function's type"},
                    Damage{"%20 = OpTypeFunction %1 %2", "%20 = OpTypeFunction %1 %2 %2", "its type 2"},
                    Damage{"%30 = OpFunction %1 None %20", "%30 = OpFunction %1 None %9", "%9 is not a function type"},
                    Damage{"%7 = OpTypeArray %2 %5", "%7 = OpTypeArray %2 %6", "%6 is not an integer constant"},
                    Damage{"%5 %5 %5 %5", "%5 %5 %5", "3 constituents, its type 4"},
                    Damage{"OpEntryPoint Kernel %30", "OpEntryPoint Kernel %9", "%9 is not a function"},
                    Damage{"%9 = OpTypeVector %4 4", "%9 = OpTypeVector %7 4", "%7 is not a scalar type"},
                    Damage{"%4 = OpTypeFloat 32", "%4 = OpTypeFloat 31", "no float of 31 bits"},
                    Damage{"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %30 \"k\"",
                           "OpEntryPoint Kernel %30 \"k\"\nOpMemoryModel Physical64 OpenCL", "out of order"},
                    Damage{"OpFunctionEnd\n", "OpFunctionEnd\n%50 = OpTypeInt 8 0\n", "after the first function"},
                    Damage{"OpFunctionEnd\n",
                           "OpFunctionEnd\n%50 = OpFunction %1 None %20\n%51 = OpFunctionParameter %2\n%52 = "
                           "OpLabel\nOpBranch %34\nOpFunctionEnd\n",
                           "%34 belongs to another function"}));

TEST(Validate, CountsOperandsByTheGrammar) {
  auto words = assemble(good_lines);
  auto index = ModuleIndex::build(words);
  uint32_t at = index->definition(4); // OpTypeFloat %4 32 becomes OpTypeFloat %4, OpNop
  words[at] = 2u << 16 | 22;
  words[at + 2] = 1u << 16;
  auto result = validate(words);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, testing::HasSubstr("OpTypeFloat: an operand is missing"));
}

TEST(Validate, BoundsTheDepthOfTypes) {
  std::string text =
      "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n%1 = OpTypeInt 32 0\n";
  for (int i = 2; i < 400; ++i)
    text += "%" + std::to_string(i) + " = OpTypeStruct %" + std::to_string(i - 1) + "\n";
  auto result = validate(assemble(text));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, testing::HasSubstr("nested more than 256 deep"));
}

TEST(Validate, AllowsRecursionThroughForwardPointersOnly) {
  std::string head = "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n";
  std::string types = "%2 = OpTypeStruct %1\n%1 = OpTypePointer CrossWorkgroup %2\n";
  EXPECT_TRUE(validate(assemble(head + "OpTypeForwardPointer %1 CrossWorkgroup\n" + types)).ok());
  EXPECT_FALSE(validate(assemble(head + types)).ok());
}

// Every consumer of words must survive any words.
void exercise(const std::vector<uint32_t>& words) {
  (void)validate(words).ok();
  (void)to_text(words).ok();
  auto index = ModuleIndex::build(words);
  if (!index)
    return;
  (void)slice_globals(*index).ok();
  for (const EntryPoint& entry : index->entry_points()) {
    std::string name(entry.name);
    (void)slice(*index, std::span(&name, 1)).ok();
    if (const Function* function = index->find_function(entry.function))
      (void)index->arguments(*function).ok();
  }
}

TEST(Robustness, TruncationAtEveryWordIsAnErrorOrASmallerModule) {
  for (const auto& whole : {rich_module(), opencl_module()})
    for (size_t size = 0; size < whole.size(); ++size)
      exercise(std::vector<uint32_t>(whole.begin(), whole.begin() + std::ptrdiff_t(size)));
}

TEST(Robustness, BitFlipsNeverCrash) {
  std::mt19937 random(20240817);
  for (const auto& whole : {rich_module(), opencl_module()})
    for (int round = 0; round < 4000; ++round) {
      auto words = whole;
      for (int flips = 1 + int(random() % 3); flips > 0; --flips)
        words[random() % words.size()] ^= 1u << (random() % 32);
      exercise(words);
    }
}

TEST(Robustness, RandomWordsNeverCrash) {
  std::mt19937 random(99);
  for (int round = 0; round < 2000; ++round) {
    auto words = rich_module();
    for (int changes = 0; changes < 8; ++changes)
      words[5 + random() % (words.size() - 5)] = random() % 140; // likely another id
    exercise(words);
  }
}

} // namespace
} // namespace kiln::spirv
