// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's device library and intrinsics on the host against libm in higher precision.
#include "host_runner.h"

#include <bit>
#include <cmath>
#include <limits>

namespace kiln::test {
namespace {

// Applies `function` (float or double, one argument) to every element.
template <class T> std::vector<T> map(const std::string& function, std::vector<T> in) {
  std::string type = sizeof(T) == 4 ? "float" : "double";
  std::string text = "declare " + type + " @" + function + "(" + type + ")\n" + R"(
declare i32 @llvm.amdgcn.workitem.id.x()
define spir_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr TYPE, ptr addrspace(1) %p, i32 %i
  %x = load TYPE, ptr addrspace(1) %q
  %y = call TYPE @FUNCTION(TYPE %x)
  store TYPE %y, ptr addrspace(1) %q
  ret void
})";
  for (auto [from, to] : {std::pair<std::string, std::string>{"TYPE", type}, {"FUNCTION", function}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  Loaded module(text);
  auto result = module.run("k", {1}, {uint32_t(in.size())}, 0, in.data());
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return in;
}

double ulps(float got, double want) {
  if (std::isnan(want))
    return std::isnan(got) ? 0 : 1e9;
  if (std::isinf(float(want)) || want == 0)
    return double(got) == double(float(want)) ? 0 : 1e9;
  int exponent;
  std::frexp(want, &exponent);
  return std::fabs(double(got) - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

const std::vector<float> samples = {0.0f,
                                    -0.0f,
                                    1.0f,
                                    -1.0f,
                                    0.5f,
                                    3.14159274f,
                                    1e-3f,
                                    -7.25f,
                                    20.0f,
                                    88.0f,
                                    1e5f,
                                    1.2e30f,
                                    -3.3e37f,
                                    1e-40f,
                                    std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN()};

struct Case {
  const char* name;
  double (*reference)(double);
  double bound; // ulp, as ocml documents or OpenCL requires
};

TEST(HostMath, device_library_keeps_its_error_bounds) {
  const Case cases[] = {
      {"__ocml_sin_f32", std::sin, 2},   {"__ocml_cos_f32", std::cos, 2},     {"__ocml_tan_f32", std::tan, 4},
      {"__ocml_exp_f32", std::exp, 2},   {"__ocml_log_f32", std::log, 2},     {"__ocml_sqrt_f32", std::sqrt, 0.5001},
      {"__ocml_cbrt_f32", std::cbrt, 2}, {"__ocml_erf_f32", std::erf, 4},     {"__ocml_tanh_f32", std::tanh, 2},
      {"__ocml_exp2_f32", std::exp2, 2}, {"__ocml_floor_f32", std::floor, 0}, {"__ocml_atan_f32", std::atan, 2}};
  for (const Case& c : cases) {
    auto got = map(c.name, samples);
    for (size_t i = 0; i < samples.size(); ++i)
      EXPECT_LE(ulps(got[i], c.reference(samples[i])), c.bound) << c.name << "(" << samples[i] << ") = " << got[i];
  }
}

// Large arguments reduce through 1201 bits of 2/pi (trig.preop).
TEST(HostMath, double_sine_of_large_arguments) {
  const std::vector<double> in = {1.0, 1e10, 1e22, 1.7e308, -5e200, 0.0, 1e-300};
  auto got = map<double>("__ocml_sin_f64", in);
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_NEAR(got[i], std::sin(in[i]), 4e-16) << in[i];
}

TEST(HostMath, intrinsics) {
  auto fraction = map("llvm.amdgcn.fract.f32", samples);
  auto mantissa = map("llvm.amdgcn.frexp.mant.f32", samples);
  auto reciprocal = map("llvm.amdgcn.rcp.f32", samples);
  for (size_t i = 0; i < samples.size(); ++i) {
    float x = samples[i];
    if (std::isfinite(x)) {
      int exponent;
      EXPECT_EQ(fraction[i], std::min(x - std::floor(x), std::nextafterf(1, 0))) << x;
      EXPECT_EQ(mantissa[i], std::frexp(x, &exponent)) << x;
      EXPECT_EQ(reciprocal[i], 1 / x) << x;
    }
  }
  EXPECT_TRUE(std::isinf(mantissa[14]));
  EXPECT_TRUE(std::isnan(mantissa[15]));
}

TEST(HostMath, bfloat_rounds_to_nearest_even) {
  Loaded module(R"(
define spir_kernel void @k(ptr addrspace(1) %out, float %x, double %d) {
  %b = fptrunc float %x to bfloat
  store bfloat %b, ptr addrspace(1) %out
  %c = fptrunc double %d to bfloat
  %s = fadd bfloat %c, %b
  %p = getelementptr bfloat, ptr addrspace(1) %out, i32 1
  store bfloat %s, ptr addrspace(1) %p
  ret void
})");
  uint16_t out[2] = {};
  ASSERT_RUNS(module.run("k", {1}, {1}, 0, &out[0], 0x1.018p0f, 1.0));
  EXPECT_EQ(out[0], 0x3f81); // 1.00586 is nearer to 1 + 2^-7 than to 1
  EXPECT_EQ(out[1], 0x4000); // 2.0078 is half-way: to even
}

TEST(HostMath, integer_intrinsics) {
  Loaded module(R"(
declare i32 @llvm.amdgcn.perm(i32, i32, i32)
declare i32 @llvm.amdgcn.alignbyte(i32, i32, i32)
declare i32 @llvm.amdgcn.sad.u8(i32, i32, i32)
declare i32 @llvm.amdgcn.ubfe.i32(i32, i32, i32)
declare i32 @llvm.amdgcn.sbfe.i32(i32, i32, i32)
declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1)
declare <2 x half> @llvm.amdgcn.cvt.pkrtz(float, float)
declare i1 @llvm.amdgcn.class.f32(float, i32)
define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %q1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  %b = load volatile i32, ptr addrspace(1) %q1
  %r0 = call i32 @llvm.amdgcn.perm(i32 %a, i32 %b, i32 202048262)
  store i32 %r0, ptr addrspace(1) %p
  %r1 = call i32 @llvm.amdgcn.alignbyte(i32 %a, i32 %b, i32 1)
  store i32 %r1, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  %r2 = call i32 @llvm.amdgcn.sad.u8(i32 %a, i32 %b, i32 5)
  store i32 %r2, ptr addrspace(1) %q2
  %q3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  %r3 = call i32 @llvm.amdgcn.ubfe.i32(i32 %a, i32 4, i32 8)
  store i32 %r3, ptr addrspace(1) %q3
  %q4 = getelementptr i32, ptr addrspace(1) %p, i32 4
  %r4 = call i32 @llvm.amdgcn.sbfe.i32(i32 %a, i32 28, i32 8)
  store i32 %r4, ptr addrspace(1) %q4
  %q5 = getelementptr i32, ptr addrspace(1) %p, i32 5
  %r5 = call i32 @llvm.amdgcn.sdot4(i32 %a, i32 %b, i32 100, i1 false)
  store i32 %r5, ptr addrspace(1) %q5
  %q6 = getelementptr i32, ptr addrspace(1) %p, i32 6
  %h = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float 0x3FF001FFE0000000, float 0x4210000000000000)
  store <2 x half> %h, ptr addrspace(1) %q6
  ret void
})");
  uint32_t data[8] = {0x81020304, 0x05f60708};
  ASSERT_RUNS(module.run("k", {1}, {1}, 0, &data[0]));
  // selector 0x0c0b0306 (bytes, low first: 6, 3, 11, 12): a's byte 2, b's byte 3, sign of a's byte 3, 0
  EXPECT_EQ(data[0], 0x00ff0502u);
  EXPECT_EQ(data[1], 0x0405f607u);
  EXPECT_EQ(data[2], 5u + (0x81 - 0x05) + (0xf6 - 0x02) + (7 - 3) + (8 - 4));
  EXPECT_EQ(data[3], 0x30u);
  EXPECT_EQ(data[4], 0xfffffff8u);
  EXPECT_EQ(int32_t(data[5]), 100 + -127 * 5 + 2 * -10 + 3 * 7 + 4 * 8);
  EXPECT_EQ(data[6], 0x7bff3c00u); // 1.000488 down to 1.0; beyond half's range to its largest number
}

} // namespace
} // namespace kiln::test
