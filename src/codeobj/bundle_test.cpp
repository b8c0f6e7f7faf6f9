// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/bundle.h"
#include "codeobj/kernel_metadata.h"
#include "codeobj/md5.h"
#include "codeobj/test_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace kiln::codeobj {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> targets(const std::vector<const BundleEntry*>& entries) {
  std::vector<std::string> result;
  for (const BundleEntry* entry : entries)
    result.push_back(entry->target);
  return result;
}

void expect_the_four_entries(const Bundle& bundle) {
  ASSERT_EQ(bundle.entries().size(), 4u);
  EXPECT_EQ(bundle.entries()[0].kind, "host");
  EXPECT_EQ(bundle.entries()[0].triple, "x86_64-unknown-linux-gnu");
  EXPECT_EQ(bundle.entries()[1].target, "gfx942");
  EXPECT_EQ(bundle.entries()[1].triple, "amdgcn-amd-amdhsa");
  EXPECT_EQ(bundle.entries()[1].kind, "hipv4");
  EXPECT_TRUE(bundle.entries()[3].is_spirv());
  auto native = bundle.bytes(bundle.entries()[1]);
  EXPECT_TRUE(std::equal(native.begin(), native.end(), code_object("gfx942").begin(), code_object("gfx942").end()));
  EXPECT_EQ(image_kind(bundle.bytes(bundle.entries()[3])), ImageKind::spirv);
}

TEST(Bundle, ReadsWhatTheBundlerWrote) {
  Bytes file = bundle_file("");
  auto bundle = Bundle::open(file);
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  EXPECT_FALSE(bundle->compressed());
  expect_the_four_entries(*bundle);
  auto size = image_size(file);
  ASSERT_TRUE(size.ok());
  EXPECT_EQ(*size, file.size());
}

TEST(Bundle, ReadsAllCompressedVersionsAndBothMethods) {
  for (const char* options : {"-compress", "-compress --compression-level=9"}) {
    Bytes file = bundle_file(options);
    ASSERT_EQ(image_kind(file), ImageKind::compressed_bundle);
    auto bundle = Bundle::open(file, {.verify_hash = true});
    ASSERT_TRUE(bundle.ok()) << bundle.error().message;
    EXPECT_TRUE(bundle->compressed());
    expect_the_four_entries(*bundle);
    EXPECT_EQ(*image_size(file), file.size());
  }
  // The older headers around the same payload, and zlib.
  Bytes plain = bundle_file("");
  for (auto method : {Compression::zlib, Compression::zstd}) {
    Bytes payload = *compress(plain, method);
    for (uint16_t version : {1, 2}) {
      Bytes file(as_bytes("CCOB").begin(), as_bytes("CCOB").end());
      auto put = [&](auto value) {
        auto part = std::as_bytes(std::span(&value, 1));
        file.insert(file.end(), part.begin(), part.end());
      };
      put(version);
      put(uint16_t(method));
      if (version == 2)
        put(uint32_t(24 + payload.size()));
      put(uint32_t(plain.size()));
      put(md5_low64(plain));
      file.insert(file.end(), payload.begin(), payload.end());
      size_t whole = file.size();
      file.resize(whole + 100); // what stands behind it in memory
      auto bundle = Bundle::open(file, {.verify_hash = true});
      ASSERT_TRUE(bundle.ok()) << bundle.error().message;
      expect_the_four_entries(*bundle);
      EXPECT_EQ(*image_size(file), whole);
    }
  }
}

TEST(Bundle, IsReadByClangWhenWeWroteIt) {
  auto spirv = spirv_object();
  Bytes plain = write_bundle({{"host-x86_64-unknown-linux-gnu-", {}}, {"hip-spirv64-amd-amdhsa--amdgcnspirv", spirv}});
  for (auto method : {Compression::zstd, Compression::zlib}) {
    auto packed = compress_bundle(plain, method);
    ASSERT_TRUE(packed.ok());
    for (const Bytes& file : {plain, *packed}) {
      Bytes out = make_file("clang-offload-bundler-22 -unbundle -type=o -input=in "
                            "-targets=hip-spirv64-amd-amdhsa--amdgcnspirv -output=OUT",
                            file);
      EXPECT_EQ(out, spirv);
    }
  }
}

