// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/services.h"

#include "device/host/group_runner.h"
#include "support/printf_format.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>

namespace kiln::device::host {
using namespace host_abi;

namespace {

GroupRunner& runner(const Group* group) {
  return *static_cast<GroupRunner*>(group->executor);
}

void* frame(Group* group, uint64_t size, uint64_t alignment) {
  void* memory = runner(group).memory().frame(size, std::max<uint64_t>(alignment, 16));
  if (!memory)
    runner(group).worker().fail(ErrorCode::out_of_memory, "the private memory of the block's threads does not fit",
                                nullptr);
  return memory;
}

void trap(const WorkItem* item, uint32_t) {
  runner(item->group).worker().fail(ErrorCode::launch_failed, "trap", item->id);
}

void assert_fail(const WorkItem* item, const char* assertion, const char* file, uint32_t line, const char* function) {
  const uint32_t* block = item->group->id;
  char text[1024];
  std::snprintf(text, sizeof(text), "%s:%u: %s: block [%u,%u,%u], thread [%u,%u,%u]: Assertion `%s' failed.", file,
                line, function, block[0], block[1], block[2], item->id[0], item->id[1], item->id[2], assertion);
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", text);
  std::snprintf(text, sizeof(text), "assertion `%s' failed at %s:%u", assertion, file, line);
  runner(item->group).worker().fail(ErrorCode::assert_failed, text, item->id);
}

// A message has a stream and its parts. One at a time per worker: a work-item is not suspended inside a printf.
struct Message {
  PrintfMessage parts;
  std::FILE* stream;
};
thread_local Message message;

uint64_t begin(std::FILE* stream) {
  message = {PrintfMessage(), stream};
  return 1;
}
uint64_t output_begin(const WorkItem*) {
  return begin(stdout);
}
uint64_t error_begin(const WorkItem*) {
  return begin(stderr);
}

// Written whole, so that messages of different workers do not mix.
uint64_t end_part(uint64_t id, uint32_t last) {
  if (last) {
    std::string text = message.parts.text();
    std::fwrite(text.data(), 1, text.size(), message.stream);
    message.parts = {};
  }
  return id;
}

uint64_t append_args(const WorkItem*, uint64_t id, uint32_t count, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3,
                     uint64_t a4, uint64_t a5, uint64_t a6, uint32_t last) {
  const uint64_t values[] = {a0, a1, a2, a3, a4, a5, a6};
  for (uint32_t i = 0; i < count && i < 7; ++i)
    message.parts.add_number(values[i]);
  return end_part(id, last);
}

uint64_t append_string(const WorkItem*, uint64_t id, const char* text, uint64_t length, uint32_t last) {
  if (text)
    message.parts.add_string({text, length});
  else
    message.parts.add_null_string();
  return end_part(id, last);
}

uint64_t clock(const WorkItem*) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec)) / 10;
}

uint64_t allocate(const WorkItem*, uint64_t size) {
  return reinterpret_cast<uint64_t>(std::malloc(size));
}
void deallocate(const WorkItem*, uint64_t address) {
  std::free(reinterpret_cast<void*>(address));
}

} // namespace

const Callbacks& callbacks() {
  static const Callbacks table{frame,       trap,          assert_fail, output_begin, error_begin,
                               append_args, append_string, clock,       allocate,     deallocate};
  return table;
}

} // namespace kiln::device::host
