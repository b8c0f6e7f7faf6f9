// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/table.h"

#include <gtest/gtest.h>

namespace kiln::tool {
namespace {

TEST(Table, AlignsColumnsAndLeavesNoSpacesAtTheEnd) {
  Table table({{"arch"}, {"bytes", Align::right}, {"note"}});
  table.add({"gfx942", "12", "x"});
  table.add({"host", "123456"});
  EXPECT_EQ(table.text(false), "arch     bytes  note\n"
                               "gfx942      12  x\n"
                               "host    123456\n");
}

TEST(Table, CountsCodePointsNotBytes) {
  Table table({{"a"}, {"b"}});
  table.add({"µµ", "1"});
  table.add({"xx", "2"});
  EXPECT_EQ(table.text(false), "a   b\nµµ  1\nxx  2\n");
}

TEST(Table, ColoursOnlyTheHeadingAndOnlyWhenAsked) {
  Table table({{"a"}});
  table.add({"x"});
  EXPECT_EQ(table.text(true), "\033[1ma\033[0m\nx\n");
  EXPECT_EQ(table.text(false).find('\033'), std::string::npos);
}

TEST(Table, IndentsEveryLine) {
  Table table({{"a"}});
  table.add({"x"});
  EXPECT_EQ(table.text(false, "  "), "  a\n  x\n");
}

TEST(HumanSize, PicksTheUnit) {
  EXPECT_EQ(human_size(0), "0 B");
  EXPECT_EQ(human_size(1023), "1023 B");
  EXPECT_EQ(human_size(1536), "1.5 KiB");
  EXPECT_EQ(human_size(64 * 1024 * 1024), "64 MiB");
}

} // namespace
} // namespace kiln::tool
