// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kilncc/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace kiln::kilncc {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

Words clang_arguments(const Words& arguments) {
  Action action = plan(arguments, "/opt/kiln");
  auto* run = std::get_if<RunClang>(&action);
  EXPECT_NE(run, nullptr);
  return run ? run->arguments : Words{};
}

std::string refusal(const Words& arguments) {
  Action action = plan(arguments, "/opt/kiln");
  auto* error = std::get_if<UsageError>(&action);
  return error ? error->message : "";
}

TEST(KilnccTest, CompilesAndLinksOnePortableProgram) {
  EXPECT_THAT(clang_arguments({"app.hip", "-o", "app"}),
              ElementsAre("--driver-mode=g++", "--rocm-path=/opt/kiln", "-B/opt/kiln/lib/kiln",
                          "--offload-arch=amdgcnspirv", "-no-hip-rt", "-x", "hip", "app.hip", "-o", "app",
                          "-L/opt/kiln/lib", "-Wl,--push-state,--as-needed", "-lkiln-hip", "-lkiln", "-Wl,--pop-state",
                          "-Wl,-rpath,/opt/kiln/lib"));
}

TEST(KilnccTest, LinksNothingWhenCompilingOnly) {
  for (const char* option : {"-c", "-S", "-E", "--offload-device-only", "-fsyntax-only"})
    EXPECT_THAT(clang_arguments({option, "a.cpp"}), Not(Contains("-lkiln-hip"))) << option;
}

TEST(KilnccTest, ObjectsAloneAreLinkedWithoutOffloading) {
  EXPECT_THAT(clang_arguments({"a.o", "libb.a", "-o", "app"}),
              ElementsAre("--driver-mode=g++", "a.o", "libb.a", "-o", "app", "-L/opt/kiln/lib",
                          "-Wl,--push-state,--as-needed", "-lkiln-hip", "-lkiln", "-Wl,--pop-state",
                          "-Wl,-rpath,/opt/kiln/lib"));
}

TEST(KilnccTest, LanguagesChangeBetweenInputs) {
  EXPECT_THAT(clang_arguments({"-c", "a.hip", "b.cu", "c.c", "d.o", "e.cpp"}),
              ElementsAre("--driver-mode=g++", "--rocm-path=/opt/kiln", "-B/opt/kiln/lib/kiln",
                          "--offload-arch=amdgcnspirv", "-c", "-x", "hip", "a.hip", "b.cu", "-x", "c", "c.c", "-x",
                          "none", "d.o", "-x", "hip", "e.cpp"));
}

TEST(KilnccTest, CIsNotHip) {
  const Words words = clang_arguments({"-c", "a.c"});
  EXPECT_THAT(words, ElementsAre("--driver-mode=g++", "-c", "-x", "c", "a.c"));
}

TEST(KilnccTest, ValuesOfOptionsAreNotInputs) {
  EXPECT_EQ(refusal({"-o", "app.hip"}), "no input files; kilncc --help says how to call it");
  EXPECT_EQ(refusal({"-I", "b.cpp", "-Xclang", "c.hip"}), "no input files; kilncc --help says how to call it");
  EXPECT_THAT(refusal({"a.hip", "-o"}), HasSubstr("'-o' needs a value"));
}

TEST(KilnccTest, AChosenArchitectureReplacesTheDefault) {
  EXPECT_THAT(clang_arguments({"a.hip", "--offload-arch=gfx942,gfx950"}), Not(Contains("--offload-arch=amdgcnspirv")));
  EXPECT_THAT(clang_arguments({"a.hip", "--offload-arch", "gfx942"}), Not(Contains("--offload-arch=amdgcnspirv")));
}

TEST(KilnccTest, AChosenLanguageIsKept) {
  EXPECT_THAT(clang_arguments({"-c", "-x", "c++", "a.hip"}),
              ElementsAre("--driver-mode=g++", "-c", "-x", "c++", "a.hip"));
  EXPECT_THAT(clang_arguments({"-c", "-x", "hip", "-"}), Contains("--offload-arch=amdgcnspirv"));
}

TEST(KilnccTest, HipccsNameForDeviceCodeAlone) {
  const Words words = clang_arguments({"--genco", "-o", "module.co", "module.hip"});
  EXPECT_EQ(words, clang_arguments({"--offload-device-only", "-o", "module.co", "module.hip"}));
  EXPECT_THAT(words, Not(Contains("-lkiln-hip")));
}

TEST(KilnccTest, RefusesWhatItCannotDo) {
  EXPECT_THAT(refusal({"-fgpu-rdc", "a.hip"}), HasSubstr("-fgpu-rdc"));
  EXPECT_THAT(refusal({"--spirv-producer=llvm", "a.hip"}), HasSubstr("--spirv-producer=kiln"));
  EXPECT_THAT(refusal({"--spirv-producer=foo", "a.hip"}), HasSubstr("unknown producer 'foo'"));
  EXPECT_EQ(refusal({"--spirv-producer=kiln", "a.hip"}), "");
}

TEST(KilnccTest, PristineIsTheTranslatorsAffair) {
  Action action = plan({"--kiln-pristine", "-c", "a.hip"}, "/opt/kiln");
  const auto& run = std::get<RunClang>(action);
  EXPECT_THAT(run.environment, ElementsAre(std::pair<std::string, std::string>("KILN_PRISTINE", "1")));
  EXPECT_THAT(run.arguments, Not(Contains("--kiln-pristine")));
}

TEST(KilnccTest, QuotesForTheShell) {
  EXPECT_EQ(shell_word("-DX=1"), "-DX=1");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(KilnccTest, ReadsResponseFiles) {
  const std::string path = testing::TempDir() + "kilncc_words.rsp";
  std::ofstream(path) << "-DA=\"x y\" b.hip\n'c d.o' e\\ f.o";
  EXPECT_THAT(expand_response_files({"-c", "@" + path, "@/nowhere/file"}),
              ElementsAre("-c", "-DA=x y", "b.hip", "c d.o", "e f.o", "@/nowhere/file"));
}

} // namespace
} // namespace kiln::kilncc
