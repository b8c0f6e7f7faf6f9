// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/printf_format.h"

#include <bit>
#include <cstdio>
#include <gtest/gtest.h>

namespace kiln {
namespace {

TEST(PrintfFormat, is_what_the_hosts_printf_says) {
  constexpr std::string_view format("%d|%5u|%-6x|%08.3f|%s|%c|%lld|%hhd|%*d|%.*s|%%|%e\n");
  PrintfMessage message;
  message.add_string(std::string(format) + '\0');
  message.add_number(uint64_t(-7));
  message.add_number(42);
  message.add_number(0xbeef);
  message.add_number(std::bit_cast<uint64_t>(3.14159));
  message.add_string(std::string_view("text\0", 5));
  message.add_number('x');
  message.add_number(uint64_t(1) << 40);
  message.add_number(300);
  message.add_number(6);
  message.add_number(11);
  message.add_number(2);
  message.add_string("abcdef");
  message.add_number(std::bit_cast<uint64_t>(1e-3));
  char expected[256];
  std::snprintf(expected, sizeof(expected), "%d|%5u|%-6x|%08.3f|%s|%c|%lld|%hhd|%*d|%.*s|%%|%e\n", -7, 42u, 0xbeefu,
                3.14159, "text", 'x', 1ll << 40, char(300 & 0xff), 6, 11, 2, "abcdef", 1e-3);
  EXPECT_EQ(message.text(), expected);
}

TEST(PrintfFormat, missing_and_wrong_arguments_print_the_conversion) {
  PrintfMessage message;
  message.add_string("%s %d %q %");
  message.add_number(1);
  EXPECT_EQ(message.text(), "%s %d %q %");
}

} // namespace
} // namespace kiln
