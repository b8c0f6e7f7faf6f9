// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's mathematical intrinsics on the host, which Kiln makes of integer operations and of the device library, against
// libm: exact where IEEE says so, denormal numbers and the ends of the range included.
#include "host_runner.h"

#include <bit>
#include <cmath>
#include <limits>

namespace kiln::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

template <class T> bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T> std::vector<T> numbers() {
  using limits = std::numeric_limits<T>;
  std::vector<T> list{0,
                      -T(0),
                      1,
                      T(-1.5),
                      T(0.75),
                      limits::min(),
                      limits::denorm_min(),
                      limits::denorm_min() * 5,
                      limits::max(),
                      -limits::max(),
                      limits::infinity(),
                      -limits::infinity(),
                      limits::quiet_NaN(),
                      limits::min() * T(1.999)};
  uint64_t state = 88172645463325252u;
  while (list.size() < 512) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    if constexpr (sizeof(T) == 4)
      list.push_back(std::bit_cast<float>(uint32_t(state >> 16)));
    else
      list.push_back(std::bit_cast<double>(state));
  }
  return list;
}

template <class T> void check_ldexp(const std::string& type, const std::string& suffix) {
  Loaded module("declare " + type + " @llvm.ldexp." + suffix + ".i32(" + type + ", i32)\n" + R"(
declare i32 @llvm.amdgcn.workitem.id.x()
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr )" +
                type + R"(, ptr addrspace(1) %p, i32 %i
  %x = load )" + type +
                R"(, ptr addrspace(1) %q
  %y = call )" + type +
                " @llvm.ldexp." + suffix + ".i32(" + type + " %x, i32 %n)\n  store " + type +
                R"( %y, ptr addrspace(1) %q
  ret void
})");
  for (int n : {0,    1,     -1,   3,     -3,    24,    -24,  60,    -60,       101,      -103, 126,
                -126, -127,  128,  -130,  -149,  -150,  200,  -200,  277,       -280,     1000, -1000,
                1023, -1022, 1024, -1023, -1040, -1074, 2098, -2100, INT32_MAX, INT32_MIN}) {
    auto in = numbers<T>();
    auto out = in;
    ASSERT_RUNS(module.run("k", {1}, {uint32_t(in.size())}, 0, out.data(), n));
    for (size_t i = 0; i < in.size(); ++i)
      EXPECT_TRUE(same(out[i], std::ldexp(in[i], n))) << in[i] << " * 2^" << n << " = " << out[i];
  }
}
TEST(HostIntrinsics, ldexp_rounds_once) {
  check_ldexp<float>("float", "f32");
  check_ldexp<double>("double", "f64");
}

template <class T> void check_frexp(const std::string& type, const std::string& suffix) {
  Loaded module("declare { " + type + ", i32 } @llvm.frexp." + suffix + ".i32(" + type + ")\n" + R"(
declare i32 @llvm.amdgcn.workitem.id.x()
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %e) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr )" +
                type + R"(, ptr addrspace(1) %p, i32 %i
  %r = getelementptr i32, ptr addrspace(1) %e, i32 %i
  %x = load )" + type +
                R"(, ptr addrspace(1) %q
  %y = call { )" +
                type + ", i32 } @llvm.frexp." + suffix + ".i32(" + type + R"( %x)
  %m = extractvalue { )" +
                type + R"(, i32 } %y, 0
  %n = extractvalue { )" +
                type + ", i32 } %y, 1\n  store " + type + R"( %m, ptr addrspace(1) %q
  store i32 %n, ptr addrspace(1) %r
  ret void
})");
  auto in = numbers<T>();
  auto mantissa = in;
  std::vector<int> exponent(in.size());
  ASSERT_RUNS(module.run("k", {1}, {uint32_t(in.size())}, 0, mantissa.data(), exponent.data()));
  for (size_t i = 0; i < in.size(); ++i) {
    int want = 0;
    T part = std::frexp(in[i], &want);
    EXPECT_TRUE(same(mantissa[i], part)) << in[i] << ": " << mantissa[i];
    EXPECT_EQ(exponent[i], std::isfinite(in[i]) ? want : 0) << in[i];
  }
}
TEST(HostIntrinsics, frexp_takes_numbers_apart) {
  check_frexp<float>("float", "f32");
  check_frexp<double>("double", "f64");
}

// CALL uses %x and gives a float %y.
std::vector<float> evaluate(const std::string& declarations, const std::string& call, std::vector<float> in) {
  Loaded module(declarations + R"(
declare i32 @llvm.amdgcn.workitem.id.x()
define spir_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %q
)" + call + R"(
  store float %y, ptr addrspace(1) %q
  ret void
})");
  auto result = module.run("k", {1}, {uint32_t(in.size())}, 0, in.data());
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return in;
}

