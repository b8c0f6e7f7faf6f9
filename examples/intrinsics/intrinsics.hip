// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the HIP headers give a kernel, checked on the device at hand: integer intrinsics, conversions, half and
// bfloat16, operations across the lanes of a wave, votes of a block, atomics. Each has a reference written for the host
// from the definition, in the plainest way. Prints what differs; exit status 0 when nothing does, 1 otherwise, 2
// without a device.
#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using u32 = unsigned;
using u64 = unsigned long long;
using i64 = long long;

#define HIP_CHECK(call)                                                                                                \
  do {                                                                                                                 \
    if (hipError_t status = (call); status != hipSuccess) {                                                            \
      std::fprintf(stderr, "intrinsics: %s: %s\n", #call, hipGetErrorString(status));                                  \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (0)

struct Input {
  u32 a, b, c, n;
  u64 x, y;
  float f;
  double d;
};

template <class T> __host__ __device__ u64 bits(T value) {
  u64 result = 0;
  __builtin_memcpy(&result, &value, sizeof value);
  return result;
}

// ------------------------------------------------------------------------------------- references, from the
// definitions

namespace reference {

int bit_count(u64 x) {
  int count = 0;
  for (int i = 0; i < 64; ++i)
    count += x >> i & 1;
  return count;
}
int leading_zeros(u64 x, int width) {
  int count = 0;
  while (count < width && !(x >> (width - 1 - count) & 1))
    ++count;
  return count;
}
int first_set(u64 x) {
  for (int i = 0; i < 64; ++i)
    if (x >> i & 1)
      return i + 1;
  return 0;
}
u64 reversed(u64 x, int width) {
  u64 result = 0;
  for (int i = 0; i < width; ++i)
    result |= (x >> i & 1) << (width - 1 - i);
  return result;
}
int nth_set(u64 mask, int base, int n, int width) {
  if (n == 0)
    return mask >> base & 1 ? base : -1;
  for (int i = base, left = std::abs(n); i >= 0 && i < width; i += n > 0 ? 1 : -1)
    if (mask >> i & 1 && --left == 0)
      return i;
  return -1;
}
u32 permuted(u32 x, u32 y, u32 selector) {
  unsigned char bytes[8], result[4];
  std::memcpy(bytes, &x, 4);
  std::memcpy(bytes + 4, &y, 4);
  for (int i = 0; i < 4; ++i)
    result[i] = bytes[selector >> 4 * i & 7];
  u32 word;
  std::memcpy(&word, result, 4);
  return word;
}
int dot(u32 a, u32 b, int c) {
  for (int i = 0; i < 4; ++i)
    c += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
  return c;
}
int low_24(u32 x) {
  int value = x & 0xffffff;
  return value >= 0x800000 ? value - 0x1000000 : value;
}
// The number of type F nearest to an exact value, or the next one below ('d'), above ('u') or towards zero ('z').
template <class F> F rounded(long double exact, char mode) {
  F nearest = (F)exact;
  if (mode == 'z')
    mode = exact < 0 ? 'u' : 'd';
  if (mode == 'd' && (long double)nearest > exact)
    return std::nextafter(nearest, -(F)INFINITY);
  if (mode == 'u' && (long double)nearest < exact)
    return std::nextafter(nearest, (F)INFINITY);
  return nearest;
}
// Rounded to `precision` binary digits, ties to even or towards zero, in a format with the given smallest normal
// exponent and largest value.
double narrowed(double x, int precision, int least, double largest, bool to_zero = false) {
  if (x == 0 || std::isnan(x) || std::isinf(x))
    return x;
  int exponent = std::max(std::ilogb(x), least);
  const double scaled = std::ldexp(x, precision - 1 - exponent);
  double result = std::ldexp(to_zero ? std::trunc(scaled) : std::nearbyint(scaled), exponent - precision + 1);
  return std::fabs(result) > largest ? std::copysign(INFINITY, x) : result;
}
double half(double x) {
  return narrowed(x, 11, -14, 65504);
}
double bfloat(double x) {
  return narrowed(x, 8, -126, 3.3895313892515355e38);
}

} // namespace reference

// ------------------------------------------------------------------------------------ one row a function: device and
// host

#define CASES(X)                                                                                                       \
  X(popc, __popc(in.a), (int)reference::bit_count(in.a))                                                               \
  X(popcll, __popcll(in.x), (int)reference::bit_count(in.x))                                                           \
  X(clz, __clz((int)in.a), reference::leading_zeros(in.a, 32))                                                         \
  X(clzll, __clzll((i64)in.x), reference::leading_zeros(in.x, 64))                                                     \
  X(ffs, __ffs((int)in.a), reference::first_set(in.a))                                                                 \
  X(ffsll, __ffsll((i64)in.x), reference::first_set(in.x))                                                             \
  X(brev, __brev(in.a), (u32)reference::reversed(in.a, 32))                                                            \
  X(brevll, __brevll(in.x), reference::reversed(in.x, 64))                                                             \
  X(fns, (int)__fns(in.a, in.n, (int)(in.b % 9) - 4), reference::nth_set(in.a, in.n, (int)(in.b % 9) - 4, 32))         \
  X(mul24, __mul24((int)in.a, (int)in.b), (int)((i64)reference::low_24(in.a) * reference::low_24(in.b)))               \
  X(umul24, __umul24(in.a, in.b), (u32)((u64)(in.a & 0xffffff) * (in.b & 0xffffff)))                                   \
  X(mulhi, __mulhi((int)in.a, (int)in.b), (int)(((__int128)(int)in.a * (int)in.b) >> 32))                              \
  X(umulhi, __umulhi(in.a, in.b), (u32)(((unsigned __int128)in.a * in.b) >> 32))                                       \
  X(mul64hi, __mul64hi((i64)in.x, (i64)in.y), (i64)(((__int128)(i64)in.x * (i64)in.y) >> 64))                          \
  X(umul64hi, __umul64hi(in.x, in.y), (u64)(((unsigned __int128)in.x * in.y) >> 64))                                   \
  X(sad, __sad((int)in.a, (int)in.b, in.c), (u32)(std::llabs((i64)(int)in.a - (int)in.b) + in.c))                      \
  X(usad, __usad(in.a, in.b, in.c), (u32)(std::llabs((i64)in.a - (i64)in.b) + in.c))                                   \
  X(hadd, __hadd((int)in.a, (int)in.b), (int)(((i64)(int)in.a + (int)in.b) >> 1))                                      \
  X(rhadd, __rhadd((int)in.a, (int)in.b), (int)(((i64)(int)in.a + (int)in.b + 1) >> 1))                                \
  X(uhadd, __uhadd(in.a, in.b), (u32)(((u64)in.a + in.b) / 2))                                                         \
  X(urhadd, __urhadd(in.a, in.b), (u32)(((u64)in.a + in.b + 1) / 2))                                                   \
  X(byte_perm, __byte_perm(in.a, in.b, in.c), reference::permuted(in.a, in.b, in.c))                                   \
  X(funnelshift_l, __funnelshift_l(in.a, in.b, in.c), (u32)(((u64)in.b << 32 | in.a) << (in.c & 31) >> 32))            \
  X(funnelshift_r, __funnelshift_r(in.a, in.b, in.c), (u32)(((u64)in.b << 32 | in.a) >> (in.c & 31)))                  \
  X(funnelshift_lc, __funnelshift_lc(in.a, in.b, in.n + 8),                                                            \
    (u32)(((u64)in.b << 32 | in.a) << (in.n + 8 < 32 ? in.n + 8 : 32) >> 32))                                          \
  X(funnelshift_rc, __funnelshift_rc(in.a, in.b, in.n + 8),                                                            \
    (u32)(((u64)in.b << 32 | in.a) >> (in.n + 8 < 32 ? in.n + 8 : 32)))                                                \
  X(bitextract_u32, __bitextract_u32(in.a, in.n / 2, 1 + in.c % 16),                                                   \
    (u32)((in.a >> in.n / 2) & ((1u << (1 + in.c % 16)) - 1)))                                                         \
  X(bitextract_u64, __bitextract_u64(in.x, in.n, 1 + in.c % 32), (in.x >> in.n) & ((1ull << (1 + in.c % 32)) - 1))     \
  X(bitinsert_u32, __bitinsert_u32(in.a, in.b, in.n / 2, 1 + in.c % 16),                                               \
    (u32)((in.a & ~(((1u << (1 + in.c % 16)) - 1) << in.n / 2)) |                                                      \
          ((in.b & ((1u << (1 + in.c % 16)) - 1)) << in.n / 2)))                                                       \
  X(dp4a, __dp4a((int)in.a, (int)in.b, (int)in.c), reference::dot(in.a, in.b, (int)in.c))                              \
  X(float2int_rn, __float2int_rn(in.f), (int)std::nearbyint(in.f))                                                     \
  X(float2int_rz, __float2int_rz(in.f), (int)in.f)                                                                     \
  X(float2int_rd, __float2int_rd(in.f), (int)std::floor(in.f))                                                         \
  X(float2int_ru, __float2int_ru(in.f), (int)std::ceil(in.f))                                                          \
  X(double2ll_rn, __double2ll_rn(in.d), (i64)std::nearbyint(in.d))                                                     \
  X(double2float_rn, __double2float_rn(in.d), reference::rounded<float>(in.d, 'n'))                                    \
  X(double2float_rz, __double2float_rz(in.d), reference::rounded<float>(in.d, 'z'))                                    \
  X(double2float_rd, __double2float_rd(in.d), reference::rounded<float>(in.d, 'd'))                                    \
  X(double2float_ru, __double2float_ru(in.d), reference::rounded<float>(in.d, 'u'))                                    \
  X(int2float_rd, __int2float_rd((int)in.a), reference::rounded<float>((int)in.a, 'd'))                                \
  X(uint2float_rz, __uint2float_rz(in.a), reference::rounded<float>(in.a, 'z'))                                        \
  X(ll2float_ru, __ll2float_ru((i64)in.x), reference::rounded<float>((i64)in.x, 'u'))                                  \
  X(ull2float_rd, __ull2float_rd(in.x), reference::rounded<float>(in.x, 'd'))                                          \
  X(ll2double_rz, __ll2double_rz((i64)in.x), reference::rounded<double>((i64)in.x, 'z'))                               \
  X(ull2double_ru, __ull2double_ru(in.x), reference::rounded<double>(in.x, 'u'))                                       \
  X(double2hiint, __double2hiint(in.d), (int)(bits(in.d) >> 32))                                                       \
  X(hiloint2double, __hiloint2double((int)in.a, (int)in.b), std::bit_cast<double>((u64)in.a << 32 | in.b))             \
  X(half_add, (float)(__float2half(in.f) + __float2half((float)in.n)),                                                 \
    (float)reference::half(reference::half(in.f) + in.n))                                                              \
  X(half_mul, (float)__hmul(__float2half(in.f), __float2half(0.3f)),                                                   \
    (float)reference::half(reference::half(in.f) * reference::half(0.3f)))                                             \
  X(half_from_float, __half2float(__float2half(in.f * 1e-4f)), (float)reference::half(in.f * 1e-4f))                   \
  X(half_rz, (float)__float2half_rz(in.f), (float)reference::narrowed(in.f, 11, -14, 65504, true))                     \
  X(half2_fma, __high2float(__hfma2(__floats2half2_rn(1, in.f), __float2half2_rn(2), __float2half2_rn(1))),            \
    (float)reference::half(reference::half(in.f) * 2 + 1))                                                             \
  X(bfloat, __bfloat162float(__float2bfloat16(in.f)), (float)reference::bfloat(in.f))                                  \
  X(bfloat_mul, (float)(__float2bfloat16(in.f) * __float2bfloat16(1.7f)),                                              \
    (float)reference::bfloat((float)(reference::bfloat(in.f) * reference::bfloat(1.7f))))

enum Case {
#define X(name, device, host) name##_case,
  CASES(X)
#undef X
      case_count
};
const char* const case_names[] = {
#define X(name, device, host) #name,
    CASES(X)
#undef X
};

__global__ void scalar_kernel(const Input* inputs, u64* results, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const Input in = inputs[i];
#define X(name, device, host) results[name##_case * count + i] = bits(device);
  CASES(X)
#undef X
}

static u64 expected_of(int which, const Input& in) {
  switch (which) {
#define X(name, device, host)                                                                                          \
  case name##_case:                                                                                                    \
    return bits(host);
    CASES(X)
#undef X
  }
  return 0;
}

// ---------------------------------------------------------------------------------------------------- waves and blocks

constexpr int block = 192; // three waves of 64, six of 32
constexpr int wave_rows = 14;

__global__ void wave_kernel(i64* out, int* wave_size) {
  namespace cg = cooperative_groups;
  int t = threadIdx.x, row = 0;
  i64 value = 1000ll * t + 7;
  auto put = [&](i64 result) { out[row++ * block + t] = result; };
  put(__shfl(value, 5));
  put(__shfl(value, t + 3, 16));
  put(__shfl_up(value, 3));
  put(__shfl_down(value, 2, 8));
  put(__shfl_xor(value, 9));
  put((i64)__ballot(t % 3 == 0));
  put(__any(t == 70));
  put(__all(t < 100));
  put((i64)__match_any(t % 5));
  put(__reduce_add_sync(~0ull, t));
  put(__syncthreads_count(t % 7 == 0));
  put(__syncthreads_and(t < 191) * 2 + __syncthreads_or(t == 13));
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  put((i64)tile.ballot(t % 2) * 100 + tile.thread_rank());
  i64 odd = -1;
  if (t % 2)
    odd = cg::coalesced_threads().thread_rank();
  put(odd);
  if (t == 0)
    *wave_size = warpSize;
}

static i64 wave_expected(int row, int t, int wave) {
  const int first = t / wave * wave, lane = t - first;
  auto value = [&](int other) { return 1000ll * other + 7; };
  auto ballot = [&](auto predicate) {
    u64 mask = 0;
    for (int l = 0; l < wave && first + l < block; ++l)
      mask |= (u64)(predicate(first + l) ? 1 : 0) << l;
    return mask;
  };
  switch (row) {
  case 0:
    return value(first + 5);
  case 1:
    return value(first + lane / 16 * 16 + (t + 3) % 16);
  case 2:
    return value(lane < 3 ? t : t - 3);
  case 3:
    return value(lane % 8 + 2 < 8 ? t + 2 : t);
  case 4:
    return value(first + (lane ^ 9));
  case 5:
    return (i64)ballot([](int o) { return o % 3 == 0; });
  case 6:
    return ballot([](int o) { return o == 70; }) != 0;
  case 7:
    return ballot([](int o) { return o >= 100; }) == 0;
  case 8:
    return (i64)ballot([&](int o) { return o % 5 == t % 5; });
  case 9: {
    int sum = 0;
    for (int l = 0; l < wave; ++l)
      sum += first + l;
    return sum;
  }
  case 10:
    return (block + 6) / 7;
  case 11:
    return 0 * 2 + 1;
  case 12:
    return 0xaaaall * 100 + t % 16;
  default:
    return t % 2 ? lane / 2 : -1;
  }
}

// --------------------------------------------------------------------------------------------------------------
// atomics

struct Counters {
  int sum, least, most;
  u32 wrapped, unwrapped, all_bits, common_bits, parity, swaps;
  u64 wide;
  float real;
  double precise;
  u32 half_pair;
};

__global__ void atomic_kernel(Counters* c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->sum, i);
  atomicMin(&c->least, -i);
  atomicMax(&c->most, i);
  atomicInc(&c->wrapped, 8);
  atomicDec(&c->unwrapped, 8);
  atomicOr(&c->all_bits, 1u << i % 32);
  atomicAnd(&c->common_bits, ~(1u << i % 16));
  atomicXor(&c->parity, (u32)i);
  atomicAdd_system(&c->wide, 0x100000001ull);
  atomicAdd(&c->real, 0.5f);
  atomicSub(&c->precise, 0.25);
  atomicAdd((__half2*)&c->half_pair, __floats2half2_rn(1, 2));
  u32 old = c->swaps, seen;
  while ((seen = atomicCAS(&c->swaps, old, old + 3)) != old)
    old = seen;
}

// ------------------------------------------------------------------------------------------------------------------
// main

template <class T> static T* device_array(size_t count) {
  T* data = nullptr;
  HIP_CHECK(hipMalloc(&data, count * sizeof(T)));
  return data;
}

static int failures = 0;
static void expect(const char* what, int at, u64 actual, u64 expected) {
  if (actual == expected)
    return;
  if (++failures <= 40)
    std::printf("%s at %d: %#llx, expected %#llx\n", what, at, actual, expected);
}

static void check_scalars() {
  const u32 edges[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x00ffffff, 0xff800000, 0x76543210};
  std::vector<Input> inputs;
  u64 state = 88172645463325252ull;
  auto next = [&] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  };
  for (int i = 0; i < 1024; ++i) {
    Input in = {(u32)next(), (u32)next(), (u32)next(), (u32)next() % 32, next(), next(), 0, 0};
    if (i < 81)
      in.a = edges[i % 9], in.b = edges[i / 9], in.x = (u64)in.a << 32 | in.b, in.y = (u64)in.b << 32 | in.a;
    in.f = (float)((double)(i64)next() / 9.3e18 * (i % 3 ? 3000 : 2));
    in.d = (double)(i64)next() / 9.3e18 * (i % 2 ? 1e6 : 3);
    inputs.push_back(in);
  }
  const int count = (int)inputs.size();
  auto* din = device_array<Input>(count);
  auto* dout = device_array<u64>((size_t)case_count * count);
  HIP_CHECK(hipMemcpy(din, inputs.data(), count * sizeof(Input), hipMemcpyHostToDevice));
  scalar_kernel<<<(count + 127) / 128, 128>>>(din, dout, count);
  HIP_CHECK(hipGetLastError());
  std::vector<u64> results((size_t)case_count * count);
  HIP_CHECK(hipMemcpy(results.data(), dout, results.size() * sizeof(u64), hipMemcpyDeviceToHost));
  for (int which = 0; which < case_count; ++which)
    for (int i = 0; i < count; ++i)
      expect(case_names[which], i, results[(size_t)which * count + i], expected_of(which, inputs[i]));
  HIP_CHECK(hipFree(din));
  HIP_CHECK(hipFree(dout));
}

static void check_waves() {
  auto* dout = device_array<i64>(wave_rows * block);
  auto* dsize = device_array<int>(1);
  wave_kernel<<<1, block>>>(dout, dsize);
  HIP_CHECK(hipGetLastError());
  std::vector<i64> results(wave_rows * block);
  int wave = 0;
  HIP_CHECK(hipMemcpy(results.data(), dout, results.size() * sizeof(i64), hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemcpy(&wave, dsize, sizeof wave, hipMemcpyDeviceToHost));
  expect("warpSize is 32 or 64", wave, wave == 32 || wave == 64, true);
  if (wave != 32 && wave != 64)
    return;
  for (int row = 0; row < wave_rows; ++row)
    for (int t = 0; t < block; ++t) {
      const std::string name = "wave row " + std::to_string(row);
      expect(name.c_str(), t, (u64)results[row * block + t], (u64)wave_expected(row, t, wave));
    }
  HIP_CHECK(hipFree(dout));
  HIP_CHECK(hipFree(dsize));
}

static void check_atomics() {
  const int n = 640;
  Counters c = {};
  c.common_bits = ~0u;
  auto* device = device_array<Counters>(1);
  HIP_CHECK(hipMemcpy(device, &c, sizeof c, hipMemcpyHostToDevice));
  atomic_kernel<<<n / 128, 128>>>(device);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(&c, device, sizeof c, hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(device));
  u32 parity = 0;
  for (int i = 0; i < n; ++i)
    parity ^= (u32)i;
  expect("atomicAdd", 0, (u64)c.sum, (u64)n * (n - 1) / 2);
  expect("atomicMin", 0, bits(c.least), bits(-(n - 1)));
  expect("atomicMax", 0, bits(c.most), bits(n - 1));
  expect("atomicInc", 0, c.wrapped, n % 9);
  expect("atomicDec", 0, c.unwrapped, (9 - n % 9) % 9);
  expect("atomicOr", 0, c.all_bits, ~0u);
  expect("atomicAnd", 0, c.common_bits, 0xffff0000u);
  expect("atomicXor", 0, c.parity, parity);
  expect("atomicAdd_system of 64 bits", 0, c.wide, 0x100000001ull * n);
  expect("atomicAdd of float", 0, bits(c.real), bits(0.5f * n));
  expect("atomicSub of double", 0, bits(c.precise), bits(-0.25 * n));
  expect("atomicAdd of half2", 0, c.half_pair, 0x65006100u); // 640 and 1280 in half precision
  expect("atomicCAS", 0, c.swaps, 3u * n);
}

int main() {
  check_scalars();
  check_waves();
  check_atomics();
  std::printf("intrinsics: %d functions on 1024 inputs, %d wave operations, 13 atomics: %d differences\n",
              (int)case_count, wave_rows, failures);
  return failures != 0;
}
