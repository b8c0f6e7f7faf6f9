// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/grammar.h"
#include "spirv/test_modules.h"
#include "spirv/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiln::spirv {
namespace {

using testing::HasSubstr;

std::vector<uint32_t> body(const std::vector<uint32_t>& words) {
  return {words.begin() + 5, words.end()};
}

TEST(Text, AssemblesBackToTheSameWords) {
  auto text = to_text(opencl_module());
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(body(assemble(*text)), body(opencl_module()));
}

TEST(Text, SaysWhatKhronosDisassemblerSays) {
  auto strip = [](std::string text) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find('\n', at);
      std::string line = text.substr(at, end - at);
      result += line.substr(std::min(line.size(), line.find_first_not_of(' '))) + "\n";
      at = end + 1;
    }
    return result;
  };
  auto text = to_text(opencl_module(), {.header = false});
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(strip(*text), strip(disassemble(opencl_module())));
}

TEST(Text, NamesOurOwnInstructions) {
  auto text = to_text(rich_module(), {.friendly_names = true, .offsets = true});
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("%90 = OpExtInst %10 %2 Poison %72 %73"));
  EXPECT_THAT(*text,
              HasSubstr("OpEntryPoint Kernel %alpha \"alpha\" %llvm_amdgcn_feature_predicate_ids %counter ; word "));
}

TEST(Text, WritesFloatsThatAssembleBack) {
  std::string source = R"(OpCapability Kernel
    OpCapability Addresses
    OpCapability Float16
    OpCapability Float64
    OpCapability Int64
    OpMemoryModel Physical64 OpenCL
    %1 = OpTypeFloat 16
    %2 = OpTypeFloat 32
    %3 = OpTypeFloat 64
    %4 = OpTypeInt 64 1
    %10 = OpConstant %1 0x1.8p+1
    %11 = OpConstant %1 -0x1p-24
    %12 = OpConstant %2 0x1.8p+128
    %13 = OpConstant %2 -0x1p+128
    %14 = OpConstant %2 0.1
    %15 = OpConstant %3 1e-310
    %16 = OpConstant %3 0x1.4p+1024
    %17 = OpConstant %4 -5
    %18 = OpConstant %1 0x0p+0
  )";
  auto words = assemble(source);
  auto text = to_text(words);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(body(assemble(*text)), body(words)) << *text;
}

TEST(Text, ShowsInstructionsThatItCannotRead) {
  auto words = rich_module();
  words.push_back(2u << 16 | 60000);
  words.push_back(42);
  auto text = to_text(words);
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("opcode 60000 is not known; words: 0x2ea60 0x2a"));
}

TEST(Grammar, HasWhatTheHeaderLacks) {
  EXPECT_EQ(find_opcode(op::TypeUntypedPointerKHR)->name, "OpTypeUntypedPointerKHR");
  EXPECT_EQ(find_opcode("UntypedPtrAccessChainKHR"), op::UntypedPtrAccessChainKHR);
  EXPECT_EQ(find_opcode(op::MaskedGatherINTEL)->name, "OpMaskedGatherINTEL");
  EXPECT_EQ(find_opcode(op::ConvertFToBF16INTEL)->name, "OpConvertFToBF16INTEL");
  EXPECT_EQ(find_opcode(op::ArithmeticFenceEXT)->name, "OpArithmeticFenceEXT");
  EXPECT_EQ(find_opcode(op::ExtInstWithForwardRefsKHR)->name, "OpExtInstWithForwardRefsKHR");
  EXPECT_EQ(capability_name(capability::BFloat16TypeKHR), "BFloat16TypeKHR");
  EXPECT_EQ(capability_name(capability::MaskedGatherScatterINTEL), "MaskedGatherScatterINTEL");
  EXPECT_EQ(capability_name(capability::FloatControls2), "FloatControls2");
  EXPECT_EQ(find_enumerant(OperandKind::Decoration, uint32_t(decoration::HostAccessINTEL))->parameters.size(), 2u);
  EXPECT_EQ(find_enumerant(OperandKind::LinkageType, "WeakAMD"), uint32_t(linkage::WeakAMD));
  EXPECT_FALSE(find_opcode(spv::Op(60000)));
}

TEST(Grammar, KnowsResultsCapabilitiesAndExtensions) {
  EXPECT_EQ(result_word(spv::Op::OpIAdd), 2u);
  EXPECT_EQ(result_word(spv::Op::OpLabel), 1u);
  EXPECT_EQ(result_word(spv::Op::OpStore), 0u);
  EXPECT_EQ(result_word(spv::Op::OpAsmTargetINTEL), 1u);
  auto call = find_opcode(spv::Op::OpFunctionPointerCallINTEL);
  ASSERT_EQ(call->capabilities.size(), 1u);
  EXPECT_EQ(call->capabilities[0], uint16_t(spv::Capability::FunctionPointersINTEL));
  EXPECT_EQ(call->extensions[0], "SPV_INTEL_function_pointers");
  EXPECT_EQ(find_ext_inst_set("OpenCL.std")->find(57)->name, "sin");
  EXPECT_EQ(find_ext_inst_set(kiln_set_name)->find(26)->name, "Alloca");
}

} // namespace
} // namespace kiln::spirv
