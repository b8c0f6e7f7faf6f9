// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/printf_buffer.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

class Buffer {
public:
  explicit Buffer(uint64_t size) : bytes_(size) { put(0, empty_printf_buffer(size)); }
  template <class T> void put(uint64_t at, const T& value) { std::memcpy(bytes_.data() + at, &value, sizeof(value)); }
  PrintfBufferHeader header() const { return *read_at<PrintfBufferHeader>(bytes_, 0); }
  // As the device does it.
  void record(uint64_t message, uint32_t kind, std::string_view payload) {
    auto now = header();
    uint64_t size = (16 + payload.size() + 7) & ~uint64_t(7), at = now.offset;
    now.offset += size;
    if (at + size > now.capacity)
      ++now.dropped;
    put(0, now);
    if (at + size > now.capacity) {
      if (at + 16 <= now.capacity)
        put(64 + at, uint32_t(0));
      return;
    }
    put(64 + at, static_cast<uint32_t>(size));
    put(64 + at + 4, kind);
    put(64 + at + 8, message);
    std::memcpy(bytes_.data() + 64 + at + 16, payload.data(), payload.size());
  }
  void string(uint64_t message, std::string_view text, bool last = false) {
    std::string payload(8, '\0');
    uint64_t length = text.size() + 1;
    std::memcpy(payload.data(), &length, 8);
    record(message, last ? 0x102 : 2, payload + std::string(text) + '\0');
  }
  void number(uint64_t message, uint64_t value, bool last = false) {
    record(message, last ? 0x101 : 1, {reinterpret_cast<const char*>(&value), 8});
  }
  Bytes& bytes() { return bytes_; }

private:
  Bytes bytes_;
};

TEST(PrintfBuffer, PutsInterleavedMessagesInOrder) {
  Buffer buffer(4096);
  buffer.string(1, "two %d %s\n");
  buffer.string(0, "one %d\n");
  buffer.number(1, 22);
  buffer.number(0, 11, true);
  buffer.record(1, 0x103, "");
  buffer.string(2 | uint64_t(1) << 63, "three\n", true);
  auto output = decode_printf_buffer(buffer.bytes());
  ASSERT_EQ(output.messages.size(), 3u);
  EXPECT_EQ(output.messages[0].text, "one 11\n");
  EXPECT_EQ(output.messages[1].text, "two 22 (null)\n");
  EXPECT_EQ(output.messages[2].text, "three\n");
  EXPECT_FALSE(output.messages[1].to_stderr);
  EXPECT_TRUE(output.messages[2].to_stderr);
  EXPECT_EQ(output.dropped, 0u);
}

TEST(PrintfBuffer, CountsWhatDoesNotFit) {
  Buffer buffer(64 + 72);
  buffer.string(0, "first %d\n");
  buffer.number(0, 1, true);
  for (uint64_t i = 1; i < 5; ++i)
    buffer.string(i, "another message\n", true);
  auto output = decode_printf_buffer(buffer.bytes());
  ASSERT_EQ(output.messages.size(), 1u);
  EXPECT_EQ(output.messages[0].text, "first 1\n");
  EXPECT_EQ(output.dropped, 4u);
}

TEST(PrintfBuffer, SurvivesAnyBytes) {
  Buffer buffer(512);
  buffer.string(0, "%s %d %f\n");
  buffer.number(0, 1);
  buffer.string(0, "text", true);
  for (size_t at = 0; at < buffer.bytes().size(); ++at)
    for (int value : {0, 1, 8, 127, 255}) {
      Bytes damaged = buffer.bytes();
      damaged[at] = std::byte(value);
      (void)decode_printf_buffer(damaged);
      (void)decode_printf_buffer(ByteView(damaged).first(at));
    }
}

} // namespace
} // namespace kiln
