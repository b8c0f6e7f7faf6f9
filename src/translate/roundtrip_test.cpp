// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reader(emitter(M)) is M, for all modules of test/lit/translate; the comparison that says so notices differences; the
// reader survives damaged modules and serves other address spaces, decided predicates and slices.
#include "spirv/index.h"
#include "spirv/slice.h"
#include "translate/compare.h"
#include "translate/emitter.h"
#include "translate/reader.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include <filesystem>
#include <random>

namespace kiln::translate {
namespace {

constexpr const char* amdgpu_layout =
    "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-"
    "p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-"
    "n32:64-S32-A5-G1-ni:7:8:9";

std::vector<std::string> test_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(KILN_SOURCE_DIR "/test/lit/translate"))
    if (entry.path().filename().string().starts_with("roundtrip-"))
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::unique_ptr<llvm::Module> parse_file(const std::string& file, llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIRFile(file, diagnostic, context);
  EXPECT_TRUE(module) << file << ": " << diagnostic.getMessage().str();
  return module;
}

std::unique_ptr<llvm::Module> parse(const std::string& body, llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(
      "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-"
      "S32-G1-P4-A0\"\ntarget triple = \"spirv64-amd-amdhsa\"\n" +
          body,
      diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str() << "\n" << diagnostic.getLineContents().str();
  return module;
}

std::vector<uint32_t> words_of(const llvm::Module& module) {
  auto words = emit(module);
  EXPECT_TRUE(words.ok()) << (words.ok() ? "" : words.error().message);
  return words.ok() ? *words : std::vector<uint32_t>();
}

ReadOptions for_amdgpu() {
  ReadOptions options;
  options.triple = "amdgcn-amd-amdhsa";
  options.data_layout = amdgpu_layout;
  options.address_spaces = amdgpu_address_spaces;
  return options;
}

class RoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, GivesBackTheModule) {
  llvm::LLVMContext context, other;
  auto module = parse_file(GetParam(), context);
  ASSERT_TRUE(module);
  auto read_back = read(words_of(*module), other);
  ASSERT_TRUE(read_back.ok()) << read_back.error().message;
  auto same = same_module(*module, **read_back);
  EXPECT_TRUE(same.ok()) << same.error().message;
}

TEST_P(RoundTrip, SecondTripGivesTheSameWords) {
  llvm::LLVMContext context, other;
  auto module = parse_file(GetParam(), context);
  ASSERT_TRUE(module);
  auto first = read(words_of(*module), other);
  ASSERT_TRUE(first.ok()) << first.error().message;
  llvm::LLVMContext third;
  auto words = words_of(**first);
  auto second = read(words, third);
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_EQ(words_of(**second), words);
}

TEST_P(RoundTrip, ReadsForAmdgpu) {
  llvm::LLVMContext context, other;
  auto module = parse_file(GetParam(), context);
  ASSERT_TRUE(module);
  auto result = read(words_of(*module), other, for_amdgpu());
  ASSERT_TRUE(result.ok()) << result.error().message;
  for (llvm::Function& function : **result)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        EXPECT_EQ(alloca->getAddressSpace(), amdgpu_address_spaces.private_);
}

// Whatever is done to the words, the reader gives an error or a module that the verifier has accepted.
TEST_P(RoundTrip, DamageIsSurvived) {
  llvm::LLVMContext context;
  auto module = parse_file(GetParam(), context);
  ASSERT_TRUE(module);
  const std::vector<uint32_t> words = words_of(*module);
  ASSERT_GT(words.size(), 5u);
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    auto damaged = words;
    for (unsigned i = 0, changes = 1 + random() % 3; i < changes; ++i) {
      size_t at = random() % damaged.size();
      switch (random() % 4) {
      case 0:
        damaged[at] ^= 1u << random() % 32;
        break;
      case 1:
        damaged[at] = damaged[random() % damaged.size()];
        break;
      case 2:
        damaged[at] = random() % words[3];
        break;
      default:
        damaged[at] += 1;
        break;
      }
    }
    if (round % 10 == 0)
      damaged.resize(random() % damaged.size());
    llvm::LLVMContext own;
    auto result = read(damaged, own);
    if (!result.ok())
      EXPECT_FALSE(result.error().message.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Files, RoundTrip, testing::ValuesIn(test_files()), [](const auto& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

// Each line differs from `base` in one thing.
TEST(SameModule, NoticesDifferences) {
  const std::string base = "@g = addrspace(1) global i32 1, align 4\n"
                           "define spir_func i32 @f(i32 %a, ptr addrspace(1) %p) addrspace(4) {\n"
                           "  %x = add i32 %a, 1\n"
                           "  store i32 %x, ptr addrspace(1) %p, align 4\n"
                           "  ret i32 %x\n"
                           "}\n";
  const std::pair<const char*, const char*> edits[] = {
      {"i32 1, align 4", "i32 2, align 4"},
      {"global i32 1", "constant i32 1"},
      {"= addrspace(1) global", "= weak addrspace(1) global"},
      {"add i32 %a, 1", "add nsw i32 %a, 1"},
      {"add i32 %a, 1", "sub i32 %a, 1"},
      {"add i32 %a, 1", "add i32 %a, 2"},
      {"add i32 %a, 1", "add i32 %a, %a"},
      {"store i32 %x", "store i32 %a"},
      {"store i32", "store volatile i32"},
      {"%p, align 4", "%p, align 8"},
      {"ret i32 %x", "ret i32 %a"},
      {"i32 %a, ptr", "i32 noundef %a, ptr"},
      {"spir_func i32 @f", "i32 @f"},
      {"@f(", "@other("},
      {"  ret i32 %x\n", "  ret i32 %x, !note !0\n"},
      {"addrspace(4) {", "addrspace(4) nounwind {"},
  };
  llvm::LLVMContext context;
  auto expected = parse(base, context);
  EXPECT_TRUE(same_module(*expected, *parse(base, context)).ok());
  for (auto [from, to] : edits) {
    std::string text = base;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), std::string(from).size(), to);
    if (text.find("!0") != std::string::npos)
      text += "!0 = !{i32 1}\n";
    llvm::LLVMContext other;
    auto actual = parse(text, other);
    ASSERT_TRUE(actual);
    EXPECT_FALSE(same_module(*expected, *actual).ok()) << to;
  }
}

TEST(Reader, IntrinsicsFollowTheAddressSpaces) {
  llvm::LLVMContext context, other;
  auto module =
      parse("declare void @llvm.memcpy.p4.p2.i64(ptr addrspace(4), ptr addrspace(2), i64, i1) addrspace(4)\n"
            "declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr() addrspace(4)\n"
            "declare i1 @llvm.amdgcn.is.shared(ptr) addrspace(4)\n"
            "define spir_func i1 @f(ptr addrspace(2) %c, ptr addrspace(4) %g) addrspace(4) {\n"
            "  %d = call addrspace(4) ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
            "  call addrspace(4) void @llvm.memcpy.p4.p2.i64(ptr addrspace(4) %d, ptr addrspace(2) %c, i64 8, i1 0)\n"
            "  %p = addrspacecast ptr addrspace(4) %g to ptr\n"
            "  %s = call addrspace(4) i1 @llvm.amdgcn.is.shared(ptr %p)\n"
            "  ret i1 %s\n"
            "}\n",
            context);
  auto result = read(words_of(*module), other, for_amdgpu());
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE((*result)->getFunction("llvm.memcpy.p0.p4.i64"));
  llvm::Function* f = (*result)->getFunction("f");
  ASSERT_TRUE(f);
  for (llvm::Instruction& instruction : llvm::instructions(*f)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call)
      continue;
    if (call->getCalledFunction()->getName() == "llvm.amdgcn.is.shared")
      EXPECT_EQ(call->getArgOperand(0), f->getArg(1)) << "through private memory and back is another pointer";
    if (call->getCalledFunction()->getName() == "llvm.amdgcn.dispatch.ptr")
      EXPECT_EQ(call->getType()->getPointerAddressSpace(), 4u);
  }
}

TEST(Reader, PredicatesAreDecided) {
  llvm::LLVMContext context, other;
  auto module = parse_file(KILN_SOURCE_DIR "/test/lit/translate/roundtrip-predicates.ll", context);
  ASSERT_TRUE(module);
  std::vector<std::string> asked;
  ReadOptions options;
  options.decide_predicate = [&](std::string_view name) -> std::optional<bool> {
    asked.emplace_back(name);
    return name == "is.gfx950";
  };
  auto result = read(words_of(*module), other, options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(asked, (std::vector<std::string>{"is.gfx950", "has.gfx11-insts"}));
  EXPECT_FALSE((*result)->getFunction("__kiln_predicate.is.gfx950"));
  auto* branch = llvm::cast<llvm::BranchInst>((*result)->getFunction("kernel")->getEntryBlock().getTerminator());
  EXPECT_TRUE(llvm::cast<llvm::ConstantInt>(branch->getCondition())->isOne());
}

TEST(Reader, ReadsASlice) {
  llvm::LLVMContext context, other;
  auto module = parse("@table = internal addrspace(1) constant [2 x i32] [i32 1, i32 2], align 4\n"
                      "@unused = internal addrspace(1) global i32 7, align 4\n"
                      "define spir_func i32 @leaf(i32 %x) addrspace(4) nounwind {\n  ret i32 %x\n}\n"
                      "define spir_kernel void @a(ptr addrspace(1) %p) addrspace(4) {\n"
                      "  %v = load i32, ptr addrspace(1) @table, align 4\n"
                      "  %r = call spir_func addrspace(4) i32 @leaf(i32 %v)\n"
                      "  store i32 %r, ptr addrspace(1) %p, align 4\n  ret void\n}\n"
                      "define spir_kernel void @b() addrspace(4) {\n"
                      "  store i32 1, ptr addrspace(1) @unused, align 4\n  ret void\n}\n",
                      context);
  auto words = words_of(*module);
  auto index = spirv::ModuleIndex::build(words);
  ASSERT_TRUE(index.ok()) << index.error().message;
  const std::string kernels[] = {"a"};
  auto part = spirv::slice(*index, kernels);
  ASSERT_TRUE(part.ok()) << part.error().message;
  auto result = read(*part, other);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE((*result)->getFunction("a") && (*result)->getFunction("leaf"));
  EXPECT_TRUE((*result)->getFunction("leaf")->hasFnAttribute(llvm::Attribute::NoUnwind));
  EXPECT_FALSE((*result)->getFunction("b") || (*result)->getNamedGlobal("unused"));
}

// A slice has the ids of the module it was cut from, and that may be a large one.
TEST(Reader, AnyBoundWillDo) {
  llvm::LLVMContext context, other;
  auto module =
      parse("define spir_func i32 @f(i32 %a) addrspace(4) {\n  %x = add i32 %a, 1\n  ret i32 %x\n}\n", context);
  auto words = words_of(*module);
  words[3] = 0xffffffff;
  auto result = read(words, other);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE((*result)->getFunction("f"));
}

TEST(Reader, ErrorsNameThePlace) {
  llvm::LLVMContext context;
  auto module =
      parse("define spir_func i32 @f(i32 %a) addrspace(4) {\n  %x = add i32 %a, 1\n  ret i32 %x\n}\n", context);
  auto words = words_of(*module);
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == 128) // OpIAdd
      words[at + 4] = words[at + 1]; // its type as an operand
  auto result = read(words, context);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::invalid_module);
  EXPECT_NE(result.error().message.find("OpIAdd"), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find("word "), std::string::npos) << result.error().message;
}

