// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/test_files.h"

#include "support/file.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

namespace kiln::codeobj {
namespace {

constexpr const char* kernels = R"(
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
struct P { float x, y, z; int n; };
extern "C" __global__ void saxpy(float* y, const float* x, float a, int n) {
  int i = __builtin_amdgcn_workitem_id_x();
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void __attribute__((amdgpu_flat_work_group_size(1, 256))) other(P p, double* o) {
  __shared__ float buf[64];
  buf[p.n] = p.x;
  __builtin_amdgcn_s_barrier();
  o[0] = buf[3];
}
int main() { return 0; }
)";
constexpr const char* opencl = "kernel void copy(global int* to, global int* from) { to[0] = from[0]; }\n";

} // namespace

Bytes make_file(const std::string& command, ByteView in) {
  static int count = 0;
  auto folder = std::filesystem::temp_directory_path() /
                ("kiln-codeobj-" + std::to_string(getpid()) + "-" + std::to_string(count++));
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(write_file(folder / "kernel.hip", as_bytes(kernels)).ok());
  EXPECT_TRUE(write_file(folder / "kernel.cl", as_bytes(opencl)).ok());
  EXPECT_TRUE(write_file(folder / "in", in).ok());
  std::string line = "cd " + folder.string() + " && " + command;
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  auto bytes = read_file(folder / "OUT");
  EXPECT_TRUE(bytes.ok()) << line;
  std::filesystem::remove_all(folder);
  return bytes ? *bytes : Bytes();
}

const Bytes& code_object(const std::string& arch) {
  static std::map<std::string, Bytes> made;
  auto [at, fresh] = made.try_emplace(arch);
  if (fresh)
    at->second = make_file(
        "clang-22 -x hip -nogpulib -nogpuinc --offload-device-only --no-gpu-bundle-output -fuse-cuid=none -O2 "
        "--offload-arch=" +
        arch + " kernel.hip -o OUT");
  return at->second;
}

const Bytes& spirv_object() {
  static const Bytes made = make_file("clang-22 -target spirv64 -cl-std=CL2.0 -O1 -c kernel.cl -o OUT");
  return made;
}

Bytes bundle_file(const std::string& options) {
  return make_file(
      "clang-22 -target spirv64 -cl-std=CL2.0 -O1 -c kernel.cl -o k.spv && "
      "for a in gfx942 gfx9-4-generic; do clang-22 -x hip -nogpulib -nogpuinc --offload-device-only "
      "--no-gpu-bundle-output -fuse-cuid=none -O2 --offload-arch=$a kernel.hip -o $a.co || exit 1; done && "
      "clang-offload-bundler-22 -type=o -bundle-align=4096 " +
      options +
      " -targets=host-x86_64-unknown-linux-gnu-,hipv4-amdgcn-amd-amdhsa--gfx942,"
      "hipv4-amdgcn-amd-amdhsa--gfx9-4-generic,hip-spirv64-amd-amdhsa--amdgcnspirv -input=/dev/null "
      "-input=gfx942.co -input=gfx9-4-generic.co -input=k.spv -output=OUT");
}

} // namespace kiln::codeobj
