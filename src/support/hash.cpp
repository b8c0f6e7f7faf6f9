// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/hash.h"

#include <sodium.h>

namespace kiln {
namespace {
crypto_generichash_state* state_of(std::array<std::byte, 384>& storage) {
  return reinterpret_cast<crypto_generichash_state*>(storage.data());
}
} // namespace

Hasher::Hasher() {
  static_assert(sizeof(crypto_generichash_state) <= sizeof(state_));
  crypto_generichash_init(state_of(state_), nullptr, 0, sizeof(Digest));
}

Hasher& Hasher::add(ByteView field) {
  uint64_t size = field.size();
  crypto_generichash_update(state_of(state_), reinterpret_cast<const unsigned char*>(&size), sizeof(size));
  crypto_generichash_update(state_of(state_), reinterpret_cast<const unsigned char*>(field.data()), field.size());
  return *this;
}

Digest Hasher::finish() {
  Digest digest;
  crypto_generichash_final(state_of(state_), reinterpret_cast<unsigned char*>(digest.bytes.data()), sizeof(digest));
  return digest;
}

std::string Digest::hex() const {
  std::string text;
  for (std::byte byte : bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    text += digits[std::to_integer<unsigned>(byte) >> 4];
    text += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

} // namespace kiln
