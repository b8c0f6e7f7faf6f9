// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/slice.h"
#include "spirv/test_modules.h"
#include "spirv/validate.h"
#include "spirv/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiln::spirv {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<uint32_t> cut(const std::vector<uint32_t>& words, const std::vector<std::string>& kernels) {
  auto index = ModuleIndex::build(words);
  EXPECT_TRUE(index.ok()) << index.error().message;
  auto part = slice(*index, kernels);
  EXPECT_TRUE(part.ok()) << part.error().message;
  return part ? *part : std::vector<uint32_t>();
}

TEST(Slice, KeepsExactlyWhatAKernelReaches) {
  auto part = cut(rich_module(), {"alpha"});
  std::string text = disassemble(part);
  EXPECT_TRUE(validate(part).ok()) << validate(part).error().message;
  // reached: callee by a call, counter by a load, the first predicate with its table, one of two poison values
  EXPECT_THAT(text, HasSubstr("OpEntryPoint Kernel %100 \"alpha\" %60 %61\n"));
  EXPECT_THAT(text, HasSubstr("OpExecutionMode %100 LocalSize 64 1 1"));
  EXPECT_THAT(text, HasSubstr("OpName %110 \"callee\""));
  EXPECT_THAT(text, HasSubstr("LinkageAttributes \"callee\" Export"));
  EXPECT_THAT(text, HasSubstr("OpDecorate %70 SpecId 7"));
  EXPECT_THAT(text, HasSubstr("%60 = OpVariable"));
  EXPECT_THAT(text, HasSubstr("%90 = OpExtInst %10 %2 1 %72\n"));
  EXPECT_THAT(text, HasSubstr("OpGroupDecorate %80 %61 %105\n"));
  EXPECT_THAT(text, HasSubstr("%91 = OpExtInst %10 %2 2 %61 %20 %20 %20"));
  EXPECT_THAT(text, HasSubstr("%95 = OpExtInst %10 %2 20 %110 %5 %94")); // metadata of callee ...
  EXPECT_THAT(text, HasSubstr("%93 = OpExtInst %10 %2 13 %5"));          // ... and what it is made of
  EXPECT_THAT(text, HasSubstr("%96 = OpExtInst %10 %2 21 %3 %94"));      // llvm.module.flags
  // not reached
  for (const char* gone : {"beta", "through_pointer", "%71", "%62", "%92", "%97", "%98", "%81", "unused string",
                           "something.else", "OpSource", "%73", "%130", "999", "OpenCL.std", "LocalSize 32"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
}

TEST(Slice, FollowsFunctionPointersInInitialisers) {
  std::string text = disassemble(cut(rich_module(), {"beta"}));
  EXPECT_THAT(text, HasSubstr("%50 = OpConstantFunctionPointerINTEL %18 %130"));
  EXPECT_THAT(text, HasSubstr("%130 = OpFunction"));
  EXPECT_THAT(text, HasSubstr("OpEntryPoint Kernel %120 \"beta\" %60\n")); // the interface lists only what is kept
  EXPECT_THAT(text, HasSubstr("OpGroupDecorate %80 %62\n"));
  EXPECT_THAT(text, Not(HasSubstr("%110")));
  EXPECT_THAT(text, Not(HasSubstr("%61")));
}

TEST(Slice, GlobalsHaveNoKernelsButFunctionsTheyPointTo) {
  auto index = ModuleIndex::build(rich_module());
  auto part = slice_globals(*index);
  ASSERT_TRUE(part.ok()) << part.error().message;
  EXPECT_TRUE(validate(*part).ok()) << validate(*part).error().message;
  std::string text = disassemble(*part);
  EXPECT_THAT(text, HasSubstr("%61 = OpVariable"));
  EXPECT_THAT(text, HasSubstr("%62 = OpVariable"));
  EXPECT_THAT(text, HasSubstr("%130 = OpFunction"));
  for (const char* gone : {"OpEntryPoint", "OpExecutionMode", "%60 ", "%100", "%110", "%70"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
}

TEST(Slice, AllKernelsKeepAllFunctionsAndOrder) {
  auto part = cut(rich_module(), {"beta", "alpha"});
  EXPECT_EQ(part, cut(rich_module(), {"alpha", "beta"}));
  std::string text = disassemble(part);
  EXPECT_LT(text.find("\"alpha\""), text.find("\"beta\""));
  EXPECT_EQ(part[3], rich_module()[3]); // the bound
}

TEST(Slice, OfASliceIsTheSlice) {
  auto once = cut(rich_module(), {"alpha"});
  EXPECT_EQ(once, cut(once, {"alpha"}));
}

TEST(Slice, OfLlvmsModulesIsValidForKhronosToo) {
  for (const char* kernel : {"first", "second"}) {
    auto part = cut(opencl_module(), {kernel});
    EXPECT_LT(part.size(), opencl_module().size() / 2);
    EXPECT_TRUE(validate(part).ok()) << validate(part).error().message;
    EXPECT_EQ(khronos_validate(part), "");
  }
}

TEST(Slice, NamesTheMissingKernel) {
  auto index = ModuleIndex::build(rich_module());
  std::vector<std::string> kernels{"gamma"};
  auto part = slice(*index, kernels);
  ASSERT_FALSE(part.ok());
  EXPECT_EQ(part.error().code, ErrorCode::not_found);
  EXPECT_THAT(part.error().message, HasSubstr("gamma"));
}

TEST(Slice, HasTheSameSizeWhateverElseIsInTheModule) {
  // 2,000 more kernels, each with names and decorations, behind the one that is cut out.
  auto small = opencl_module();
  std::vector<uint32_t> large = small;
  Section more;
  uint32_t id = small[3];
  auto index = ModuleIndex::build(small);
  const Function& model = *index->find_function(index->find_entry_point("second")->function);
  uint32_t type = model.type, result = small[model.first + 1];
  Section entries;
  for (int i = 0; i < 2000; ++i) {
    uint32_t function = id++;
    entries.begin(spv::Op::OpEntryPoint).word(6).word(function).string("k" + std::to_string(i)).end();
    more.add(spv::Op::OpFunction, {result, function, 0, type});
    for (uint32_t p = 3; p < index->find(type)->size(); ++p)
      more.add(spv::Op::OpFunctionParameter, {index->find(type)->word(p), id++});
    more.add(spv::Op::OpLabel, {id++});
    more.add(spv::Op::OpReturn, {});
    more.add(spv::Op::OpFunctionEnd, {});
  }
  large.insert(large.end(), more.data.begin(), more.data.end());
  large.insert(large.begin() + index->entry_points()[0].offset, entries.data.begin(), entries.data.end());
  large[3] = id;
  auto a = cut(small, {"second"}), b = cut(large, {"second"});
  a[3] = b[3] = 0;
  EXPECT_EQ(a, b);
}

} // namespace
} // namespace kiln::spirv
