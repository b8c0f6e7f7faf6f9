// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/md5.h"

#include <array>
#include <bit>
#include <cmath>

namespace kiln::codeobj {
namespace {

// RFC 1321, 3.4: T[i] is the integer part of 2^32 * |sin(i)|, i in radians from 1.
const std::array<uint32_t, 64>& sines() {
  static const auto table = [] {
    std::array<uint32_t, 64> t;
    for (int i = 0; i < 64; ++i)
      t[size_t(i)] = uint32_t(std::floor(std::fabs(std::sin(double(i + 1))) * 4294967296.0));
    return t;
  }();
  return table;
}

void block(std::array<uint32_t, 4>& state, const std::byte* bytes) {
  constexpr int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::array<uint32_t, 16> x;
  std::memcpy(x.data(), bytes, 64);
  auto [a, b, c, d] = state;
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t f, k;
    switch (i / 16) {
    case 0:
      f = (b & c) | (~b & d), k = i;
      break;
    case 1:
      f = (b & d) | (c & ~d), k = 5 * i + 1;
      break;
    case 2:
      f = b ^ c ^ d, k = 3 * i + 5;
      break;
    default:
      f = c ^ (b | ~d), k = 7 * i;
      break;
    }
    uint32_t sum = a + f + x[k % 16] + sines()[i];
    a = d, d = c, c = b;
    b += std::rotl(sum, shifts[i / 16][i % 4]);
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

} // namespace

uint64_t md5_low64(ByteView bytes) {
  std::array<uint32_t, 4> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  size_t whole = bytes.size() / 64 * 64;
  for (size_t at = 0; at < whole; at += 64)
    block(state, bytes.data() + at);
  std::array<std::byte, 128> tail{};
  size_t rest = bytes.size() - whole;
  if (rest)
    std::memcpy(tail.data(), bytes.data() + whole, rest);
  tail[rest] = std::byte(0x80);
  size_t padded = rest < 56 ? 64 : 128;
  uint64_t bits = uint64_t(bytes.size()) * 8;
  std::memcpy(tail.data() + padded - 8, &bits, 8);
  for (size_t at = 0; at < padded; at += 64)
    block(state, tail.data() + at);
  return state[0] | uint64_t(state[1]) << 32;
}

} // namespace kiln::codeobj
