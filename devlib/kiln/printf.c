// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf and assert. Clang turns a device printf into __ockl_printf_begin, then one append per argument, each
// with the id that the call before returned; ours write records into the buffer described in
// src/support/printf_buffer.h (the numbers here must match it). Nothing waits for the host, so a kernel with printf
// stays small and fast.
#include "device.h"

#define RECORD_ARGUMENTS 1
#define RECORD_STRING 2
#define RECORD_NULL_STRING 3
#define RECORD_LAST 0x100
#define TO_STDERR (1ull << 63)
#define NO_BUFFER (~0ull)

typedef struct {
  u64 capacity;   // bytes of records that fit
  u64 offset;     // bytes asked for so far; beyond capacity: something was dropped
  u64 messages;   // ids given out
  u64 dropped;    // records that did not fit
  u64 assertions; // failed assertions
  u64 reserved[3];
  char records[];
} printf_buffer;

typedef struct {
  u32 size; // bytes, with this header, a multiple of 8
  u32 kind;
  u64 message;
} record;

GLOBAL void* __kiln_printf_buffer(void); // printf_buffer.c

static GLOBAL printf_buffer* buffer(void) {
  return (GLOBAL printf_buffer*)__kiln_printf_buffer();
}

static u64 begin(u64 stream) {
  GLOBAL printf_buffer* to = buffer();
  if (!to)
    return NO_BUFFER;
  return add_u64(&to->messages, 1) | stream;
}

// Room for a record with `payload` bytes, its header written; null when it does not fit.
static GLOBAL record* reserve(u64 message, u32 kind, u64 payload) {
  GLOBAL printf_buffer* to = buffer();
  if (!to || message == NO_BUFFER)
    return 0;
  u64 size = (sizeof(record) + payload + 7) & ~7ull;
  u64 offset = add_u64(&to->offset, size);
  if (offset + size > to->capacity) {
    add_u64(&to->dropped, 1);
    if (offset + sizeof(record) <= to->capacity) // the reader stops here
      ((GLOBAL record*)(to->records + offset))->size = 0;
    return 0;
  }
  GLOBAL record* at = (GLOBAL record*)(to->records + offset);
  at->size = (u32)size;
  at->kind = kind;
  at->message = message;
  return at;
}

// Called functions have a price in compile time each on AMD GPUs, so there are two, with a loop or a lot of stores, and
// the rest is inlined into them or into the kernel.
EXPORT __attribute__((always_inline)) u64 __ockl_printf_begin(u64 version) {
  (void)version;
  return begin(0);
}

EXPORT __attribute__((always_inline)) u64 __ockl_fprintf_stdout_begin(void) {
  return begin(0);
}
EXPORT __attribute__((always_inline)) u64 __ockl_fprintf_stderr_begin(void) {
  return begin(TO_STDERR);
}

EXPORT __attribute__((noinline)) u64 __ockl_printf_append_args(u64 message, u32 count, u64 a, u64 b, u64 c, u64 d,
                                                               u64 e, u64 f, u64 g, u32 last) {
  GLOBAL record* at = reserve(message, RECORD_ARGUMENTS | (last ? RECORD_LAST : 0), count * 8);
  if (!at)
    return message;
  GLOBAL u64* to = (GLOBAL u64*)(at + 1);
  u64 values[7] = {a, b, c, d, e, f, g};
#pragma unroll
  for (u32 i = 0; i < 7; ++i)
    if (i < count)
      to[i] = values[i];
  return message;
}

EXPORT __attribute__((noinline)) u64 __ockl_printf_append_string_n(u64 message, const char* text, u64 length,
                                                                   u32 last) {
  u32 flags = last ? RECORD_LAST : 0;
  if (!text) {
    reserve(message, RECORD_NULL_STRING | flags, 0);
    return message;
  }
  GLOBAL record* at = reserve(message, RECORD_STRING | flags, 8 + length);
  if (!at)
    return message;
  GLOBAL u64* to = (GLOBAL u64*)(at + 1);
  *to = length;
  GLOBAL char* bytes = (GLOBAL char*)(to + 1);
  for (u64 i = 0; i < length; ++i)
    bytes[i] = text[i];
  return message;
}

EXPORT __attribute__((always_inline)) u64 __ockl_fprintf_append_args(u64 message, u32 count, u64 a, u64 b, u64 c, u64 d,
                                                                     u64 e, u64 f, u64 g, u32 last) {
  return __ockl_printf_append_args(message, count, a, b, c, d, e, f, g, last);
}

EXPORT __attribute__((always_inline)) u64 __ockl_fprintf_append_string_n(u64 message, const char* text, u64 length,
                                                                         u32 last) {
  return __ockl_printf_append_string_n(message, text, length, last);
}

static u64 length_of(const char* text) {
  u64 length = 0;
  if (text)
    while (text[length])
      ++length;
  return length;
}

EXPORT __attribute__((noinline, cold)) void __kiln_assert_fail(const char* assertion, const char* file, u32 line,
                                                               const char* function) {
  static const CONSTANT char format[] =
      "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u]: device-side assertion `%s' failed.\n";
  GLOBAL printf_buffer* to = buffer();
  if (to)
    add_u64(&to->assertions, 1);
  u64 message = begin(TO_STDERR);
  __ockl_printf_append_string_n(message, (const char*)format, sizeof(format), 0);
  __ockl_printf_append_string_n(message, file, length_of(file), 0);
  __ockl_printf_append_args(message, 1, line, 0, 0, 0, 0, 0, 0, 0);
  __ockl_printf_append_string_n(message, function, length_of(function), 0);
  __ockl_printf_append_args(message, 6, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                            __builtin_amdgcn_workgroup_id_z(), __builtin_amdgcn_workitem_id_x(),
                            __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z(), 0, 0);
  __ockl_printf_append_string_n(message, assertion, length_of(assertion), 1);
  __builtin_trap();
}
