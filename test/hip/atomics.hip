// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every atomic of the first cut, from many blocks at once, so that a lost update would show.
#include "check.h"

#include <cmath>
#include <limits>

constexpr int blocks = 64, threads = 128, total = blocks * threads;

template <class T> __global__ void integer_atomics(T* cell, T* old) {
  T i = T(blockIdx.x * blockDim.x + threadIdx.x);
  old[i] = atomicAdd(&cell[0], T(1));
  atomicSub(&cell[1], i);
  atomicMin(&cell[2], T(T(100000) - i));
  atomicMax(&cell[3], T(i * 3));
  atomicAnd(&cell[4], ~(T(1) << (i % 20)));
  atomicOr(&cell[5], T(1) << (i % 24));
  atomicXor(&cell[6], i);
  atomicExch(&cell[7], i);
  T seen = cell[8];
  for (;;) { // add by compare and swap
    T before = atomicCAS(&cell[8], seen, T(seen + 2));
    if (before == seen)
      break;
    seen = before;
  }
}

template <class T> void check_integers() {
  std::vector<T> start{0, T(5), std::numeric_limits<T>::max(), 0, ~T(0), 0, 0, 0, 0};
  check::Buffer<T> cell(start), old(total);
  integer_atomics<T><<<blocks, threads>>>(cell, old);
  FINISH();
  auto got = cell.get();
  auto olds = old.get();
  T sum = 0, xors = 0;
  std::vector<bool> met(total);
  for (int i = 0; i < total; ++i) {
    sum += T(i);
    xors ^= T(i);
    CHECK(olds[i] < T(total) && !met[size_t(olds[i])]);
    met[size_t(olds[i])] = true;
  }
  CHECK_EQ(got[0], T(total));
  CHECK_EQ(got[1], T(T(5) - sum));
  CHECK_EQ(got[2], T(100000 - (total - 1)));
  CHECK_EQ(got[3], T(3 * (total - 1)));
  CHECK_EQ(got[4], T(T(0) - T(1 << 20)));
  CHECK_EQ(got[5], T((1 << 24) - 1));
  CHECK_EQ(got[6], xors);
  CHECK(got[7] < T(total));
  CHECK_EQ(got[8], T(2 * total));
}

TEST(atomics_int) { check_integers<int>(); }
TEST(atomics_unsigned) { check_integers<unsigned>(); }
TEST(atomics_u64) { check_integers<unsigned long long>(); }

__global__ void wrapping(unsigned* cell) {
  atomicInc(&cell[0], 9);  // 0..9, then 0
  atomicDec(&cell[1], 99); // 99..0, then 99
}

TEST(atomic_inc_dec) {
  check::Buffer<unsigned> cell(2);
  wrapping<<<blocks, threads>>>(cell);
  FINISH();
  auto got = cell.get();
  CHECK_EQ(got[0], unsigned(total % 10));
  CHECK_EQ(got[1], unsigned((100 - total % 100) % 100));
}

__global__ void floating(float* f, double* d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25 * i);
  unsafeAtomicAdd(f + 1, 1.0f);
  atomicExch(f + 2, 7.5f);
}

TEST(atomics_floating) {
  check::Buffer<float> f(3);
  check::Buffer<double> d(1);
  floating<<<blocks, threads>>>(f, d);
  FINISH();
  auto floats = f.get();
  CHECK_EQ(floats[0], total * 0.5f);
  CHECK_EQ(floats[1], float(total));
  CHECK_EQ(floats[2], 7.5f);
  CHECK_EQ(d.get()[0], 0.25 * total * (total - 1) / 2);
}

__global__ void scopes(int* cell) {
  atomicAdd_system(&cell[0], 1);
  __shared__ int local;
  if (threadIdx.x == 0)
    local = 0;
  __syncthreads();
  atomicAdd_block(&local, 2);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(&cell[1], local);
  __hip_atomic_fetch_add(&cell[2], 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_store(&cell[3], 42, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

TEST(atomic_scopes) {
  check::Buffer<int> cell(4);
  scopes<<<blocks, threads>>>(cell);
  FINISH();
  auto got = cell.get();
  CHECK_EQ(got[0], total);
  CHECK_EQ(got[1], 2 * threads);
  CHECK_EQ(got[2], 3 * total);
  CHECK_EQ(got[3], 42);
}

__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

TEST(lds_histogram) {
  int n = 200000;
  std::vector<unsigned char> input(n);
  std::vector<unsigned> expected(256);
  unsigned seed = 1;
  for (auto& value : input)
    ++expected[value = (seed = seed * 1664525u + 1013904223u) >> 24];
  check::Buffer<unsigned char> data(input);
  check::Buffer<unsigned> bins(256);
  histogram<<<20, 256>>>(data, bins, n);
  FINISH();
  auto got = bins.get();
  for (int i = 0; i < 256; ++i)
    CHECK_EQ(got[i], expected[i]);
}

// Waves of a block hand over through memory, without any barrier: each must get its turn while another one waits.
__global__ void relay(int* flags, int* out) {
  const int wave = int(threadIdx.x) / warpSize;
  if (threadIdx.x % unsigned(warpSize) != 0)
    return;
  const int last = int(blockDim.x) / warpSize - 1;
  if (wave != last) // the first waits for the second, the second for the third, ...
    while (__hip_atomic_load(&flags[wave + 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
  out[wave] = wave == last ? 1 : 2 * out[wave + 1];
  __hip_atomic_store(&flags[wave], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

TEST(waves_that_wait_for_flags) {
  const int waves = 256 / check::wave_size();
  check::Buffer<int> flags(waves), out(waves);
  relay<<<1, 256>>>(flags, out);
  FINISH();
  auto got = out.get();
  for (int wave = 0; wave < waves; ++wave)
    CHECK_EQ(got[wave], 1 << (waves - 1 - wave));
}

// The same through shared memory, whose atomics are plain operations on the host.
__global__ void shared_relay(int* out) {
  __shared__ int flag, value;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    *out = value;
  } else if (threadIdx.x == blockDim.x - 1) {
    value = 77;
    __threadfence_block();
    atomicExch(&flag, 1);
  }
}

TEST(waves_that_wait_for_shared_flags) {
  check::Buffer<int> out(1);
  shared_relay<<<1, 256>>>(out);
  FINISH();
  CHECK_EQ(out.get()[0], 77);
}
