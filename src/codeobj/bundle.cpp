// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/bundle.h"

#include "codeobj/elf.h"
#include "codeobj/kernel_metadata.h"
#include "codeobj/md5.h"

#include <algorithm>

namespace kiln::codeobj {
namespace {

constexpr std::string_view plain_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view compressed_magic = "CCOB";
constexpr uint32_t spirv_magic = 0x07230203;
constexpr uint64_t max_entries = 65536, max_id = 4096;

Error damaged(std::string_view what) {
  return {ErrorCode::invalid_module, "damaged offload bundle: " + std::string(what)};
}

struct PlainEntry {
  uint64_t offset = 0, size = 0;
  std::string_view id;
};

// The table of a plain bundle. Whether the entries' bytes are there is the caller's question.
Result<std::vector<PlainEntry>> read_table(ByteView bytes, uint64_t& end) {
  auto count = read_at<uint64_t>(bytes, plain_magic.size());
  if (!count || *count > max_entries)
    return damaged("the number of entries is missing or absurd");
  std::vector<PlainEntry> entries;
  uint64_t at = plain_magic.size() + 8;
  for (uint64_t i = 0; i < *count; ++i) {
    auto offset = read_at<uint64_t>(bytes, at), size = read_at<uint64_t>(bytes, at + 8),
         length = read_at<uint64_t>(bytes, at + 16);
    auto id = length && *length <= max_id ? slice(bytes, at + 24, *length) : std::nullopt;
    if (!offset || !size || !id)
      return damaged("entry " + std::to_string(i) + " of the table is not all there");
    if (*size > UINT64_MAX - *offset)
      return damaged("entry " + std::to_string(i) + " is larger than memory");
    entries.push_back({*offset, *size, as_text(*id)});
    at += 24 + *length;
  }
  end = at;
  return entries;
}

struct CompressedHeader {
  uint16_t version = 0;
  Compression method{};
  uint64_t total = 0; // 0: the header does not say (version 1)
  uint64_t uncompressed = 0, hash = 0;
  uint64_t size = 0; // of the header
};

Result<CompressedHeader> read_compressed_header(ByteView bytes) {
  auto version = read_at<uint16_t>(bytes, 4), method = read_at<uint16_t>(bytes, 6);
  if (!version || !method)
    return damaged("the compressed header is not all there");
  if (*version < 1 || *version > 3)
    return Error{ErrorCode::unsupported,
                 "compressed offload bundle of version " + std::to_string(*version) + "; versions 1 to 3 are known"};
  if (*method > 1)
    return Error{ErrorCode::unsupported, "offload bundle compressed by method " + std::to_string(*method) +
                                             "; zlib (0) and zstd (1) are known"};
  CompressedHeader header;
  header.version = *version;
  header.method = Compression(*method);
  uint64_t at = 8;
  bool whole = true;
  auto number = [&](unsigned bytes_wide) -> uint64_t {
    auto wide = bytes_wide == 8 ? read_at<uint64_t>(bytes, at) : std::nullopt;
    auto narrow = bytes_wide == 4 ? read_at<uint32_t>(bytes, at) : std::nullopt;
    whole = whole && (wide || narrow);
    at += bytes_wide;
    return wide.value_or(narrow.value_or(0));
  };
  unsigned width = header.version == 3 ? 8 : 4;
  if (header.version >= 2)
    header.total = number(width);
  header.uncompressed = number(width);
  header.hash = number(8);
  header.size = at;
  if (!whole)
    return damaged("the compressed header is not all there");
  if (header.version >= 2 && (header.total < header.size || header.total > bytes.size()))
    return damaged("its total size is " + std::to_string(header.total) + " bytes, " + std::to_string(bytes.size()) +
                   " are there; it may be truncated");
  return header;
}

Result<Decompressed> decompress_bundle(ByteView bytes, const CompressedHeader& header, const BundleOptions& options) {
  if (header.uncompressed > options.max_uncompressed)
    return Error{ErrorCode::unsupported, "offload bundle of " + std::to_string(header.uncompressed) +
                                             " bytes is larger than the limit of " +
                                             std::to_string(options.max_uncompressed)};
  uint64_t end = header.total ? header.total : bytes.size();
  auto result =
      decompress(bytes.subspan(size_t(header.size), size_t(end - header.size)), header.method, header.uncompressed);
  if (!result)
    return std::move(result.error()).context("offload bundle");
  if (result->bytes.size() != header.uncompressed)
    return damaged("it expands to " + std::to_string(result->bytes.size()) + " bytes instead of " +
                   std::to_string(header.uncompressed));
  if (options.verify_hash && md5_low64(result->bytes) != header.hash)
    return damaged("the checksum is wrong");
  return result;
}

// "kiln-x86_64-unknown-linux-gnu-host" for what Kiln compiles for the host: its metadata names the target.
std::optional<std::string> native_id(ByteView elf) {
  auto note = find_metadata_note(elf);
  if (!note)
    return std::nullopt;
  auto metadata = parse_metadata(*note);
  size_t dashes = metadata ? metadata->target.find("--") : std::string::npos;
  if (dashes == std::string::npos)
    return std::nullopt;
  return "kiln-" + metadata->target.erase(dashes, 1);
}

} // namespace

ImageKind image_kind(ByteView bytes) {
  auto starts = [&](std::string_view magic) {
    return bytes.size() >= magic.size() && as_text(bytes.first(magic.size())) == magic;
  };
  if (starts(plain_magic))
    return ImageKind::bundle;
  if (starts(compressed_magic))
    return ImageKind::compressed_bundle;
  if (is_elf(bytes))
    return ImageKind::elf;
  auto word = read_at<uint32_t>(bytes, 0);
  if (word && (*word == spirv_magic || *word == __builtin_bswap32(spirv_magic)))
    return ImageKind::spirv;
  return ImageKind::unknown;
}

Result<uint64_t> image_size(ByteView bytes) {
  switch (image_kind(bytes)) {
  case ImageKind::bundle: {
    uint64_t end = 0;
    KILN_ASSIGN(auto entries, read_table(bytes, end));
    for (const PlainEntry& entry : entries)
      if (entry.size != 0)
        end = std::max(end, entry.offset + entry.size);
    if (end > bytes.size())
      return damaged("it should have " + std::to_string(end) + " bytes, " + std::to_string(bytes.size()) +
                     " are there");
    return end;
  }
  case ImageKind::compressed_bundle: {
    KILN_ASSIGN(CompressedHeader header, read_compressed_header(bytes));
    if (header.total)
      return header.total;
    KILN_ASSIGN(Decompressed content, decompress_bundle(bytes, header, {}));
    return header.size + content.consumed;
  }
  case ImageKind::elf: {
    KILN_ASSIGN(Elf elf, Elf::parse(bytes));
    if (elf.size() > bytes.size())
      return Error{ErrorCode::invalid_module, "the ELF file should have " + std::to_string(elf.size()) + " bytes, " +
                                                  std::to_string(bytes.size()) + " are there"};
    return elf.size();
  }
  case ImageKind::spirv:
    return uint64_t(bytes.size());
  case ImageKind::unknown:
    break;
  }
  return Error{ErrorCode::invalid_module, "neither an offload bundle nor SPIR-V nor an ELF file"};
}

BundleEntry parse_bundle_id(std::string_view id) {
  BundleEntry entry;
  entry.id = id;
  auto next = [&](std::string_view& rest) {
    size_t end = rest.find('-');
    std::string part(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return part;
  };
  std::string_view rest = id;
  entry.kind = next(rest);
  for (int i = 0; i < 3 && !rest.empty(); ++i)
    entry.triple += (i ? "-" : "") + next(rest);
  // Old producers wrote no environment at all: "hip-amdgcn-amd-amdhsa-gfx906".
  if (rest.starts_with("gfx") || rest == "amdgcnspirv") {
    entry.target = rest;
    return entry;
  }
  std::string environment = next(rest);
  if (!environment.empty() && environment != "unknown")
    entry.triple += "-" + environment;
  entry.target = rest;
  return entry;
}

Result<Bundle> Bundle::open(ByteView bytes, const BundleOptions& options) {
  Bundle bundle;
  bundle.view_ = bytes;
  switch (image_kind(bytes)) {
  case ImageKind::bundle:
    KILN_TRY(bundle.read_entries());
    return bundle;
  case ImageKind::compressed_bundle: {
    KILN_ASSIGN(CompressedHeader header, read_compressed_header(bytes));
    KILN_ASSIGN(Decompressed content, decompress_bundle(bytes, header, options));
    bundle.owned_ = std::move(content.bytes);
    bundle.compressed_ = true;
    if (image_kind(bundle.owned_) != ImageKind::bundle)
      return damaged("what was compressed is not an offload bundle");
    KILN_TRY(bundle.read_entries());
    return bundle;
  }
  case ImageKind::spirv: {
    BundleEntry entry = parse_bundle_id("hip-spirv64-amd-amdhsa--amdgcnspirv");
    entry.size = bytes.size();
    bundle.entries_.push_back(std::move(entry));
    return bundle;
  }
  case ImageKind::elf: {
    KILN_ASSIGN(Elf elf, Elf::parse(bytes));
    auto target = amd_target(elf);
    if (!target)
      if (auto id = native_id(bytes)) {
        BundleEntry entry = parse_bundle_id(*id);
        entry.size = bytes.size();
        bundle.entries_.push_back(std::move(entry));
        return bundle;
      }
    if (!target)
      return Error{ErrorCode::unsupported, "the ELF file is not an AMD code object of a known processor (machine " +
                                               std::to_string(elf.machine) + ", flags " + std::to_string(elf.flags) +
                                               ")"};
    BundleEntry entry = parse_bundle_id("hipv4-amdgcn-amd-amdhsa--" + *target);
    entry.size = bytes.size();
    bundle.entries_.push_back(std::move(entry));
    return bundle;
  }
  case ImageKind::unknown:
    break;
  }
  return Error{ErrorCode::invalid_module, "neither an offload bundle nor SPIR-V nor an AMD code object"};
}

Result<void> Bundle::read_entries() {
  uint64_t end = 0;
  KILN_ASSIGN(auto table, read_table(plain(), end));
  for (const PlainEntry& row : table) {
    BundleEntry entry = parse_bundle_id(row.id);
    entry.offset = row.size == 0 ? 0 : row.offset; // the host's entry is empty and may point anywhere
    entry.size = row.size;
    if (!slice(plain(), entry.offset, entry.size))
      return damaged("the entry " + entry.id + " ends at byte " + std::to_string(entry.offset + entry.size) + " of " +
                     std::to_string(plain().size()) + "; it may be truncated");
    entries_.push_back(std::move(entry));
  }
  return {};
}

Bytes write_bundle(const std::vector<BundleInput>& inputs, uint64_t align) {
  align = std::max<uint64_t>(align, 1);
  auto up = [&](uint64_t value) { return (value + align - 1) / align * align; };
  Bytes out;
  auto text = [&](std::string_view part) { out.insert(out.end(), as_bytes(part).begin(), as_bytes(part).end()); };
  auto number = [&](uint64_t value) {
    auto part = std::as_bytes(std::span(&value, 1));
    out.insert(out.end(), part.begin(), part.end());
  };
  uint64_t at = plain_magic.size() + 8;
  for (const BundleInput& input : inputs)
    at += 24 + input.id.size();
  text(plain_magic);
  number(inputs.size());
  for (const BundleInput& input : inputs) {
    at = up(at);
    number(at);
    number(input.bytes.size());
    number(input.id.size());
    text(input.id);
    at += input.bytes.size();
  }
  for (const BundleInput& input : inputs) {
    out.resize(size_t(up(out.size())));
    out.insert(out.end(), input.bytes.begin(), input.bytes.end());
  }
  return out;
}

Result<Bytes> compress_bundle(ByteView plain, Compression method, int level) {
  KILN_ASSIGN(Bytes payload, compress(plain, method, level));
  constexpr uint16_t version = 3;
  constexpr uint64_t header_size = 32;
  auto method_number = uint16_t(method);
  uint64_t numbers[] = {header_size + payload.size(), plain.size(), md5_low64(plain)};
  Bytes out(header_size);
  std::memcpy(out.data(), compressed_magic.data(), 4);
  std::memcpy(out.data() + 4, &version, 2);
  std::memcpy(out.data() + 6, &method_number, 2);
  std::memcpy(out.data() + 8, numbers, sizeof(numbers));
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

} // namespace kiln::codeobj
