// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every mathematical intrinsic of LLVM on every family of devices, in every width: code comes out, and on the host it
// calls nothing of libm. What the functions compute is tested where they run.
#include "target/test_modules.h"

#include <llvm/Object/ELFObjectFile.h>

#include <gmock/gmock.h>

namespace kiln::target {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Intrinsic {
  const char* name;
  const char* form; // x: the type, i: i32, l: i64; result first
};
constexpr Intrinsic intrinsics[] = {
    {"exp", "xx"},       {"exp2", "xx"},      {"exp10", "xx"},     {"log", "xx"},       {"log2", "xx"},
    {"log10", "xx"},     {"pow", "xxx"},      {"powi", "xxi"},     {"sin", "xx"},       {"cos", "xx"},
    {"tan", "xx"},       {"asin", "xx"},      {"acos", "xx"},      {"atan", "xx"},      {"atan2", "xxx"},
    {"sinh", "xx"},      {"cosh", "xx"},      {"tanh", "xx"},      {"sqrt", "xx"},      {"fma", "xxxx"},
    {"fabs", "xx"},      {"floor", "xx"},     {"ceil", "xx"},      {"trunc", "xx"},     {"rint", "xx"},
    {"nearbyint", "xx"}, {"round", "xx"},     {"roundeven", "xx"}, {"minnum", "xxx"},   {"maxnum", "xxx"},
    {"ldexp", "xxi"},    {"copysign", "xxx"}, {"lround", "lx"},    {"llround", "lx"},   {"lrint", "lx"},
    {"llrint", "lx"},    {"minimum", "xxx"},  {"maximum", "xxx"},  {"fmuladd", "xxxx"}, {"canonicalize", "xx"},
};
struct Width {
  const char *type, *suffix;
};
constexpr Width widths[] = {{"half", "f16"}, {"float", "f32"}, {"double", "f64"}, {"<2 x float>", "v2f32"}};
constexpr const char* devices[] = {"gfx900", "gfx90a",         "gfx950", "gfx1030", "gfx1201",
                                   "host",   "host:x86-64-v3", "sm_70",  "sm_90"};

bool exists(const Intrinsic& one, const Width& width) {
  bool to_integer = one.form[0] == 'l';                     // no vectors of these
  bool two_vectors = std::string_view(one.name) == "ldexp"; // has a vector of exponents as well
  return !((to_integer || two_vectors) && width.type[0] == '<');
}

std::string kernel(const Intrinsic& one, const Width& width, const char* flags = "") {
  auto type_of = [&](char c) { return std::string(c == 'x' ? width.type : c == 'i' ? "i32" : "i64"); };
  std::string name = std::string("@llvm.") + one.name;
  std::string form = one.form;
  if (form[0] == 'l')
    name += ".i64";
  name += std::string(".") + width.suffix + (form.ends_with("i") ? ".i32" : "");
  std::string parameters, values;
  for (char c : form.substr(1)) {
    parameters += (parameters.empty() ? "" : ", ") + type_of(c);
    values += (values.empty() ? "" : ", ") + type_of(c) + (c == 'i' ? " %n" : " %x");
  }
  std::string result = type_of(form[0]);
  return "declare " + result + " " + name + "(" + parameters + ")\n" +
         "define spir_kernel void @k(ptr{global} %p, ptr{global} %q, i32 %n) {\n  %x = load " + width.type +
         ", ptr{global} %p\n  %y = call " + flags + " " + result + " " + name + "(" + values + ")\n  store " + result +
         " %y, ptr{global} %q\n  ret void\n}\n";
}

std::vector<std::string> undefined_symbols(const Image& image) {
  std::vector<std::string> names;
  auto blob = as_text(image.bytes);
  auto file = llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create({{blob.data(), blob.size()}, "image"});
  if (!file) {
    ADD_FAILURE() << llvm::toString(file.takeError());
    return names;
  }
  for (const auto& symbol : file->getDynamicSymbolIterators())
    if (auto name = symbol.getName())
      if (auto section = symbol.getSection(); section && *section == file->section_end() && !name->empty())
        names.push_back(name->str());
  return names;
}

class MathOn : public ::testing::TestWithParam<const char*> {};

TEST_P(MathOn, CompilesEveryIntrinsicInEveryWidth) {
  for (const Intrinsic& one : intrinsics)
    for (const Width& width : widths) {
      if (!exists(one, width))
        continue;
      auto image = test::compile(GetParam(), kernel(one, width));
      ASSERT_TRUE(image.ok()) << one.name << " " << width.type << ": " << image.error().message;
      // With fma, rounding and half conversions in hardware. A half fma is computed in double, and libgcc narrows that.
      if (std::string_view(GetParam()) == "host:x86-64-v3")
        EXPECT_THAT(undefined_symbols(*image), AnyOf(IsEmpty(), ElementsAre("__truncdfhf2")))
            << one.name << " " << width.type;
    }
}

std::string name_of(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Devices, MathOn, ::testing::ValuesIn(devices), name_of);

// A program that allows approximations gets NVIDIA's instructions; another one does not.
TEST(MathOnNvidia, ApproximatesOnlyWhereAllowed) {
  for (const char* name : {"log2", "sin", "cos"}) {
    Intrinsic one{name, "xx"};
    std::string instruction = std::string(name) == "log2" ? "lg2.approx.f32" : std::string(name) + ".approx.f32";
    auto fast = test::compile("sm_90", kernel(one, widths[1], "afn"));
    auto exact = test::compile("sm_90", kernel(one, widths[1]));
    ASSERT_TRUE(fast.ok() && exact.ok());
    EXPECT_THAT(std::string(as_text(fast->bytes)), HasSubstr(instruction));
    EXPECT_THAT(std::string(as_text(exact->bytes)), Not(HasSubstr(instruction)));
  }
}

} // namespace
} // namespace kiln::target
