// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/arch.h"

#include <gtest/gtest.h>

namespace kiln::tool {
namespace {

TEST(Arches, ListsAreJoinedAndRepetitionsDropped) {
  auto arches = expand_arches({"gfx942,host", "gfx942,,sm_90"});
  ASSERT_TRUE(arches.ok());
  EXPECT_EQ(*arches, (std::vector<std::string>{"gfx942", "host", "sm_90"}));
}

TEST(Arches, AllIsFifteenAndJoinsOthers) {
  auto arches = expand_arches({"gfx950,all,host"});
  ASSERT_TRUE(arches.ok());
  EXPECT_EQ(arches->size(), 16u);
  EXPECT_EQ(arches->front(), "gfx950");
  EXPECT_EQ(arches->back(), "host");
}

TEST(Arches, NothingIsAnError) {
  EXPECT_FALSE(expand_arches({}).ok());
  EXPECT_FALSE(expand_arches({",,"}).ok());
}

TEST(FileExtension, ByFamilyAndOutput) {
  EXPECT_EQ(file_extension("gfx942:xnack-", KILN_OUTPUT_IMAGE), ".co");
  EXPECT_EQ(file_extension("gfx12-generic", KILN_OUTPUT_ASSEMBLY), ".s");
  EXPECT_EQ(file_extension("host", KILN_OUTPUT_IMAGE), ".so");
  EXPECT_EQ(file_extension("host:x86-64-v3", KILN_OUTPUT_OBJECT), ".o");
  EXPECT_EQ(file_extension("sm_90", KILN_OUTPUT_IMAGE), ".ptx");
  EXPECT_EQ(file_extension("sm_90", KILN_OUTPUT_LLVM_IR), ".ll");
}

TEST(FilePart, IsSafeAndDistinct) {
  EXPECT_EQ(file_part("gfx942:sramecc+:xnack-"), "gfx942-sramecc+-xnack-");
  EXPECT_EQ(file_part("../a b"), "..-a-b");
  std::string one(300, 'x'), other = one;
  other.back() = 'y';
  EXPECT_LE(file_part(one).size(), 120u);
  EXPECT_NE(file_part(one), file_part(other));
}

} // namespace
} // namespace kiln::tool
