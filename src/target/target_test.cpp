// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/target.h"

#include "target/devlib_pack.h"
#include "target/predicate.h"
#include "target/processors.h"
#include "target/test_modules.h"

#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <llvm/Object/ELFObjectFile.h>

#include <gmock/gmock.h>

#include <thread>

namespace kiln::target {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr const char* fifteen[] = {"gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx942",
                                   "gfx950",  "gfx1030", "gfx1100", "gfx1101", "gfx1102",
                                   "gfx1103", "gfx1150", "gfx1151", "gfx1200", "gfx1201"};

std::string text_of(const Image& image) {
  return std::string(as_text(image.bytes));
}

llvm::msgpack::DocNode kernel_of(llvm::msgpack::Document& document, const Image& image, size_t index = 0) {
  auto blob = as_text(image.metadata);
  EXPECT_TRUE(document.readFromBlob({blob.data(), blob.size()}, false));
  return document.getRoot().getMap()["amdhsa.kernels"].getArray()[index];
}

struct Symbols {
  std::vector<std::string> defined, undefined;
};
Symbols symbols_of(const Image& image) {
  Symbols symbols;
  auto blob = as_text(image.bytes);
  auto file = llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create({{blob.data(), blob.size()}, "image"});
  if (!file) {
    ADD_FAILURE() << llvm::toString(file.takeError());
    return symbols;
  }
  for (const auto& symbol : file->getDynamicSymbolIterators()) {
    auto name = symbol.getName();
    auto section = symbol.getSection();
    if (name && section)
      (*section == file->section_end() ? symbols.undefined : symbols.defined).push_back(name->str());
  }
  return symbols;
}

TEST(ParseTarget, TakesEveryFamilyAndGivesCanonicalNames) {
  for (const auto& [text, name] :
       std::initializer_list<std::pair<const char*, const char*>>{{"gfx942", "gfx942"},
                                                                  {"gfx942:xnack-:sramecc+", "gfx942:sramecc+:xnack-"},
                                                                  {"gfx12-generic", "gfx12-generic"},
                                                                  {"host", "host"},
                                                                  {"host:native", "host"},
                                                                  {"host:x86-64-v3", "host:x86-64-v3"},
                                                                  {"sm_90", "sm_90"}}) {
    auto id = parse_target(text);
    ASSERT_TRUE(id.ok()) << text;
    EXPECT_EQ(id->name(), name);
  }
}

TEST(ParseTarget, ExplainsWhatItDoesNotKnow) {
  for (const auto& [text, part] :
       std::initializer_list<std::pair<const char*, const char*>>{{"gfx943", "gfx942"},
                                                                  {"sm_91", "sm_90"},
                                                                  {"sm_35", "unknown target"},
                                                                  {"host:pentium99", "host:x86-64-v3"},
                                                                  {"gfx1100:xnack+", "has no setting 'xnack+'"},
                                                                  {"gfx942:xnack+:xnack-", "twice"},
                                                                  {"", "unknown target"}}) {
    auto id = parse_target(text);
    ASSERT_FALSE(id.ok()) << text;
    EXPECT_EQ(id.error().code, ErrorCode::not_found);
    EXPECT_THAT(id.error().message, HasSubstr(part));
  }
}

TEST(KnownTargets, HaveTheFifteenTheGenericsTheHostAndNvidia) {
  EXPECT_THAT(known_targets(), IsSupersetOf(fifteen));
  EXPECT_THAT(known_targets(),
              IsSupersetOf({"gfx9-generic", "gfx9-4-generic", "gfx10-1-generic", "gfx10-3-generic", "gfx11-generic",
                            "gfx12-generic", "gfx1250", "host", "sm_70", "sm_90", "sm_100"}));
  for (const std::string& name : known_targets())
    EXPECT_TRUE(parse_target(name).ok()) << name;
}

TEST(Predicate, ReadsFeatureExpressions) {
  auto is = [](llvm::StringRef) { return false; };
  auto has = [](llvm::StringRef feature) { return feature == "a" || feature == "b"; };
  for (const auto& [text, answer] : std::initializer_list<std::pair<const char*, bool>>{{"has.", true},
                                                                                        {"has.a", true},
                                                                                        {"has.a,b", true},
                                                                                        {"has.a,c", false},
                                                                                        {"has.c|a", true},
                                                                                        {"has.(c|b),a", true},
                                                                                        {"has.(c|d),a", false},
                                                                                        {"has.(a", false},
                                                                                        {"has.a)", false},
                                                                                        {"has.,", false},
                                                                                        {"has.c", false},
                                                                                        {"a", false},
                                                                                        {"", false}})
    EXPECT_EQ(evaluate_predicate(text, is, has), answer) << text;
}

TEST(Predicate, IsTrueOfItsOwnProcessorOnly) {
  for (const char* target : fifteen)
    for (const char* other : fifteen)
      EXPECT_EQ(test::backend_for(target)->predicate(std::string("is.") + other), std::string_view(target) == other);
  EXPECT_FALSE(test::backend_for("gfx9-4-generic")->predicate("is.gfx942"));
  EXPECT_TRUE(test::backend_for("gfx1100")->predicate("has.gfx11-insts"));
  EXPECT_FALSE(test::backend_for("gfx1201")->predicate("has.mai-insts"));
  EXPECT_TRUE(test::backend_for("gfx950")->predicate("has.mai-insts,gfx950-insts"));
  EXPECT_FALSE(test::backend_for("sm_90")->predicate("has.mai-insts"));
  EXPECT_TRUE(test::backend_for("sm_90")->predicate("has."));
}

TEST(DevlibPack, FindsWhatWasWrittenAndRefusesDamage) {
  auto bytes = [](std::string_view text) { return Bytes(as_bytes(text).begin(), as_bytes(text).end()); };
  Bytes file = write_devlib_pack({{"a", bytes("first")}, {"bb", bytes("second!")}, {"c", bytes("")}});
  auto pack = DevlibPack::parse(file);
  ASSERT_TRUE(pack.ok());
  EXPECT_EQ(as_text(*pack->find("bb")), "second!");
  EXPECT_EQ(as_text(*pack->find("a")), "first");
  EXPECT_FALSE(pack->find("b"));
  for (size_t size = 0; size < file.size() - 8; ++size)
    EXPECT_FALSE(DevlibPack::parse(ByteView(file).first(size)).ok()) << size;
}

class AmdTarget : public ::testing::TestWithParam<std::string> {};

TEST_P(AmdTarget, CompilesLdsMathPrintfAndStructs) {
  auto image = test::compile(GetParam(), test::everything);
  ASSERT_TRUE(image.ok()) << image.error().message;
  llvm::msgpack::Document document;
  auto kernel = kernel_of(document, *image).getMap();
  EXPECT_EQ(kernel[".name"].getString(), "everything");
  EXPECT_EQ(kernel[".symbol"].getString(), "everything.kd");
  EXPECT_EQ(kernel[".group_segment_fixed_size"].getUInt(), 1024u);
  EXPECT_EQ(kernel[".max_flat_workgroup_size"].getUInt(), 256u);
  EXPECT_EQ(kernel[".wavefront_size"].getUInt(), find_amd_processor(GetParam())->waves == Waves::only_64 ? 64u : 32u);
  std::vector<std::string> kinds;
  for (auto& argument : kernel[".args"].getArray())
    kinds.push_back(argument.getMap()[".value_kind"].getString().str());
  ASSERT_GE(kinds.size(), 3u);
  EXPECT_EQ(kinds[0], "global_buffer");
  EXPECT_EQ(kinds[1], "by_value");
  EXPECT_EQ(kernel[".args"].getArray()[1].getMap()[".size"].getUInt(), 24u);
  EXPECT_THAT(kinds, Contains("hidden_printf_buffer"));
  for (auto& argument : kernel[".args"].getArray())
    if (argument.getMap()[".value_kind"].getString() == "hidden_printf_buffer") {
      EXPECT_EQ(argument.getMap()[".offset"].getUInt(),
                40u + 72u); // explicit arguments end at 36, the hidden start at 40
    }
  auto symbols = symbols_of(*image);
  EXPECT_THAT(symbols.defined, IsSupersetOf({"everything", "everything.kd", "counter", "table"}));
  EXPECT_THAT(symbols.undefined, ::testing::IsEmpty());
}

std::vector<std::string> amd_names() {
  std::vector<std::string> names;
  for (const AmdProcessor& processor : amd_processors())
    names.emplace_back(processor.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, AmdTarget, ::testing::ValuesIn(amd_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Amdgpu, LeavesSharedVariablesToTheLoader) {
  auto image = test::compile("gfx942", test::everything, {.define_globals = false});
  ASSERT_TRUE(image.ok()) << image.error().message;
  auto symbols = symbols_of(*image);
  EXPECT_THAT(symbols.undefined, ::testing::UnorderedElementsAre("counter", "table", "seen"));
  EXPECT_THAT(symbols.defined, Contains("everything.kd"));
}

TEST(Amdgpu, DefinesAllSharedVariablesOfAModuleWithoutKernels) {
  constexpr char variables[] = R"(
@counter = hidden{global} externally_initialized global i32 5, align 4
@seen = internal{global} global i32 7, align 4
@0 = internal{global} global i32 9, align 4
@text = private unnamed_addr{global} constant [2 x i8] c"x\00", align 1
)";
  auto image = test::compile("gfx1201", variables);
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_THAT(symbols_of(*image).defined, ::testing::UnorderedElementsAre("counter", "seen", "__kiln_global_0"));
}

TEST(Amdgpu, MakesBothWaveSizesWhereThereAreTwo) {
  for (unsigned wave : {32u, 64u}) {
    auto image = test::compile("gfx1100", test::everything, {.wave_size = wave});
    ASSERT_TRUE(image.ok()) << image.error().message;
    llvm::msgpack::Document document;
    EXPECT_EQ(kernel_of(document, *image).getMap()[".wavefront_size"].getUInt(), wave);
  }
  auto image = test::compile("gfx942", test::everything, {.wave_size = 32});
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().message, "gfx942 has no waves of 32 work-items, only of 64");
}

TEST(Amdgpu, WritesCodeObjectVersions5And6) {
  for (unsigned version : {5u, 6u}) {
    auto image = test::compile("gfx950", test::everything, {.code_object_version = version});
    ASSERT_TRUE(image.ok()) << image.error().message;
    EXPECT_EQ(std::to_integer<unsigned>(image->bytes[8]), version - 2); // EI_ABIVERSION
  }
  EXPECT_FALSE(test::compile("gfx950", test::everything, {.code_object_version = 3}).ok());
}

constexpr char with_predicates[] = R"(
define spir_kernel void @choose(ptr{global} %p) {
  %new = call i1 @__kiln_predicate.is.gfx950()
  br i1 %new, label %a, label %b
a:
  call void asm sideeffect "v_prng_b32 v0, v1", "~{v0}"()
  store i32 950, ptr{global} %p
  ret void
b:
  %mai = call i1 @__kiln_predicate.has.mai-insts()
  %not = xor i1 %mai, true
  br i1 %not, label %d, label %c
c:
  %m = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float 1.0, float 2.0, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  store <4 x float> %m, ptr{global} %p
  ret void
d:
  store i32 1, ptr{global} %p
  ret void
}
declare i1 @__kiln_predicate.is.gfx950()
declare i1 @__kiln_predicate.has.mai-insts()
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)
)";