TEST(Bundle, ChoosesExactThenGenericThenSpirv) {
  ByteView some = as_bytes("x");
  Bytes file = write_bundle({{"host-x86_64-unknown-linux-gnu-", {}},
                             {"hip-spirv64-amd-amdhsa-unknown-amdgcnspirv", some},
                             {"hipv4-amdgcn-amd-amdhsa--gfx9-4-generic:xnack-", some},
                             {"hipv4-amdgcn-amd-amdhsa--gfx942", some},
                             {"hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", some},
                             {"hipv4-amdgcn-amd-amdhsa--gfx942:xnack+", some},
                             {"hip-amdgcn-amd-amdhsa-gfx906", some},
                             {"hipv4-amdgcn-amd-amdhsa--gfx11-generic", some}});
  auto bundle = Bundle::open(file);
  ASSERT_TRUE(bundle.ok());
  EXPECT_THAT(targets(bundle->candidates("gfx942:sramecc+:xnack-")),
              ElementsAre("gfx942:sramecc+:xnack-", "gfx942", "gfx9-4-generic:xnack-", "amdgcnspirv"));
  EXPECT_THAT(targets(bundle->candidates("gfx942:sramecc+:xnack+")),
              ElementsAre("gfx942:xnack+", "gfx942", "amdgcnspirv"));
  EXPECT_THAT(targets(bundle->candidates("gfx950:sramecc+:xnack-")),
              ElementsAre("gfx9-4-generic:xnack-", "amdgcnspirv"));
  EXPECT_THAT(targets(bundle->candidates("gfx906")), ElementsAre("gfx906", "amdgcnspirv"));
  EXPECT_THAT(targets(bundle->candidates("gfx1103")), ElementsAre("gfx11-generic", "amdgcnspirv"));
  EXPECT_THAT(targets(bundle->candidates("host")), ElementsAre("amdgcnspirv"));
  EXPECT_THAT(targets(bundle->candidates("gfx942:sramecc+:xnack-", true)), ElementsAre("amdgcnspirv"));
}

TEST(Bundle, TakesBareImages) {
  auto spirv = Bundle::open(spirv_object());
  ASSERT_TRUE(spirv.ok());
  EXPECT_TRUE(spirv->entries()[0].is_spirv());
  EXPECT_EQ(spirv->bytes(spirv->entries()[0]).size(), spirv_object().size());
  auto native = Bundle::open(code_object("gfx90a:sramecc+:xnack-"));
  ASSERT_TRUE(native.ok()) << native.error().message;
  EXPECT_EQ(native->entries()[0].target, "gfx90a:sramecc+:xnack-");
  EXPECT_FALSE(Bundle::open(as_bytes("#!/bin/sh")).ok());
}

TEST(Bundle, RefusesBombs) {
  Bytes zeros(64 << 20);
  auto packed = compress_bundle(zeros);
  ASSERT_TRUE(packed.ok());
  EXPECT_LT(packed->size(), 100000u);
  auto bundle = Bundle::open(*packed, {.max_uncompressed = 1 << 20});
  ASSERT_FALSE(bundle.ok());
  EXPECT_EQ(bundle.error().code, ErrorCode::unsupported);
  // A header that lies about the size.
  uint64_t small = 4096;
  std::memcpy(packed->data() + 16, &small, 8);
  bundle = Bundle::open(*packed);
  ASSERT_FALSE(bundle.ok());
  EXPECT_THAT(bundle.error().message, HasSubstr("more than 4096 bytes"));
}

TEST(Bundle, FindsAFlippedBitByTheHash) {
  // An uncompressed block inside the stream, so that the damage survives decompression.
  std::mt19937_64 random(1);
  std::vector<uint64_t> noise(512);
  for (auto& word : noise)
    word = random();
  Bytes plain = write_bundle({{"hip-spirv64-amd-amdhsa--amdgcnspirv", std::as_bytes(std::span(noise))}}, 1);
  auto packed = compress_bundle(plain);
  (*packed)[packed->size() - 100] ^= std::byte(1);
  EXPECT_TRUE(Bundle::open(*packed).ok());
  auto checked = Bundle::open(*packed, {.verify_hash = true});
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("checksum"));
}

TEST(Bundle, SurvivesTruncationAndBitFlips) {
  for (const Bytes& file : {bundle_file(""), bundle_file("-compress")}) {
    for (size_t size = 0; size < file.size(); size += size < 600 ? 1 : 97) {
      auto bundle = Bundle::open(ByteView(file).first(size));
      EXPECT_FALSE(bundle.ok()) << size;
    }
    std::mt19937 random(5);
    for (int round = 0; round < 3000; ++round) {
      Bytes damaged = file;
      damaged[random() % (round % 2 ? 400 : damaged.size())] ^= std::byte(1u << (random() % 8));
      auto bundle = Bundle::open(damaged);
      (void)image_size(damaged).ok();
      if (bundle)
        for (const BundleEntry& entry : bundle->entries())
          (void)find_metadata_note(bundle->bytes(entry)).ok();
    }
  }
}

// RFC 1321, A.5.
TEST(Md5, HasTheRfcsDigests) {
  EXPECT_EQ(md5_low64(as_bytes("")), __builtin_bswap64(0xd41d8cd98f00b204));
  EXPECT_EQ(md5_low64(as_bytes("abc")), __builtin_bswap64(0x900150983cd24fb0));
  EXPECT_EQ(md5_low64(as_bytes("12345678901234567890123456789012345678901234567890123456789012345678901234567890")),
            __builtin_bswap64(0x57edf4a22be3c955));
}

} // namespace
} // namespace kiln::codeobj
