// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the subjects of the tour and prints a table. Exit status: 0 all right, 1 a subject failed, 2 wrong arguments or
// no device.
#include "tour.h"

#include <cstdio>
#include <cstring>

namespace {

constexpr tour::Subject subjects[] = {
    {"saxpy", "y = a x + y", tour::saxpy},
    {"tree-reduction", "sum of a block in LDS", tour::tree_reduction},
    {"shuffle-reduction", "sum of a wave by shuffles, any wave size", tour::shuffle_reduction},
    {"matmul", "16x16 tiles in LDS", tour::matmul},
    {"histogram", "LDS and global atomics", tour::histogram},
    {"mandelbrot", "divergent loops, exact", tour::mandelbrot},
    {"n-body", "tiles of float4 in LDS, rsqrt", tour::nbody},
    {"softmax", "a block a row, exp", tour::softmax},
    {"bitonic-sort", "compare and exchange in LDS and in memory", tour::bitonic_sort},
    {"black-scholes", "exp, log, sqrt, erfc", tour::black_scholes},
    {"inline-assembly", "AMD assembly behind a predicate, portable else", tour::inline_assembly},
    {"globals", "__device__ and __constant__ variables", tour::globals},
    {"printf", "formatted output of work-items", tour::print},
};

int usage(FILE* out) {
  std::fputs("usage: tour [--list] [--only NAME]...\n"
             "exit status: 0 all right, 1 a subject failed, 2 wrong arguments or no device\n",
             out);
  return out == stdout ? 0 : 2;
}

bool run(const tour::Subject& subject, const std::string& device) {
  tour::Outcome outcome;
  std::string problem;
  (void)hipGetLastError(); // an earlier failure is not this subject's
  try {
    outcome = subject.run();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  const bool ok = problem.empty() && outcome.ok();
  std::printf("%-18s %-26s %-6s %10.2e %10.2f %10.3f  %s\n", subject.name, device.c_str(), ok ? "ok" : "FAILED",
              outcome.error, outcome.first_ms, outcome.run_ms,
              problem.empty() ? outcome.note.c_str() : problem.c_str());
  std::fflush(stdout);
  return ok;
}

} // namespace

int main(int argc, char** argv) {
  std::vector<const tour::Subject*> chosen;
  for (int i = 1; i < argc;) {
    if (!std::strcmp(argv[i], "--help"))
      return usage(stdout);
    if (!std::strcmp(argv[i], "--list")) {
      for (const tour::Subject& subject : subjects)
        std::printf("%-18s %s\n", subject.name, subject.about);
      return 0;
    }
    if (std::strcmp(argv[i], "--only") || i + 1 == argc)
      return usage(stderr);
    const char* wanted = argv[i + 1];
    const tour::Subject* found = nullptr;
    for (const tour::Subject& subject : subjects)
      if (!std::strcmp(subject.name, argv[i + 1]))
        found = &subject;
    if (!found) {
      std::fprintf(stderr, "tour: there is no '%s'; tour --list names all\n", wanted);
      return 2;
    }
    chosen.push_back(found);
    i += 2;
  }
  if (chosen.empty())
    for (const tour::Subject& subject : subjects)
      chosen.push_back(&subject);

  int device = 0;
  hipDeviceProp_t properties;
  if (hipError_t status = hipGetDevice(&device); status != hipSuccess) {
    std::fprintf(stderr, "tour: no device: %s\n", hipGetErrorString(status));
    return 2;
  }
  if (hipError_t status = hipGetDeviceProperties(&properties, device); status != hipSuccess) {
    std::fprintf(stderr, "tour: device %d: %s\n", device, hipGetErrorString(status));
    return 2;
  }
  const std::string name = std::string(properties.name).substr(0, 26);

  std::printf("%-18s %-26s %-6s %10s %10s %10s\n", "kernel", "device", "result", "max error", "first ms", "run ms");
  int failed = 0;
  for (const tour::Subject* subject : chosen)
    failed += !run(*subject, name);
  if (failed)
    std::printf("%d of %zu failed\n", failed, chosen.size());
  return failed != 0;
}
