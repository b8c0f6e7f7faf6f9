// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file form of the device library: an index of names, and per name one small LLVM bitcode module that defines just
// this function or table and declares what it uses. Little-endian.
//
//   pack    := magic[8] "KILNDLIB"  u32 version  u32 count  digest[32]  entry[count]  names  modules
//   digest  := BLAKE2b of all that follows it
//   entry   := u32 name_offset  u32 name_size  u32 module_offset  u32 module_size     ; sorted by name
#pragma once

#include "support/bytes.h"
#include "support/hash.h"
#include "support/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::target {

class DevlibPack {
public:
  // `content` must outlive the pack. Checks the index once, so that find() need not. invalid_module if the bytes are
  // not a pack.
  [[nodiscard]] static Result<DevlibPack> parse(ByteView content);
  // The bitcode that defines `name`.
  [[nodiscard]] std::optional<ByteView> find(std::string_view name) const;
  [[nodiscard]] Digest digest() const;
  [[nodiscard]] uint32_t size() const { return count_; }

private:
  struct Entry {
    uint32_t name_offset, name_size, module_offset, module_size;
  };
  [[nodiscard]] Entry entry(uint32_t index) const;
  [[nodiscard]] std::string_view name(const Entry& entry) const;
  ByteView content_;
  uint32_t count_ = 0;
};

[[nodiscard]] Bytes write_devlib_pack(const std::map<std::string, Bytes>& modules);

} // namespace kiln::target