TEST(Amdgpu, FoldsPredicatesOnEachTarget) {
  for (const char* target : fifteen)
    for (unsigned level : {0u, 3u}) {
      auto assembly = test::compile(target, with_predicates, {.opt_level = level, .output = Output::assembly});
      ASSERT_TRUE(assembly.ok()) << target << ": " << assembly.error().message;
      bool is_950 = std::string_view(target) == "gfx950";
      bool mai = !is_950 && (std::string_view(target) == "gfx908" || std::string_view(target) == "gfx90a" ||
                             std::string_view(target) == "gfx942");
      EXPECT_EQ(text_of(*assembly).find("v_prng_b32") != std::string::npos, is_950) << target;
      EXPECT_EQ(text_of(*assembly).find("v_mfma") != std::string::npos, mai) << target;
    }
}

TEST(Amdgpu, FoldsPredicatesAcrossFunctions) {
  constexpr char text[] = R"(
define internal spir_func i1 @modern() noinline { %r = call i1 @__kiln_predicate.is.gfx950()
  ret i1 %r }
define spir_kernel void @k(ptr{global} %p) {
  %c = call spir_func i1 @modern()
  br i1 %c, label %a, label %b
a:
  call void asm sideeffect "v_prng_b32 v0, v1", "~{v0}"()
  br label %b
b:
  ret void
}
declare i1 @__kiln_predicate.is.gfx950()
)";
  auto assembly = test::compile("gfx1100", text, {.opt_level = 0, .output = Output::assembly});
  ASSERT_TRUE(assembly.ok()) << assembly.error().message;
  EXPECT_THAT(text_of(*assembly), Not(HasSubstr("v_prng_b32")));
}

