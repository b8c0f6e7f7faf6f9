// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading little-endian fields out of bytes that come from outside, without ever reading past their end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kiln {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

inline ByteView as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The part [offset, offset + size) of `bytes`, or nothing if it is not all inside.
inline std::optional<ByteView> slice(ByteView bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return std::nullopt;
  return bytes.subspan(offset, size);
}

// The T stored at `offset` (any alignment), or nothing if it is not all inside.
template <class T>
  requires std::is_trivially_copyable_v<T>
std::optional<T> read_at(ByteView bytes, uint64_t offset) {
  auto part = slice(bytes, offset, sizeof(T));
  if (!part)
    return std::nullopt;
  T value;
  std::memcpy(&value, part->data(), sizeof(T));
  return value;
}

} // namespace kiln
