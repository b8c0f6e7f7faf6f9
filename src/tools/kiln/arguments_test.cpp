// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/arguments.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>

namespace kiln::tool {
namespace {

using testing::HasSubstr;

template <class T> std::vector<T> elements(const RunArgument& argument) {
  std::vector<T> values(argument.content.size() / sizeof(T));
  std::memcpy(values.data(), argument.content.data(), argument.content.size());
  return values;
}

template <class T> T scalar(std::string_view text) {
  auto argument = parse_argument(text);
  EXPECT_TRUE(argument.ok()) << argument.error().message;
  EXPECT_EQ(argument->content.size(), sizeof(T));
  return elements<T>(*argument).front();
}

std::string message(std::string_view text) {
  auto argument = parse_argument(text);
  return argument.ok() ? "no error" : argument.error().message;
}

TEST(Argument, ScalarsOfEveryType) {
  EXPECT_EQ(scalar<int8_t>("i8:-128"), -128);
  EXPECT_EQ(scalar<uint8_t>("u8:255"), 255);
  EXPECT_EQ(scalar<int16_t>("i16:-2"), -2);
  EXPECT_EQ(scalar<uint16_t>("u16:65535"), 65535);
  EXPECT_EQ(scalar<int32_t>("i32:5"), 5);
  EXPECT_EQ(scalar<int32_t>("i32:0xffffffff"), -1);
  EXPECT_EQ(scalar<uint32_t>("u32:4294967295"), 4294967295u);
  EXPECT_EQ(scalar<int64_t>("i64:-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(scalar<uint64_t>("u64:0x123456789abcdef0"), 0x123456789abcdef0u);
  EXPECT_EQ(scalar<uint16_t>("f16:1.5"), 0x3e00);
  EXPECT_EQ(scalar<float>("f32:1.5"), 1.5f);
  EXPECT_EQ(scalar<double>("f64:-1e300"), -1e300);
  EXPECT_TRUE(std::isinf(scalar<float>("f32:inf")));
}

TEST(Argument, WhatDoesNotFitIsAnError) {
  EXPECT_THAT(message("i8:128"), HasSubstr("'128' is not a number of type i8"));
  EXPECT_THAT(message("u32:-1"), HasSubstr("not a number of type u32"));
  EXPECT_THAT(message("i32:5x"), HasSubstr("not a number"));
  EXPECT_THAT(message("i32:"), HasSubstr("not a number"));
  EXPECT_THAT(message("i32:0x"), HasSubstr("not a number"));
  EXPECT_THAT(message("int:5"), HasSubstr("none of TYPE:NUMBER"));
  EXPECT_THAT(message(""), HasSubstr("none of TYPE:NUMBER"));
}

TEST(Argument, BytesAreAsWritten) {
  auto argument = parse_argument("bytes:00ff10");
  ASSERT_TRUE(argument.ok());
  EXPECT_EQ(elements<uint8_t>(*argument), (std::vector<uint8_t>{0, 255, 16}));
  EXPECT_THAT(message("bytes:0"), HasSubstr("even number"));
  EXPECT_THAT(message("bytes:0g"), HasSubstr("'0g' is not a pair"));
}

TEST(Argument, BufferContents) {
  auto zero = parse_argument("buf:i32:3");
  ASSERT_TRUE(zero.ok());
  EXPECT_EQ(elements<int32_t>(*zero), (std::vector<int32_t>{0, 0, 0}));
  EXPECT_FALSE(zero->print);
  auto fill = parse_argument("buf:f32:2:fill=2.5:out");
  ASSERT_TRUE(fill.ok());
  EXPECT_EQ(elements<float>(*fill), (std::vector<float>{2.5, 2.5}));
  EXPECT_EQ(fill->print, 2u);
  auto iota = parse_argument("buf:u8:4:iota:out:2:outfile=/tmp/x");
  ASSERT_TRUE(iota.ok());
  EXPECT_EQ(elements<uint8_t>(*iota), (std::vector<uint8_t>{0, 1, 2, 3}));
  EXPECT_EQ(iota->print, 2u);
  EXPECT_EQ(iota->save, "/tmp/x");
}

TEST(Argument, RandomIsRepeatableAndInRange) {
  auto one = parse_argument("buf:f32:1000:random(1)");
  auto again = parse_argument("buf:f32:1000:random(1)");
  auto other = parse_argument("buf:f32:1000:random(2)");
  ASSERT_TRUE(one.ok() && again.ok() && other.ok());
  EXPECT_EQ(one->content, again->content);
  EXPECT_NE(one->content, other->content);
  double sum = 0;
  for (float value : elements<float>(*one)) {
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 1000, 0.5, 0.05);
}

TEST(Argument, FilesMustHaveTheBuffersSize) {
  auto path = testing::TempDir() + "kiln_argument.bin";
  std::ofstream(path, std::ios::binary) << "abcd";
  auto good = parse_argument("buf:u8:4:file=" + path);
  ASSERT_TRUE(good.ok()) << good.error().message;
  EXPECT_EQ(elements<char>(*good), (std::vector<char>{'a', 'b', 'c', 'd'}));
  EXPECT_THAT(message("buf:i32:4:file=" + path), HasSubstr("the file has 4 bytes, the buffer 16"));
  EXPECT_THAT(message("buf:u8:4:file=/does/not/exist"), HasSubstr("cannot open '/does/not/exist'"));
}

TEST(Argument, BadBuffers) {
  EXPECT_THAT(message("buf:f32"), HasSubstr("buf:TYPE:COUNT"));
  EXPECT_THAT(message("buf:f31:4"), HasSubstr("'f31' is not one of the types"));
  EXPECT_THAT(message("buf:f32:0"), HasSubstr("not a usable number"));
  EXPECT_THAT(message("buf:f64:18446744073709551615"), HasSubstr("not a usable number"));
  EXPECT_THAT(message("buf:f32:4:full=1"), HasSubstr("'full=1' is none of"));
  EXPECT_THAT(message("buf:f32:4:iota:fill=1"), HasSubstr("given twice"));
  EXPECT_THAT(message("buf:i32:4:fill=1.5"), HasSubstr("not a number of type i32"));
}

TEST(Extent, OneToThreeNumbers) {
  auto extent = parse_extent("--grid", "64,2");
  ASSERT_TRUE(extent.ok());
  EXPECT_EQ(extent->x, 64u);
  EXPECT_EQ(extent->y, 2u);
  EXPECT_EQ(extent->z, 1u);
  for (const char* bad : {"", "0", "1,2,3,4", "1,,2", "-1", "1x", "4294967296"})
    EXPECT_FALSE(parse_extent("--grid", bad).ok()) << bad;
}

} // namespace
} // namespace kiln::tool