TEST(Amdgpu, NamesTheIntrinsicThatAProcessorLacks) {
  constexpr char text[] = R"(
define spir_kernel void @matrix(ptr{global} %p) {
  %m = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float 1.0, float 2.0, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  store <4 x float> %m, ptr{global} %p
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)
)";
  for (int again = 0; again < 2; ++again) { // the back end is usable after a failure
    auto image = test::compile("gfx1100", text);
    ASSERT_FALSE(image.ok());
    EXPECT_THAT(image.error().message,
                HasSubstr("kernel 'matrix' uses llvm.amdgcn.mfma.f32.4x4x1f32, which gfx1100 does not have"));
    EXPECT_TRUE(test::compile("gfx1100", test::everything).ok());
  }
}

TEST(Amdgpu, QuotesAssemblyThatIsRefused) {
  constexpr char text[] = R"(
define spir_kernel void @k() {
  call void asm sideeffect "v_no_such_thing v0", ""()
  ret void
}
)";
  auto image = test::compile("gfx942", text);
  ASSERT_FALSE(image.ok());
  EXPECT_THAT(image.error().message, HasSubstr("kernel 'k' for gfx942: the assembler refuses 'v_no_such_thing v0'"));
}

TEST(Amdgpu, NamesAnUndefinedFunction) {
  constexpr char text[] = R"(
define spir_kernel void @k() { call spir_func void @helper()
  ret void }
define internal spir_func void @helper() { call spir_func void @missing()
  ret void }
declare spir_func void @missing()
)";
  auto image = test::compile("gfx942", text);
  ASSERT_FALSE(image.ok());
  EXPECT_THAT(image.error().message, HasSubstr("kernel 'k' calls 'missing'"));
}

