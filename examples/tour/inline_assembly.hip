// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel for every device with AMD assembly in it. The predicates are decided when the kernel is compiled for a
// device: the 9th generation adds with v_add_u32, the later ones call it v_add_nc_u32, and any other device takes
// portable code.
#include "tour.h"

enum Path : unsigned { portable, gfx9, gfx10_and_later };

__device__ unsigned add(unsigned a, unsigned b, unsigned& path) {
  unsigned sum;
  if (__builtin_amdgcn_processor_is("gfx900") || __builtin_amdgcn_processor_is("gfx906") ||
      __builtin_amdgcn_processor_is("gfx908") || __builtin_amdgcn_processor_is("gfx90a") ||
      __builtin_amdgcn_processor_is("gfx942") || __builtin_amdgcn_processor_is("gfx950")) {
    asm("v_add_u32 %0, %1, %2" : "=v"(sum) : "v"(a), "v"(b));
    path = gfx9;
  } else if (__builtin_amdgcn_processor_is("gfx1030") || __builtin_amdgcn_processor_is("gfx1100") ||
             __builtin_amdgcn_processor_is("gfx1101") || __builtin_amdgcn_processor_is("gfx1102") ||
             __builtin_amdgcn_processor_is("gfx1103") || __builtin_amdgcn_processor_is("gfx1150") ||
             __builtin_amdgcn_processor_is("gfx1151") || __builtin_amdgcn_processor_is("gfx1200") ||
             __builtin_amdgcn_processor_is("gfx1201")) {
    asm("v_add_nc_u32 %0, %1, %2" : "=v"(sum) : "v"(a), "v"(b));
    path = gfx10_and_later;
  } else {
    sum = a + b;
    path = portable;
  }
  return sum;
}

__global__ void assembly_kernel(const unsigned* a, const unsigned* b, unsigned* sums, unsigned* paths, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = add(a[i], b[i], paths[i]);
}

tour::Outcome tour::inline_assembly() {
  const int n = 5000;
  Random random;
  std::vector<unsigned> a(n), b(n);
  for (int i = 0; i < n; ++i)
    a[i] = random.bits() * 3, b[i] = random.bits() * 5;
  Buffer<unsigned> da(a), db(b), sums(n), paths(n);
  auto launch = [&] { assembly_kernel<<<(n + 127) / 128, 128>>>(da.get(), db.get(), sums.get(), paths.get(), n); };

  Outcome outcome;
  outcome.first_ms = time_ms(launch);
  std::vector<unsigned> expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = (unsigned)(((unsigned long long)a[i] + b[i]) & 0xffffffffu);
  const auto taken = paths.download();
  outcome.error = std::fmax(max_error(sums.download(), expected),
                            max_error(taken, std::vector<unsigned>(n, taken[0]))); // all take one path
  const char* const names[] = {"portable code", "v_add_u32", "v_add_nc_u32"};
  outcome.note = taken[0] <= gfx10_and_later ? names[taken[0]] : "an unknown path";
  if (taken[0] > gfx10_and_later)
    outcome.error = INFINITY;
  outcome.run_ms = best_ms(launch);
  return outcome;
}
