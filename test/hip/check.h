// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The harness of the device tests: TEST(name) { ... CHECK(...); } bodies that run one after the other; main() runs all, or
// those named on the command line, and fails if any check failed. Plain HIP, so that any HIP compiler can build it.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*run)();
  Test* next;
};
inline Test* first = nullptr;
inline int failures = 0;

struct Register {
  Test test;
  Register(const char* name, void (*run)()) : test{name, run, first} { first = &test; }
};

template <class A, class B> void equal(const A& a, const B& b, const char* what, const char* file, int line) {
  if (a == b)
    return;
  if (++failures <= 20)
    std::fprintf(stderr, "%s:%d: %s: got %g, expected %g\n", file, line, what, double(a), double(b));
}

inline void hip(hipError_t error, const char* what, const char* file, int line) {
  if (error == hipSuccess)
    return;
  ++failures;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, hipGetErrorString(error));
}

// A vector on the device: filled from the host, read back with get().
template <class T> class Buffer {
public:
  explicit Buffer(size_t count, T fill = T{}) : Buffer(std::vector<T>(count, fill)) {}
  explicit Buffer(const std::vector<T>& content) : count_(content.size()) {
    hip(hipMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T)), "hipMalloc", __FILE__, __LINE__);
    hip(hipMemcpy(data_, content.data(), count_ * sizeof(T), hipMemcpyHostToDevice), "hipMemcpy", __FILE__, __LINE__);
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { (void)hipFree(data_); }
  operator T*() { return data_; }
  std::vector<T> get() {
    std::vector<T> content(count_);
    hip(hipMemcpy(content.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost), "hipMemcpy", __FILE__, __LINE__);
    return content;
  }

private:
  T* data_ = nullptr;
  size_t count_;
};

inline int wave_size() {
  hipDeviceProp_t properties;
  hip(hipGetDeviceProperties(&properties, 0), "hipGetDeviceProperties", __FILE__, __LINE__);
  return properties.warpSize;
}

} // namespace check

#define CHECK_EQ(a, b) check::equal((a), (b), #a, __FILE__, __LINE__)
#define CHECK(condition) check::equal(bool(condition), true, #condition, __FILE__, __LINE__)
#define HIP(call) check::hip((call), #call, __FILE__, __LINE__)
#define FINISH() (HIP(hipGetLastError()), HIP(hipDeviceSynchronize()))
#define TEST(name)                                                                                                     \
  static void test_##name();                                                                                           \
  static check::Register register_##name(#name, test_##name);                                                          \
  static void test_##name()

int main(int argc, char** argv) {
  check::Test* list = nullptr; // registration order
  for (check::Test* test = check::first; test;) {
    check::Test* next = test->next;
    test->next = list;
    list = test;
    test = next;
  }
  int ran = 0;
  for (check::Test* test = list; test; test = test->next) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i)
      wanted |= std::strcmp(argv[i], test->name) == 0;
    if (!wanted)
      continue;
    int before = check::failures;
    test->run();
    ++ran;
    std::fprintf(stderr, "%-6s %s\n", check::failures == before ? "ok" : "FAILED", test->name);
  }
  if (ran == 0) {
    std::fprintf(stderr, "no such test\n");
    return 2;
  }
  return check::failures ? 1 : 0;
}
