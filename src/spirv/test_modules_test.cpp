// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/test_modules.h"

#include "support/file.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kiln::spirv {
namespace {

std::string temporary(const std::string& suffix) {
  static int count = 0;
  return (std::filesystem::temp_directory_path() /
          ("kiln-spirv-" + std::to_string(getpid()) + "-" + std::to_string(count++) + suffix))
      .string();
}

// Runs `command IN OUT` on text or words and gives back what it wrote.
Bytes run(const std::string& command, ByteView input, const std::string& suffix) {
  std::string in = temporary(suffix), out = temporary(".out");
  EXPECT_TRUE(write_file(in, input).ok());
  std::string line = command;
  line.replace(line.find("IN"), 2, in);
  line.replace(line.find("OUT"), 3, out);
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  auto bytes = read_file(out);
  std::filesystem::remove(in);
  std::filesystem::remove(out);
  EXPECT_TRUE(bytes.ok());
  return bytes ? *bytes : Bytes();
}

std::vector<uint32_t> words_of(const Bytes& bytes) {
  auto words = load_words(bytes);
  EXPECT_TRUE(words.ok()) << words.error().message;
  return words ? *words : std::vector<uint32_t>();
}

} // namespace

std::vector<uint32_t> assemble(const std::string& text) {
  return words_of(run("spirv-as --target-env spv1.6 --preserve-numeric-ids IN -o OUT", as_bytes(text), ".spvasm"));
}

std::vector<uint32_t> compile_opencl(const std::string& source) {
  return words_of(run("clang-22 -target spirv64 -cl-std=CL2.0 -O1 -c IN -o OUT", as_bytes(source), ".cl"));
}

std::string disassemble(std::span<const uint32_t> words) {
  return std::string(as_text(run("spirv-dis --no-color --raw-id --no-header IN -o OUT", std::as_bytes(words), ".spv")));
}

std::string khronos_validate(std::span<const uint32_t> words) {
  return std::string(as_text(
      run("sh -c 'spirv-val --target-env spv1.6 \"$0\" > \"$1\" 2>&1 || true' IN OUT", std::as_bytes(words), ".spv")));
}

const std::vector<uint32_t>& opencl_module() {
  static const auto words = compile_opencl(R"(
    struct S { int a; char b; double d; };
    __constant int table[4] = {1, 2, 3, 4};
    __constant float other[2] = {1, 2};
    int helper(int x) { return x * table[x & 3]; }
    int helper2(int x) { return x + 77; }
    kernel void first(global int* p, int n, struct S s, local float4* l, float3 v) {
      size_t i = get_global_id(0);
      if (i < n) { p[i] = helper(n) + s.a; l[0] = (float4)(v, 1); }
    }
    kernel void second(global float* p, long n, char c) {
      switch (n) {
      case 1: p[0] = sin(p[1]); break;
      case 0x100000000L: p[1] = other[1]; break;
      default: p[3] = helper2(4) + other[c];
      }

    })");
  return words;
}

