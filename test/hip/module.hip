// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module API on a bare .spv and on a bundle; argv[1..] are files with the device code of module_kernels.hip.
#include "check.h"

#include <fstream>
#include <iterator>
#include <string>

static std::string file_name;

static void use(hipModule_t module) {
  hipFunction_t scale;
  HIP(hipModuleGetFunction(&scale, module, "scale"));
  hipFunction_t missing;
  CHECK_EQ(hipModuleGetFunction(&missing, module, "no_such_kernel"), hipErrorNotFound);
  (void)hipGetLastError();

  hipDeviceptr_t factor;
  size_t bytes = 0;
  HIP(hipModuleGetGlobal(&factor, &bytes, module, "factor"));
  CHECK_EQ(bytes, sizeof(float));
  float value = 3.0f;
  HIP(hipMemcpyHtoD(factor, &value, sizeof(value)));

  int n = 300;
  check::Buffer<float> data(n, 2.0f);
  float* pointer = data;
  void* arguments[] = {&pointer, &n};
  HIP(hipModuleLaunchKernel(scale, (n + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  FINISH();
  for (float got : data.get())
    CHECK_EQ(got, 6.0f);

  struct {
    float* pointer;
    int n;
  } packed{data, n};
  size_t size = sizeof(packed);
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  HIP(hipModuleLaunchKernel(scale, (n + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  FINISH();
  for (float got : data.get())
    CHECK_EQ(got, 18.0f);
  HIP(hipModuleUnload(module));
}

TEST(module_load_and_data) {
  const char* list = std::getenv("KILN_TEST_MODULES"); // file:file
  CHECK(list != nullptr);
  std::string files = list ? list : "";
  while (!files.empty()) {
    size_t colon = files.find(':');
    std::string name = files.substr(0, colon);
    files = colon == std::string::npos ? "" : files.substr(colon + 1);
    hipModule_t module;
    hipError_t loaded = hipModuleLoad(&module, name.c_str());
    HIP(loaded);
    if (loaded == hipSuccess)
      use(module);
    std::ifstream stream(name, std::ios::binary);
    std::vector<char> content{std::istreambuf_iterator<char>(stream), {}};
    loaded = hipModuleLoadData(&module, content.data());
    HIP(loaded);
    if (loaded == hipSuccess)
      use(module);
  }
}

TEST(module_errors) {
  hipModule_t module;
  CHECK_EQ(hipModuleLoad(&module, "/no/such/file"), hipErrorFileNotFound);
  char garbage[64] = "this is not a module";
  CHECK_EQ(hipModuleLoadData(&module, garbage), hipErrorInvalidImage);
  CHECK_EQ(hipModuleLoad(nullptr, "x"), hipErrorInvalidValue);
  (void)hipGetLastError();
}
