// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/device.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiln::device {
namespace {

using testing::HasSubstr;

struct WaveEnvironment {
  explicit WaveEnvironment(const char* value) { setenv("KILN_HOST_WAVE", value, 1); }
  ~WaveEnvironment() { unsetenv("KILN_HOST_WAVE"); }
};

TEST(Discover, TheHostIsAlwaysThereAndTheRestHasAReason) {
  auto found = discover("");
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->devices.empty());
  EXPECT_EQ(found->devices.back()->info().id, "host");
  for (const auto& unusable : found->unusable)
    EXPECT_THAT(unusable.reason, HasSubstr("Kiln")) << unusable.id;
}

TEST(Discover, SelectionGivesOrderAndSkipsWhatIsUnusable) {
  auto found = discover("emu:gfx950,host");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->devices.size(), 1u);
  ASSERT_EQ(found->unusable.size(), 1u);
  EXPECT_EQ(found->unusable[0].id, "emu:gfx950");
}

TEST(Discover, UnknownNamesAreErrorsThatNameThem) {
  auto found = discover("host,opencl:0");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("opencl:0"));
}

TEST(Discover, TheHostsWaveSizeIsChosenByTheEnvironment) {
  {
    WaveEnvironment wave("64");
    auto found = discover("host");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->devices[0]->info().wave_size, 64u);
  }
  WaveEnvironment wave("48");
  auto found = discover("host");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("KILN_HOST_WAVE"));
}

} // namespace
} // namespace kiln::device