const std::vector<uint32_t>& rich_module() {
  static const auto words = assemble(R"(
    OpCapability Kernel
    OpCapability Addresses
    OpCapability Int8
    OpCapability Int64
    OpCapability Linkage
    OpCapability FunctionPointersINTEL
    OpExtension "SPV_KHR_non_semantic_info"
    OpExtension "SPV_INTEL_function_pointers"
    %1 = OpExtInstImport "OpenCL.std"
    %2 = OpExtInstImport "NonSemantic.Kiln.1"
    OpMemoryModel Physical64 OpenCL
    OpEntryPoint Kernel %100 "alpha" %60 %61
    OpEntryPoint Kernel %120 "beta" %60 %61
    OpExecutionMode %100 LocalSize 64 1 1
    OpExecutionMode %120 LocalSize 32 1 1
    %3 = OpString "llvm.module.flags"
    %4 = OpString "something.else"
    %5 = OpString "amdgpu.note"
    %6 = OpString "unused string"
    OpSource OpenCL_C 200000
    OpName %60 "llvm.amdgcn.feature.predicate.ids"
    OpName %61 "counter"
    OpName %62 "table"
    OpName %100 "alpha"
    OpName %110 "callee"
    OpName %120 "beta"
    OpName %130 "through_pointer"
    OpDecorate %70 SpecId 7
    OpDecorate %71 SpecId 8
    OpDecorate %80 Alignment 8
    %80 = OpDecorationGroup
    OpDecorate %81 Constant
    %81 = OpDecorationGroup
    OpGroupDecorate %80 %61 %62 %105
    OpGroupDecorate %81 %62
    OpDecorate %110 LinkageAttributes "callee" Export
    %10 = OpTypeVoid
    %11 = OpTypeInt 32 0
    %12 = OpTypeInt 8 0
    %13 = OpTypeBool
    %14 = OpTypeInt 64 0
    %15 = OpTypeFunction %10
    %16 = OpTypePointer CrossWorkgroup %11
    %17 = OpTypeFunction %10 %16
    %18 = OpTypePointer CodeSectionINTEL %15
    %19 = OpTypePointer CrossWorkgroup %18
    %20 = OpConstant %11 1
    %21 = OpConstant %11 2
    %22 = OpConstant %11 30
    %23 = OpConstant %11 999
    %30 = OpConstant %12 105
    %31 = OpConstant %12 115
    %32 = OpConstant %12 46
    %33 = OpConstant %12 97
    %34 = OpConstant %12 32
    %35 = OpConstant %12 55
    %36 = OpConstantNull %12
    %37 = OpConstant %12 98
    %38 = OpConstant %12 56
    %39 = OpConstant %11 15
    %40 = OpTypeArray %12 %39
    %41 = OpTypePointer CrossWorkgroup %40
    %42 = OpConstantComposite %40 %30 %31 %32 %33 %34 %35 %36 %30 %31 %32 %37 %34 %38 %36 %36
    %70 = OpSpecConstantFalse %13
    %71 = OpSpecConstantFalse %13
    %72 = OpUndef %11
    %73 = OpUndef %14
    %50 = OpConstantFunctionPointerINTEL %18 %130
    %60 = OpVariable %41 CrossWorkgroup %42
    %61 = OpVariable %16 CrossWorkgroup %20
    %62 = OpVariable %19 CrossWorkgroup %50
    %90 = OpExtInst %10 %2 1 %72 %73
    %91 = OpExtInst %10 %2 2 %61 %20 %20 %20
    %92 = OpExtInst %10 %2 2 %62 %21 %20 %20
    %93 = OpExtInst %10 %2 13 %5
    %94 = OpExtInst %10 %2 14 %93
    %95 = OpExtInst %10 %2 20 %110 %5 %94
    %96 = OpExtInst %10 %2 21 %3 %94
    %97 = OpExtInst %10 %2 21 %4 %94
    %98 = OpExtInst %10 %2 16 %23
    %100 = OpFunction %10 None %17
    %101 = OpFunctionParameter %16
    %102 = OpLabel
    %103 = OpSelect %11 %70 %20 %72
    OpStore %101 %103 Aligned 4
    %105 = OpLoad %11 %61 Aligned 4
    %106 = OpFunctionCall %10 %110
    OpReturn
    OpFunctionEnd
    %110 = OpFunction %10 None %15
    %111 = OpLabel
    OpReturn
    OpFunctionEnd
    %120 = OpFunction %10 None %17
    %121 = OpFunctionParameter %16
    %122 = OpLabel
    %123 = OpLoad %18 %62 Aligned 8
    %124 = OpFunctionPointerCallINTEL %10 %123
    %125 = OpSelect %14 %71 %73 %73
    OpReturn
    OpFunctionEnd
    %130 = OpFunction %10 None %15
    %131 = OpLabel
    OpReturn
    OpFunctionEnd
  )");
  return words;
}

} // namespace kiln::spirv
