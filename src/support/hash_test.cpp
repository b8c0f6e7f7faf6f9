// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/hash.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

Digest hash(std::initializer_list<std::string_view> fields) {
  Hasher hasher;
  for (auto field : fields)
    hasher.add(field);
  return hasher.finish();
}

TEST(Hash, FieldsHaveBorders) {
  EXPECT_EQ(hash({"ab", "c"}), hash({"ab", "c"}));
  EXPECT_NE(hash({"ab", "c"}), hash({"a", "bc"}));
  EXPECT_NE(hash({"ab"}), hash({"ab", ""}));
}

// BLAKE2b-256 of nothing, from the BLAKE2 reference test vectors.
TEST(Hash, IsBlake2b) {
  EXPECT_EQ(hash({}).hex(), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
}

TEST(Bytes, NothingIsReadPastTheEnd) {
  Bytes bytes(10, std::byte{1});
  EXPECT_TRUE(read_at<uint64_t>(bytes, 2));
  EXPECT_FALSE(read_at<uint64_t>(bytes, 3));
  EXPECT_FALSE(read_at<uint32_t>(bytes, UINT64_MAX - 1));
  EXPECT_TRUE(slice(bytes, 10, 0));
  EXPECT_FALSE(slice(bytes, 11, 0));
  EXPECT_FALSE(slice(bytes, 5, UINT64_MAX));
}

} // namespace
} // namespace kiln
