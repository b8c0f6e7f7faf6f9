// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tour: one portable HIP program of real kernels. Each file holds one subject: its kernel, its input, and a host
// computation written independently (usually in double) that its numbers are checked against. This header is what they
// share: error checking, device memory, timing, and the outcome that main.hip prints.
#pragma once

#include <hip/hip_runtime.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace tour {

struct Outcome {
  double error = 0;     // the largest deviation from the host's numbers
  double tolerance = 0; // and what is allowed
  double first_ms = 0;  // first launch, compilation included
  double run_ms = 0;    // best of the later ones
  std::string note;
  bool ok() const {
    return error <= tolerance; // false for a NaN too
  }
};

struct Subject {
  const char* name;
  const char* about;
  Outcome (*run)();
};

inline void check(hipError_t status, const char* call) {
  if (status != hipSuccess)
    throw std::runtime_error(std::string(call) + ": " + hipGetErrorString(status));
}
#define HIP_CHECK(call) ::tour::check((call), #call)

// Device memory for `size` values of T.
template <class T> class Buffer {
public:
  explicit Buffer(size_t size) : size_(size) { HIP_CHECK(hipMalloc(&data_, size * sizeof(T))); }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) { upload(values); }
  ~Buffer() { (void)hipFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* get() const { return data_; }
  void upload(const std::vector<T>& values) {
    HIP_CHECK(hipMemcpy(data_, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  void clear() { HIP_CHECK(hipMemset(data_, 0, size_ * sizeof(T))); }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    HIP_CHECK(hipMemcpy(values.data(), data_, size_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

// Milliseconds from before `launch` until the device is done.
template <class F> double time_ms(F launch) {
  const auto start = std::chrono::steady_clock::now();
  launch();
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
template <class F> double best_ms(F launch) {
  double best = time_ms(launch);
  for (int i = 0; i < 2; ++i)
    best = std::min(best, time_ms(launch));
  return best;
}

// Reproducible numbers in [low, high).
class Random {
public:
  unsigned bits() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state_ >> 33) ^ (unsigned)(state_ >> 62);
  }
  float uniform(float low, float high) { return low + (high - low) * (float)(bits() & 0xffffff) / 16777216.0f; }
  std::vector<float> floats(size_t count, float low, float high) {
    std::vector<float> values(count);
    for (float& value : values)
      value = uniform(low, high);
    return values;
  }

private:
  unsigned long long state_ = 0x853c49e6748fea9bull;
};

// The largest |a - b|, or that divided by max(|b|, 1) when `relative`. A NaN on either side is infinitely wrong.
template <class A, class B> double max_error(const std::vector<A>& a, const std::vector<B>& b, bool relative = false) {
  if (a.size() != b.size())
    return INFINITY;
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double error = std::fabs((double)a[i] - (double)b[i]);
    if (relative)
      error /= std::fmax(std::fabs((double)b[i]), 1.0);
    if (!(error <= worst))
      worst = std::isnan(error) ? INFINITY : error;
  }
  return worst;
}

Outcome saxpy();
Outcome tree_reduction();
Outcome shuffle_reduction();
Outcome matmul();
Outcome histogram();
Outcome mandelbrot();
Outcome nbody();
Outcome softmax();
Outcome bitonic_sort();
Outcome black_scholes();
Outcome inline_assembly();
Outcome globals();
Outcome print();

} // namespace tour
