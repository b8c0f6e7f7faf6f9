// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/devlib_pack.h"

namespace kiln::target {
namespace {
constexpr std::string_view magic = "KILNDLIB";
constexpr uint32_t version = 1;
constexpr uint64_t header_size = 48, entry_size = 16;

void append(Bytes& bytes, ByteView part) {
  bytes.insert(bytes.end(), part.begin(), part.end());
}
void append(Bytes& bytes, uint32_t value) {
  append(bytes, std::as_bytes(std::span(&value, 1)));
}
} // namespace

DevlibPack::Entry DevlibPack::entry(uint32_t index) const {
  return *read_at<Entry>(content_, header_size + index * entry_size); // parse() has checked the index's extent
}

std::string_view DevlibPack::name(const Entry& entry) const {
  return as_text(content_.subspan(entry.name_offset, entry.name_size));
}

Digest DevlibPack::digest() const {
  return *read_at<Digest>(content_, 16);
}

Result<DevlibPack> DevlibPack::parse(ByteView content) {
  Error broken{ErrorCode::invalid_module, "the device library file is damaged; install Kiln again"};
  auto start = slice(content, 0, magic.size());
  auto found_version = read_at<uint32_t>(content, 8), count = read_at<uint32_t>(content, 12);
  if (!start || as_text(*start) != magic || found_version != version || !count ||
      !slice(content, header_size, *count * entry_size))
    return broken;
  DevlibPack pack;
  pack.content_ = content;
  pack.count_ = *count;
  for (uint32_t i = 0; i < pack.count_; ++i) {
    Entry one = pack.entry(i);
    if (!slice(pack.content_, one.name_offset, one.name_size) ||
        !slice(pack.content_, one.module_offset, one.module_size))
      return broken;
  }
  return pack;
}

std::optional<ByteView> DevlibPack::find(std::string_view wanted) const {
  uint32_t low = 0, high = count_;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    Entry one = entry(middle);
    if (int order = name(one).compare(wanted); order == 0)
      return content_.subspan(one.module_offset, one.module_size);
    else if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return std::nullopt;
}

Bytes write_devlib_pack(const std::map<std::string, Bytes>& modules) {
  uint64_t names_size = 0;
  for (const auto& [name, module] : modules)
    names_size += name.size();
  auto align = [](uint64_t value) { return (value + 3) & ~uint64_t(3); }; // bitcode is read as 32-bit words
  auto name_offset = static_cast<uint32_t>(header_size + modules.size() * entry_size);
  auto module_offset = static_cast<uint32_t>(align(name_offset + names_size));
  Bytes bytes;
  append(bytes, as_bytes(magic));
  append(bytes, version);
  append(bytes, static_cast<uint32_t>(modules.size()));
  bytes.resize(header_size); // the digest is filled in at the end
  for (const auto& [name, module] : modules) {
    append(bytes, name_offset);
    append(bytes, static_cast<uint32_t>(name.size()));
    append(bytes, module_offset);
    append(bytes, static_cast<uint32_t>(module.size()));
    name_offset += static_cast<uint32_t>(name.size());
    module_offset = static_cast<uint32_t>(align(module_offset + module.size()));
  }
  for (const auto& [name, module] : modules)
    append(bytes, as_bytes(name));
  for (const auto& [name, module] : modules) {
    bytes.resize(align(bytes.size()));
    append(bytes, module);
  }
  Digest digest = Hasher().add(ByteView(bytes).subspan(header_size)).finish();
  std::memcpy(bytes.data() + 16, digest.bytes.data(), digest.bytes.size());
  return bytes;
}

} // namespace kiln::target