TEST(Amdgpu, CompilesInManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 3; ++k)
        good += test::compile(fifteen[(i * 3 + k) % 15], test::everything).ok();
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(good, 12);
}

class NvidiaTarget : public ::testing::TestWithParam<const char*> {};

TEST_P(NvidiaTarget, CompilesLdsMathPrintfAndStructs) {
  auto image = test::compile(GetParam(), test::everything);
  ASSERT_TRUE(image.ok()) << image.error().message;
  std::string ptx = text_of(*image);
  EXPECT_THAT(ptx, HasSubstr(std::string(".target ") + GetParam()));
  EXPECT_THAT(ptx, HasSubstr(".visible .entry everything("));
  EXPECT_THAT(ptx, HasSubstr(".maxntid 256"));
  EXPECT_THAT(ptx, HasSubstr(".align 4 .b8 everything_param_1[24]"));
  EXPECT_THAT(ptx, HasSubstr("__kiln_printf_buffer_address"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync"));
  EXPECT_THAT(ptx, Not(HasSubstr(".extern .func")));
  llvm::msgpack::Document document;
  auto kernel = kernel_of(document, *image).getMap();
  EXPECT_EQ(kernel[".name"].getString(), "everything");
  EXPECT_EQ(kernel[".group_segment_fixed_size"].getUInt(), 1024u);
  EXPECT_EQ(kernel[".max_flat_workgroup_size"].getUInt(), 256u);
  EXPECT_EQ(kernel[".kernarg_segment_size"].getUInt(), 40u);
  ASSERT_EQ(kernel[".args"].getArray().size(), 3u);
  EXPECT_EQ(kernel[".args"].getArray()[1].getMap()[".offset"].getUInt(), 8u);
  EXPECT_EQ(kernel[".args"].getArray()[2].getMap()[".offset"].getUInt(), 32u);
}
INSTANTIATE_TEST_SUITE_P(Some, NvidiaTarget,
                         ::testing::Values("sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_120"));

TEST(Nvptx, ReachesSharedVariablesByAddress) {
  auto image = test::compile("sm_90", test::everything, {.define_globals = false});
  ASSERT_TRUE(image.ok()) << image.error().message;
  std::string ptx = text_of(*image);
  for (const char* name : {"counter", "table", "seen"})
    EXPECT_THAT(ptx, HasSubstr(std::string(".visible .const .align 8 .u64 __kiln_address_of_") + name));
  EXPECT_THAT(ptx, Not(HasSubstr(".extern")));
}

TEST(Nvptx, RefusesWaves64) {
  auto image = test::compile("sm_90", test::everything, {.wave_size = 64});
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().message, "sm_90 has no waves of 64 work-items, only of 32");
}

} // namespace
} // namespace kiln::target