// LLVM folds constants by the opcode and takes the types for granted.
TEST(Reader, ConstantOperationsTakeTheirTypesOnly) {
  llvm::LLVMContext context;
  auto module = parse("@v = addrspace(1) global i64 add (i64 ptrtoint (ptr addrspace(1) @w to i64), i64 3)\n"
                      "@w = addrspace(1) global float 2.0\n",
                      context);
  auto words = words_of(*module);
  const auto add = std::ranges::find_if(words, [](uint32_t word) { return word == (6u << 16 | 52); });
  ASSERT_NE(add, words.end());                       // OpSpecConstantOp, its opcode is word 3
  ASSERT_EQ(add[3], 128u);                           // OpIAdd
  for (uint32_t opcode : {129u, 131u, 133u, 136u}) { // OpFAdd, OpFSub, OpFMul, OpFDiv
    add[3] = opcode;
    auto result = read(words, context);
    ASSERT_FALSE(result.ok()) << opcode;
    EXPECT_NE(result.error().message.find("do not go together"), std::string::npos) << result.error().message;
  }
}

TEST(Reader, ForeignBytes) {
  llvm::LLVMContext context;
  EXPECT_FALSE(read({}, context).ok());
  EXPECT_FALSE(read(std::vector<uint32_t>{0x464c457f, 1, 2, 3, 4, 5}, context).ok());
  EXPECT_FALSE(read(std::vector<uint32_t>{0x07230203, 0x00010600, 0xffff, 0xffffffff, 0}, context).ok());
  auto unknown = read(std::vector<uint32_t>{0x07230203, 0x00010600, 0xffff, 10, 0, 0x0001fff0}, context);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::unsupported);
}

} // namespace
} // namespace kiln::translate
