// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/printf_buffer.h"

#include "support/printf_format.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

constexpr uint64_t to_stderr = uint64_t(1) << 63;
constexpr uint64_t record_header = 16;
enum Kind : uint32_t { arguments = 1, string = 2, null_string = 3, kind_mask = 0xff };

void add(PrintfMessage& message, uint32_t kind, ByteView payload) {
  switch (kind & kind_mask) {
  case arguments:
    for (uint64_t at = 0; auto value = read_at<uint64_t>(payload, at); at += 8)
      message.add_number(*value);
    break;
  case string: {
    auto length = read_at<uint64_t>(payload, 0);
    if (auto text = length ? slice(payload, 8, *length) : std::nullopt)
      message.add_string(as_text(*text));
    break;
  }
  case null_string:
    message.add_null_string();
    break;
  default:
    break;
  }
}

} // namespace

PrintfBufferHeader empty_printf_buffer(uint64_t size) {
  PrintfBufferHeader header;
  header.capacity = size > sizeof(header) ? (size - sizeof(header)) & ~uint64_t(7) : 0;
  return header;
}

PrintfOutput decode_printf_buffer(ByteView buffer) {
  PrintfOutput output;
  auto header = read_at<PrintfBufferHeader>(buffer, 0);
  if (!header)
    return output;
  output.dropped = header->dropped;
  output.assertions = header->assertions;
  ByteView records = buffer.subspan(sizeof(*header));
  records = records.first(std::min<uint64_t>({records.size(), header->capacity, header->offset}));
  std::map<uint64_t, PrintfMessage> messages; // by id without the stream's bit
  std::map<uint64_t, bool> streams;
  for (uint64_t at = 0; at + record_header <= records.size();) {
    uint32_t size = *read_at<uint32_t>(records, at), kind = *read_at<uint32_t>(records, at + 4);
    uint64_t id = *read_at<uint64_t>(records, at + 8);
    auto record = slice(records, at, size);
    if (size < record_header || size % 8 != 0 || !record)
      break;
    streams[id & ~to_stderr] = (id & to_stderr) != 0;
    add(messages[id & ~to_stderr], kind, record->subspan(record_header));
    at += size;
  }
  for (const auto& [id, message] : messages)
    output.messages.push_back({streams[id], message.text()});
  return output;
}

} // namespace kiln
