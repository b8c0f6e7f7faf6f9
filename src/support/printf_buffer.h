// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffer into which device code prints (devlib/kiln/printf.c writes it, with the same numbers): a header, then
// records in the order in which they were begun. A launcher gives a kernel such a buffer through the implicit argument
// hidden_printf_buffer (offset 72 of them on AMD; on NVIDIA the module's variable __kiln_printf_buffer_address), waits
// for the kernel, decodes, and resets it. Nothing is lost silently: what did not fit is counted.
//
//   buffer  := u64 capacity      bytes of records that fit
//              u64 offset        bytes asked for so far, atomic; may exceed capacity
//              u64 messages      message ids given out, atomic
//              u64 dropped       records that did not fit, atomic
//              u64 assertions    failed assertions, atomic
//              u64 reserved[3]
//              record*
//   record  := u32 size          bytes with this header, a multiple of 8; 0 ends the list
//              u32 kind          1 arguments, 2 string, 3 null string; + 0x100 on the last record of a message
//              u64 message       id; the highest bit says that it goes to stderr
//              payload           arguments: u64[]; string: u64 length, bytes, zero to seven bytes of padding
//
// A message's first string is its format. Message ids grow in the order in which a work-item prints.
#pragma once

#include "support/bytes.h"

#include <string>
#include <vector>

namespace kiln {

struct PrintfBufferHeader {
  uint64_t capacity = 0, offset = 0, messages = 0, dropped = 0, assertions = 0;
  uint64_t reserved[3] = {};
};
static_assert(sizeof(PrintfBufferHeader) == 64);

// AMD: where in the implicit arguments the buffer's address stands.
inline constexpr unsigned printf_buffer_implicit_offset = 72;

struct PrintfOutput {
  struct Message {
    bool to_stderr = false;
    std::string text;
  };
  std::vector<Message> messages; // in order of their ids
  uint64_t dropped = 0;          // records
  uint64_t assertions = 0;
};

// An empty buffer in `size` bytes of memory: what a launcher writes before a launch.
[[nodiscard]] PrintfBufferHeader empty_printf_buffer(uint64_t size);

// `buffer` is header and records as the device left them. Any bytes are safe: what makes no sense is skipped. A message
// whose last record was dropped is given as far as it came.
[[nodiscard]] PrintfOutput decode_printf_buffer(ByteView buffer);

} // namespace kiln
