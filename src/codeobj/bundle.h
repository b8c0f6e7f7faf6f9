// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang offload bundles: several code objects for several targets in one blob. All numbers little-endian.
//
//   plain       = "__CLANG_OFFLOAD_BUNDLE__" u64:count entry*count bytes...
//   entry       = u64:offset u64:size u64:id-length id           offset from the start of the bundle
//   id          = kind "-" triple "-" target                     "hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
//   compressed  = "CCOB" u16:version u16:method sizes u64:hash stream-of-plain
//   sizes       = u32:uncompressed (v1) | u32:total u32:uncompressed (v2) | u64:total u64:uncompressed (v3)
//   method      = 0 zlib | 1 zstd      hash = first 8 bytes of the MD5 of the uncompressed bytes      total: with
//   header
//
// https://clang.llvm.org/docs/ClangOffloadBundler.html. A bare SPIR-V module or AMD code object counts as a bundle of
// one.
#pragma once

#include "codeobj/compression.h"
#include "support/bytes.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kiln::codeobj {

struct BundleEntry {
  std::string id;                // as in the file
  std::string kind;              // "hip", "hipv4", "host", "openmp", "kiln" (not AMD's, by Kiln)
  std::string triple;            // "amdgcn-amd-amdhsa", without a trailing environment of "" or "unknown"
  std::string target;            // "gfx942:sramecc+:xnack-", "gfx9-generic", "amdgcnspirv", "" for the host
  uint64_t offset = 0, size = 0; // in the uncompressed bundle
  [[nodiscard]] bool is_spirv() const { return triple.starts_with("spirv64") && target == "amdgcnspirv"; }
};

struct BundleOptions {
  uint64_t max_uncompressed = uint64_t(4) << 30; // a compressed bundle that claims or gives more is refused
  bool verify_hash = false;                      // compare the MD5; costs as much time as decompressing
};

class Bundle {
public:
  // `bytes` must outlive the bundle unless it is compressed. Bytes after the bundle are allowed.
  [[nodiscard]] static Result<Bundle> open(ByteView bytes, const BundleOptions& options = {});

  [[nodiscard]] const std::vector<BundleEntry>& entries() const { return entries_; }
  [[nodiscard]] ByteView bytes(const BundleEntry& entry) const {
    return plain().subspan(size_t(entry.offset), size_t(entry.size));
  }
  [[nodiscard]] bool compressed() const { return compressed_; }

  // The entries that run on `target` ("gfx942:sramecc+:xnack-", "host", "sm_90"), best first: code made for exactly
  // this processor (more settings named first), code for its generic family, SPIR-V. `spirv_only` skips the native
  // ones.
  [[nodiscard]] std::vector<const BundleEntry*> candidates(std::string_view target, bool spirv_only = false) const;

private:
  [[nodiscard]] ByteView plain() const { return compressed_ ? ByteView(owned_) : view_; }
  Result<void> read_entries();

  std::vector<BundleEntry> entries_;
  ByteView view_;
  Bytes owned_; // when compressed
  bool compressed_ = false;
};

// Splits an id. Never fails: what is not there stays empty.
[[nodiscard]] BundleEntry parse_bundle_id(std::string_view id);

// Whether code for `code_target` runs on a device that is `device_target`; both may name settings.
enum class Match { none, generic, exact };
[[nodiscard]] Match match_target(std::string_view code_target, std::string_view device_target);
// "gfx9-4-generic" for gfx942; empty if the processor has no generic family.
[[nodiscard]] std::string_view generic_target(std::string_view processor);

// What the bytes at the start of `bytes` are.
enum class ImageKind { unknown, bundle, compressed_bundle, spirv, elf };
[[nodiscard]] ImageKind image_kind(ByteView bytes);
// How long the bundle or ELF file at the start of `bytes` is (there may be more behind it); it is all inside. A bare
// SPIR-V module does not say its size: all of `bytes` is taken.
[[nodiscard]] Result<uint64_t> image_size(ByteView bytes);

struct BundleInput {
  std::string id; // "hip-spirv64-amd-amdhsa--amdgcnspirv"
  ByteView bytes;
};
// A plain bundle, entries aligned to `align` bytes (4096 is what the HIP runtime expects).
[[nodiscard]] Bytes write_bundle(const std::vector<BundleInput>& inputs, uint64_t align = 4096);
// CCOB version 3 around a plain bundle.
[[nodiscard]] Result<Bytes> compress_bundle(ByteView plain, Compression method = Compression::zstd, int level = 0);

} // namespace kiln::codeobj
