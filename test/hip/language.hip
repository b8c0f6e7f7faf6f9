// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ on the device: structs as arguments, many arguments, private arrays, recursion, function pointers, templates, virtual
// functions, vector types, predicates.
#include "check.h"

#include <cmath>

struct Mixed {
  char c;
  double d;
  short s[3];
  float f;
  int2 v;
};

__global__ void by_value(Mixed m, char tail, double* out) {
  out[0] = m.c;
  out[1] = m.d;
  out[2] = m.s[0] + m.s[1] * 10 + m.s[2] * 100;
  out[3] = m.f;
  out[4] = m.v.x * 1000.0 + m.v.y;
  out[5] = tail;
}

TEST(struct_arguments) {
  check::Buffer<double> out(6);
  Mixed m{'x', 2.5, {1, 2, 3}, -0.75f, make_int2(4, 5)};
  by_value<<<1, 1>>>(m, 'q', out);
  FINISH();
  auto got = out.get();
  CHECK_EQ(got[0], double('x'));
  CHECK_EQ(got[1], 2.5);
  CHECK_EQ(got[2], 321.0);
  CHECK_EQ(got[3], -0.75);
  CHECK_EQ(got[4], 4005.0);
  CHECK_EQ(got[5], double('q'));
}

__global__ void many(char a, short b, int c, long long d, float e, double f, unsigned char g, bool h, float4 i, double2 j,
                     int3 k, unsigned short l, double* out) {
  out[0] = a + b + c + double(d) + e + f + g + h + i.x + i.y + i.z + i.w + j.x + j.y + k.x + k.y + k.z + l;
}

TEST(many_arguments) {
  check::Buffer<double> out(1);
  many<<<1, 1>>>(1, 2, 3, 4, 5, 6, 7, true, make_float4(8, 9, 10, 11), make_double2(12, 13), make_int3(14, 15, 16), 17, out);
  FINISH();
  CHECK_EQ(out.get()[0], 1 + 2 + 3 + 4 + 5 + 6 + 7 + 1 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15 + 16 + 17.0);
}

__global__ void private_array(const int* in, int* out) {
  int local[16], t = threadIdx.x;
  for (int i = 0; i < 16; ++i)
    local[i] = in[t * 16 + i];
  for (int i = 1; i < 16; ++i) // insertion sort: indexed by data
    for (int j = i; j > 0 && local[j - 1] > local[j]; --j) {
      int swap = local[j];
      local[j] = local[j - 1];
      local[j - 1] = swap;
    }
  __syncthreads(); // the array lives across a barrier
  for (int i = 0; i < 16; ++i)
    out[t * 16 + i] = local[i];
}

TEST(private_arrays) {
  int n = 100;
  std::vector<int> input(n * 16);
  for (int i = 0; i < n * 16; ++i)
    input[i] = i * 7919 % 1009;
  check::Buffer<int> in(input), out(n * 16);
  private_array<<<1, n>>>(in, out);
  FINISH();
  auto got = out.get();
  for (int t = 0; t < n; ++t)
    for (int i = 1; i < 16; ++i)
      CHECK(got[t * 16 + i - 1] <= got[t * 16 + i]);
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recursion(unsigned* out) { out[threadIdx.x] = ackermann(2, threadIdx.x); }

TEST(recursive_function) {
  check::Buffer<unsigned> out(16);
  recursion<<<1, 16>>>(out);
  FINISH();
  auto got = out.get();
  for (unsigned i = 0; i < 16; ++i)
    CHECK_EQ(got[i], 2 * i + 3);
}

__device__ int twice(int x) { return x * 2; }
__device__ int square(int x) { return x * x; }
typedef int (*Operation)(int);
__device__ Operation const operations[2] = {twice, square};

__global__ void pointers(int* out) { out[threadIdx.x] = operations[threadIdx.x & 1](threadIdx.x); }

TEST(function_pointers) {
  check::Buffer<int> out(32);
  pointers<<<1, 32>>>(out);
  FINISH();
  auto got = out.get();
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(got[i], i & 1 ? i * i : i * 2);
}

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};

__global__ void shapes(float* out) {
  Square s(threadIdx.x);
  Circle c(threadIdx.x);
  const Shape* chosen = threadIdx.x % 2 ? static_cast<const Shape*>(&s) : &c;
  out[threadIdx.x] = chosen->area();
}

TEST(virtual_functions) {
  check::Buffer<float> out(20);
  shapes<<<1, 20>>>(out);
  FINISH();
  auto got = out.get();
  for (int i = 0; i < 20; ++i)
    CHECK_EQ(got[i], i % 2 ? float(i * i) : 3.0f * i * i);
}

template <class T, class F> __global__ void apply(T* data, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = f(data[i], i);
}

