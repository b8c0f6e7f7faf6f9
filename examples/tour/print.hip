// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in a kernel. The output is caught in a file and compared, line by line in any order, with what the host's own
// snprintf makes of the same values.
#include "tour.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

__global__ void print_kernel(int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 5 == 0)
    printf("item %3d of block %u: %+.3f %s %#llx %c\n", i, blockIdx.x, i * 0.25 - factor, i % 2 ? "odd" : "even",
           0x100000000ull * i + 255, 'a' + i % 26);
}

namespace {

// What `work` writes to standard output.
template <class F> std::string captured(F work) {
  std::fflush(stdout);
  std::FILE* file = std::tmpfile();
  const int saved = dup(STDOUT_FILENO);
  if (!file || saved < 0 || dup2(fileno(file), STDOUT_FILENO) < 0)
    throw std::runtime_error("cannot redirect the output");
  std::string problem;
  try {
    work();
  } catch (const std::exception& error) {
    problem = error.what();
    (void)hipDeviceSynchronize(); // what was launched still prints
  }
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;)
    text += (char)c;
  std::fclose(file);
  if (!problem.empty())
    throw std::runtime_error(problem);
  return text;
}

} // namespace

tour::Outcome tour::print() {
  const int blocks = 3, threads = 40, factor = 2;
  Outcome outcome;
  const std::string text =
      captured([&] { outcome.first_ms = time_ms([&] { print_kernel<<<blocks, threads>>>(factor); }); });

  std::vector<std::string> lines, expected;
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  for (int i = 0; i < blocks * threads; i += 5) {
    char line[128];
    std::snprintf(line, sizeof line, "item %3d of block %u: %+.3f %s %#llx %c", i, (unsigned)(i / threads),
                  i * 0.25 - factor, i % 2 ? "odd" : "even", 0x100000000ull * i + 255, 'a' + i % 26);
    expected.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  outcome.note = std::to_string(lines.size()) + " lines";
  for (size_t i = 0; i < std::max(lines.size(), expected.size()); ++i)
    if (i >= lines.size() || i >= expected.size() || lines[i] != expected[i])
      outcome.error += 1;
  (void)captured([&] { outcome.run_ms = time_ms([&] { print_kernel<<<blocks, threads>>>(factor); }); });
  return outcome;
}
