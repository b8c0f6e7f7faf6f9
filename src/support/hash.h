// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAKE2b (libsodium) over a sequence of fields. Every field is hashed with its length in front, so that ("ab","c") and
// ("a","bc") differ.
#pragma once

#include "support/bytes.h"

#include <array>
#include <compare>
#include <string>

namespace kiln {

struct Digest {
  std::array<std::byte, 32> bytes{};
  auto operator<=>(const Digest&) const = default;
  [[nodiscard]] std::string hex() const;
};

class Hasher {
public:
  Hasher();
  Hasher& add(ByteView field);
  Hasher& add(std::string_view field) { return add(as_bytes(field)); }
  Hasher& add(uint64_t field) { return add(std::as_bytes(std::span(&field, 1))); }
  [[nodiscard]] Digest finish();

private:
  alignas(64) std::array<std::byte, 384> state_; // crypto_generichash_state, kept out of this header
};

} // namespace kiln

template <> struct std::hash<kiln::Digest> {
  size_t operator()(const kiln::Digest& digest) const noexcept {
    size_t value;
    std::memcpy(&value, digest.bytes.data(), sizeof(value)); // any 8 bytes of a cryptographic hash are a good hash
    return value;
  }
};