TEST(lambdas) {
  int n = 1000, offset = 17;
  check::Buffer<long long> data(n, 5);
  apply<<<(n + 127) / 128, 128>>>(static_cast<long long*>(data), n, [=] __device__(long long x, int i) { return x * i + offset; });
  FINISH();
  auto got = data.get();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(got[i], 5ll * i + offset);
}

__global__ void vectors(float4* f, uchar4* u) {
  int t = threadIdx.x;
  float4 a = make_float4(t, t + 1, t + 2, t + 3);
  a = a * 2.0f + make_float4(1, 1, 1, 1);
  a.y -= 0.5f;
  f[t] = a;
  uchar4 b = make_uchar4(250, t, 3, 4);
  b.x += 10; // wraps
  u[t] = b;
}

TEST(vector_types) {
  CHECK_EQ(sizeof(float3), size_t(12));
  CHECK_EQ(sizeof(double4), size_t(32));
  CHECK_EQ(alignof(float4), size_t(16));
  CHECK_EQ(alignof(float2), size_t(8));
  check::Buffer<float4> f(8, float4{});
  check::Buffer<uchar4> u(8, uchar4{});
  vectors<<<1, 8>>>(f, u);
  FINISH();
  auto floats = f.get();
  auto bytes = u.get();
  for (int t = 0; t < 8; ++t) {
    CHECK_EQ(floats[t].x, 2.0f * t + 1);
    CHECK_EQ(floats[t].y, 2.0f * (t + 1) + 0.5f);
    CHECK_EQ(floats[t].w, 2.0f * (t + 3) + 1);
    CHECK_EQ(int(bytes[t].x), 4);
    CHECK_EQ(int(bytes[t].y), t);
  }
}

__global__ void predicates(int* out) {
  if (__builtin_amdgcn_processor_is("gfx950")) {
    asm volatile("v_mov_b32 %0, 1" : "=v"(out[0])); // must vanish on every other device
  } else {
    out[0] = 2;
  }
  if (!__builtin_amdgcn_is_invocable(__builtin_amdgcn_permlane16_swap))
    out[1] = 3;
}

TEST(predicates_on_this_device) {
  check::Buffer<int> out(2);
  predicates<<<1, 1>>>(out);
  FINISH();
  auto got = out.get();
  hipDeviceProp_t properties;
  HIP(hipGetDeviceProperties(&properties, 0));
  bool gfx950 = std::strstr(properties.gcnArchName, "gfx950") != nullptr;
  CHECK_EQ(got[0], gfx950 ? 1 : 2);
  if (!gfx950)
    CHECK_EQ(got[1], 3);
}

__global__ void switches(int* out) {
  int t = threadIdx.x, r = 0;
  switch (t % 6) {
  case 0: r = 10; break;
  case 1: r = 20; [[fallthrough]];
  case 2: r += 5; break;
  case 4: return;
  default: r = -t;
  }
  out[t] = r;
}

TEST(switch_statement) {
  check::Buffer<int> out(64, 777);
  switches<<<1, 64>>>(out);
  FINISH();
  auto got = out.get();
  for (int t = 0; t < 64; ++t) {
    int expected[] = {10, 25, 5, -t, 777, -t};
    CHECK_EQ(got[t], expected[t % 6]);
  }
}

struct Node {
  Node* next;
  int value;
};

__device__ __noinline__ int fold(const Node* node) {
  int sum = 0;
  for (int i = 0; node && i < 100; node = node->next, ++i)
    sum = sum * 3 + node->value;
  return sum;
}

// Memory of the stack that a loop allocates is another one in each pass.
__global__ void list_on_the_stack(int* out, int length) {
  Node* head = nullptr;
  for (int i = 0; i < length; ++i) {
    auto* node = static_cast<Node*>(__builtin_alloca(sizeof(Node)));
    node->next = head;
    node->value = i + int(threadIdx.x);
    head = node;
  }
  out[threadIdx.x] = fold(head);
}

TEST(allocation_in_a_loop) {
  check::Buffer<int> out(64);
  list_on_the_stack<<<1, 64>>>(out, 5);
  FINISH();
  auto got = out.get();
  for (int t = 0; t < 64; ++t) {
    int expected = 0;
    for (int i = 4; i >= 0; --i)
      expected = expected * 3 + i + t;
    CHECK_EQ(got[t], expected);
  }
}

// An attribute that counts parameters.
__device__ __noinline__ __attribute__((alloc_size(2))) char* part_of(char* memory, int size) {
  return memory + size - 1;
}
__global__ void counted_parameters(char* memory) { *part_of(memory, int(threadIdx.x) + 1) = char(threadIdx.x); }

TEST(attributes_that_count_parameters) {
  check::Buffer<char> memory(64);
  counted_parameters<<<1, 64>>>(memory);
  FINISH();
  auto got = memory.get();
  for (int t = 0; t < 64; ++t)
    CHECK_EQ(int(got[t]), t);
}
