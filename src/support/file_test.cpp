// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/file.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

namespace kiln {
namespace {

class FileTest : public ::testing::Test {
protected:
  FileTest() {
    std::string name = (std::filesystem::temp_directory_path() / "kiln-file-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(FileTest, WhatIsWrittenIsRead) {
  for (size_t size : {0u, 1u, 65536u, 65537u, 300000u}) {
    Bytes content(size, std::byte{0x5a});
    ASSERT_TRUE(write_file(folder_ / "f", content).ok());
    auto back = read_file(folder_ / "f");
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, content);
  }
}

TEST_F(FileTest, FilesWithoutASizeAreReadToTheirEnd) {
  auto status = read_file("/proc/self/status");
  ASSERT_TRUE(status.ok());
  EXPECT_NE(as_text(*status).find("Name:"), std::string_view::npos);
}

TEST_F(FileTest, MissingFileAndFolderAreErrors) {
  auto missing = read_file(folder_ / "none");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_NE(missing.error().message.find("none"), std::string::npos);
  EXPECT_EQ(read_file(folder_).error().code, ErrorCode::io);
  EXPECT_FALSE(write_file(folder_ / "no-folder/f", {}).ok());
}

TEST_F(FileTest, AFullDeviceIsAnError) {
  auto full = write_file("/dev/full", as_bytes("text"));
  ASSERT_FALSE(full.ok());
  EXPECT_NE(full.error().message.find("No space left"), std::string::npos);
}

// A write that fails half way leaves the old file as it was, and no temporary file.
TEST_F(FileTest, AFailedWriteLeavesTheOldFile) {
  ASSERT_TRUE(write_file(folder_ / "f", as_bytes("old")).ok());
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  auto result = write_file(folder_ / "f", Bytes(100000));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(result.ok());
  auto back = read_file(folder_ / "f");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(as_text(*back), "old");
  size_t files = 0;
  for ([[maybe_unused]] auto& entry : std::filesystem::directory_iterator(folder_))
    ++files;
  EXPECT_EQ(files, 1u);
}

} // namespace
} // namespace kiln
