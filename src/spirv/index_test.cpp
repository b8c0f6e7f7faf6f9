// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/index.h"
#include "spirv/test_modules.h"
#include "spirv/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiln::spirv {
namespace {

TEST(ModuleIndex, FindsKernelsFunctionsAndVariables) {
  auto index = ModuleIndex::build(rich_module());
  ASSERT_TRUE(index.ok()) << index.error().message;
  ASSERT_EQ(index->entry_points().size(), 2u);
  EXPECT_EQ(index->entry_points()[1].name, "beta");
  EXPECT_EQ(index->entry_points()[1].function, 120u);
  ASSERT_EQ(index->functions().size(), 4u);
  EXPECT_EQ(index->find_function(110)->id, 110u);
  EXPECT_EQ(index->find_function(61), nullptr);
  ASSERT_EQ(index->variables().size(), 3u);
  EXPECT_EQ(index->variables()[1].id, 61u);
  EXPECT_EQ(index->variables()[1].initializer, 20u);
  EXPECT_EQ(index->name(110), "callee");
  EXPECT_EQ(index->name(20), "");
  ASSERT_EQ(index->linkage().size(), 1u);
  EXPECT_EQ(index->linkage()[0].name, "callee");
  EXPECT_EQ(index->linkage()[0].type, spv::LinkageType::Export);
  EXPECT_EQ(index->capabilities().size(), 6u);
  EXPECT_THAT(index->extensions(), testing::ElementsAre("SPV_KHR_non_semantic_info", "SPV_INTEL_function_pointers"));
  EXPECT_THAT(index->imports(), testing::ElementsAre("OpenCL.std", "NonSemantic.Kiln.1"));
}

TEST(ModuleIndex, ReadsThePredicateTable) {
  auto index = ModuleIndex::build(rich_module());
  ASSERT_EQ(index->predicates().size(), 2u);
  EXPECT_EQ(index->predicates()[0].name, "is.a");
  EXPECT_EQ(index->predicates()[0].id, 70u);
  EXPECT_EQ(index->predicates()[0].spec_id, 7u);
  EXPECT_EQ(index->predicates()[1].name, "is.b");
  EXPECT_EQ(index->predicates()[1].id, 71u);
}

TEST(ModuleIndex, ReadsPredicatesThatAreVariables) {
  auto words = assemble(R"(
    OpCapability Kernel
    OpMemoryModel Physical64 OpenCL
    OpName %4 "llvm.amdgcn.has.gfx11-insts,dpp"
    %1 = OpTypeBool
    %2 = OpTypePointer CrossWorkgroup %1
    %4 = OpVariable %2 CrossWorkgroup)");
  auto index = ModuleIndex::build(words);
  ASSERT_EQ(index->predicates().size(), 1u);
  EXPECT_EQ(index->predicates()[0].name, "has.gfx11-insts,dpp");
  EXPECT_FALSE(index->predicates()[0].spec_id);
}

// Expected numbers: the kernarg layout that LLVM's AMDGPU back end gives the same OpenCL kernel (.offset and .size in
// its metadata): p 0/8, n 8/4, s 16/16, l 24+8/4, v 48/16.
TEST(ModuleIndex, LaysOutArgumentsAsAmdgpuDoes) {
  auto index = ModuleIndex::build(opencl_module());
  auto arguments = index->arguments(*index->find_function(index->find_entry_point("first")->function));
  ASSERT_TRUE(arguments.ok()) << arguments.error().message;
  ASSERT_EQ(arguments->size(), 5u);
  struct {
    Argument::Kind kind;
    uint64_t offset, size;
  } expected[] = {{Argument::Kind::global, 0, 8},
                  {Argument::Kind::value, 8, 4},
                  {Argument::Kind::byref, 16, 16},
                  {Argument::Kind::local, 32, 4},
                  {Argument::Kind::value, 48, 16}};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ((*arguments)[i].kind, expected[i].kind) << i;
    EXPECT_EQ((*arguments)[i].offset, expected[i].offset) << i;
    EXPECT_EQ((*arguments)[i].size, expected[i].size) << i;
  }
}

TEST(ModuleIndex, LaysOutOddTypes) {
  auto words = assemble(R"(
    OpCapability Kernel
    OpCapability Addresses
    OpMemoryModel Physical64 OpenCL
    OpEntryPoint Kernel %30 "k"
    OpDecorate %7 CPacked
    OpDecorate %33 FuncParamAttr ByVal
    OpDecorate %34 FuncParamAttr ByVal
    OpDecorate %34 Alignment 32
    %1 = OpTypeVoid
    %2 = OpTypeInt 8 0
    %3 = OpTypeInt 64 0
    %4 = OpTypeFloat 16
    %5 = OpTypeVector %4 3
    %6 = OpTypeStruct %2 %3 %2
    %7 = OpTypeStruct %2 %3 %2
    %8 = OpTypePointer Function %6
    %9 = OpTypePointer Function %7
    %10 = OpConstant %3 3
    %11 = OpTypeArray %5 %10
    %20 = OpTypeFunction %1 %2 %5 %8 %9 %11
    %30 = OpFunction %1 None %20
    %31 = OpFunctionParameter %2
    %32 = OpFunctionParameter %5
    %33 = OpFunctionParameter %8
    %34 = OpFunctionParameter %9
    %35 = OpFunctionParameter %11
    %36 = OpLabel
    OpReturn
    OpFunctionEnd)");
  auto index = ModuleIndex::build(words);
  auto arguments = index->arguments(index->functions()[0]);
  ASSERT_TRUE(arguments.ok()) << arguments.error().message;
  std::vector<std::vector<uint64_t>> seen;
  for (const Argument& a : *arguments)
    seen.push_back({a.offset, a.size, a.align});
  EXPECT_EQ(seen, (std::vector<std::vector<uint64_t>>{{0, 1, 1}, {8, 8, 8}, {16, 24, 8}, {64, 10, 32}, {80, 24, 8}}));
}

TEST(ModuleIndex, TakesLittleMemoryForAHugeBound) {
  auto words = rich_module();
  words[3] = 0xffffffff;
  auto index = ModuleIndex::build(words);
  ASSERT_TRUE(index.ok());
  EXPECT_EQ(index->name(110), "callee");
}

TEST(ModuleIndex, NamesTheWordOfDamage) {
  auto words = rich_module();
  words.resize(words.size() - 1);
  auto index = ModuleIndex::build(words);
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::invalid_module);
  EXPECT_THAT(index.error().message, testing::HasSubstr("truncated"));
}

TEST(Module, LoadsBothByteOrders) {
  auto words = rich_module();
  auto swapped = words;
  for (uint32_t& word : swapped)
    word = __builtin_bswap32(word);
  auto loaded = load_words(std::as_bytes(std::span(swapped)));
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(*loaded, words);
  EXPECT_FALSE(load_words(std::as_bytes(std::span(words)).first(10)).ok());
  EXPECT_FALSE(load_words(as_bytes("not SPIR-V at all")).ok());
}

TEST(Writer, RefusesTooLongInstructions) {
  Section section;
  section.add(spv::Op::OpNop, {});
  EXPECT_TRUE(section.begin(spv::Op::OpString).word(1).string("abc").end());
  EXPECT_EQ(section.data, (std::vector<uint32_t>{0x10000, 3u << 16 | 7, 1, 0x00636261}));
  EXPECT_FALSE(section.begin(spv::Op::OpTypeStruct).words(std::vector<uint32_t>(70000)).end());
  EXPECT_EQ(section.data.size(), 4u);
  EXPECT_TRUE(section.too_long);
}

} // namespace
} // namespace kiln::spirv