struct Function {
  const char* name;
  double (*reference)(double);
  double bound; // ulp
};
TEST(HostIntrinsics, functions_keep_the_device_library_bounds) {
  const Function functions[] = {{"exp", std::exp, 2},   {"exp2", std::exp2, 1},   {"log", std::log, 2},
                                {"log2", std::log2, 1}, {"log10", std::log10, 2}, {"sin", std::sin, 2},
                                {"cos", std::cos, 2},   {"tan", std::tan, 4},     {"asin", std::asin, 4},
                                {"acos", std::acos, 4}, {"atan", std::atan, 4},   {"sinh", std::sinh, 4},
                                {"cosh", std::cosh, 4}, {"tanh", std::tanh, 2}};
  const std::vector<float> in{0.0f,   -0.0f, 1e-3f,  0.3f, 0.999f, 0.99999994f, 1.0000001f, 1.0f,   -1.0f, 2.5f,
                              -7.25f, 20.0f, 1e-40f, 80.f, -90.f,  1e5f,        3e30f,      -3e37f, inf,   nan};
  for (const Function& f : functions) {
    std::string name = std::string("llvm.") + f.name + ".f32";
    auto out = evaluate("declare float @" + name + "(float)", "  %y = call float @" + name + "(float %x)", in);
    for (size_t i = 0; i < in.size(); ++i) {
      double want = f.reference(in[i]);
      if (std::isnan(want) || std::isinf(float(want)) || want == 0) {
        EXPECT_TRUE(std::isnan(want) ? std::isnan(out[i]) : out[i] == float(want))
            << f.name << "(" << in[i] << ") = " << out[i];
        continue;
      }
      int exponent;
      std::frexp(want, &exponent);
      double ulp = std::ldexp(1.0, std::max(exponent, -125) - 24);
      EXPECT_LE(std::fabs(out[i] - want) / ulp, f.bound) << f.name << "(" << in[i] << ") = " << out[i];
    }
  }
}

TEST(HostIntrinsics, modf_lround_powi_and_canonicalize) {
  const std::vector<float> in{0.0f, -0.0f, 1.5f, -1.5f, 2.5f, -2.25f, 0.49999997f, 8388609.0f, 1e-40f, 7.0f};
  auto fraction =
      evaluate("declare { float, float } @llvm.modf.f32(float)",
               "  %s = call { float, float } @llvm.modf.f32(float %x)\n  %y = extractvalue { float, float } %s, 0", in);
  auto whole =
      evaluate("declare { float, float } @llvm.modf.f32(float)",
               "  %s = call { float, float } @llvm.modf.f32(float %x)\n  %y = extractvalue { float, float } %s, 1", in);
  auto rounded = evaluate("declare i64 @llvm.lround.i64.f32(float)",
                          "  %s = call i64 @llvm.lround.i64.f32(float %x)\n  %y = sitofp i64 %s to float", in);
  auto cubed = evaluate("declare float @llvm.powi.f32.i32(float, i32)",
                        "  %y = call float @llvm.powi.f32.i32(float %x, i32 3)", in);
  for (size_t i = 0; i < in.size(); ++i) {
    float integer = 0;
    float part = std::modf(in[i], &integer);
    EXPECT_TRUE(same(fraction[i], part)) << in[i] << ": " << fraction[i];
    EXPECT_TRUE(same(whole[i], integer)) << in[i] << ": " << whole[i];
    EXPECT_EQ(rounded[i], float(std::lround(in[i]))) << in[i];
    EXPECT_NEAR(cubed[i], std::pow(double(in[i]), 3), std::fabs(std::pow(double(in[i]), 3)) * 2e-7 + 1e-45) << in[i];
  }
  auto infinite = evaluate(
      "declare { float, float } @llvm.modf.f32(float)",
      "  %s = call { float, float } @llvm.modf.f32(float %x)\n  %y = extractvalue { float, float } %s, 0", {inf, -inf});
  EXPECT_TRUE(same(infinite[0], 0.0f) && same(infinite[1], -0.0f));
  auto quiet =
      evaluate("declare float @llvm.canonicalize.f32(float)", "  %y = call float @llvm.canonicalize.f32(float %x)",
               {std::bit_cast<float>(0x7f800001u), -2.5f, inf});
  EXPECT_EQ(std::bit_cast<uint32_t>(quiet[0]), 0x7fc00001u);
  EXPECT_EQ(quiet[1], -2.5f);
  EXPECT_EQ(quiet[2], inf);
}

// AMD's sine takes turns.
TEST(HostIntrinsics, amdgcn_sine_and_cosine_of_turns) {
  const std::vector<float> in{0.0f, 0.25f, 0.5f, 0.125f, -0.25f, 100.75f, 0.1f};
  auto sine =
      evaluate("declare float @llvm.amdgcn.sin.f32(float)", "  %y = call float @llvm.amdgcn.sin.f32(float %x)", in);
  auto cosine =
      evaluate("declare float @llvm.amdgcn.cos.f32(float)", "  %y = call float @llvm.amdgcn.cos.f32(float %x)", in);
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_NEAR(sine[i], std::sin(2 * M_PI * double(in[i])), 2e-7) << in[i];
    EXPECT_NEAR(cosine[i], std::cos(2 * M_PI * double(in[i])), 2e-7) << in[i];
  }
}

} // namespace
} // namespace kiln::test
