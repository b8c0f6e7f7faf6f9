// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/kernel_names.h"

#include <gmock/gmock.h>

namespace kiln::tool {
namespace {

using testing::HasSubstr;

// saxpy(float, float const*, float*); void ns::scale<float>(float*); void ns::scale<int>(int*); (anonymous
// namespace)::hidden(int)
const std::vector<std::string> kernels{"_Z5saxpyfPKfPf", "_ZN2ns5scaleIfEEvPT_", "_ZN2ns5scaleIiEEvPT_",
                                       "_ZN12_GLOBAL__N_16hiddenEi", "plain"};

std::string match(std::string_view wanted) {
  auto found = match_kernel(kernels, wanted);
  return !found.ok() ? "error: " + found.error().message : *found ? **found : "none";
}

TEST(MatchKernel, ByWhatPeopleWrite) {
  EXPECT_EQ(match("plain"), "plain");
  EXPECT_EQ(match("_Z5saxpyfPKfPf"), "_Z5saxpyfPKfPf");
  EXPECT_EQ(match("saxpy"), "_Z5saxpyfPKfPf");
  EXPECT_EQ(match("saxpy(float, float const*, float*)"), "_Z5saxpyfPKfPf");
  EXPECT_EQ(match("ns::scale<int>"), "_ZN2ns5scaleIiEEvPT_");
  EXPECT_EQ(match("(anonymous namespace)::hidden"), "_ZN12_GLOBAL__N_16hiddenEi");
  EXPECT_EQ(match("saxp"), "none");
}

TEST(MatchKernel, SeveralMeaningsAreAnError) {
  EXPECT_THAT(match("ns::scale"), HasSubstr("could be _ZN2ns5scaleIfEEvPT_, _ZN2ns5scaleIiEEvPT_"));
}

TEST(NoSuchKernel, SuggestsOrLists) {
  EXPECT_EQ(no_such_kernel("saxpi", kernels).message, "there is no kernel 'saxpi'; did you mean saxpy?");
  EXPECT_THAT(no_such_kernel("completely_different", kernels).message, HasSubstr("there are saxpy, ns::scale<float>"));
  EXPECT_THAT(no_such_kernel("x", {}).message, HasSubstr("has no kernels"));
}

} // namespace
} // namespace kiln::tool
