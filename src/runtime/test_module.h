// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules for tests of runtime/ and hip/: a few empty kernels and one global variable as SPIR-V words, and bundles of
// them.
#pragma once

#include "codeobj/bundle.h"
#include "spirv/writer.h"

#include <string>
#include <vector>

namespace kiln::runtime::testing {

inline Bytes spirv_with(const std::vector<std::string>& kernels, bool with_variable = true) {
  spirv::Section module;
  const uint32_t first_function = 20;
  module.data = {0x07230203, 0x00010600, 0x0000ffff, first_function + 2 * uint32_t(kernels.size()), 0};
  for (uint32_t capability : {4u, 5u, 6u}) // Addresses, Linkage, Kernel
    module.add(spv::Op(17), {capability});
  module.add(spv::Op(14), {2, 2}); // OpMemoryModel Physical64 OpenCL
  for (uint32_t i = 0; i < kernels.size(); ++i)
    module.begin(spv::Op(15)).word(6).word(first_function + 2 * i).string(kernels[i]).end(); // OpEntryPoint Kernel
  if (with_variable)
    module.begin(spv::Op(5)).word(6).string("counter").end(); // OpName
  module.add(spv::Op(19), {1});                               // %1 = OpTypeVoid
  module.add(spv::Op(33), {2, 1});                            // %2 = OpTypeFunction %1
  module.add(spv::Op(21), {3, 32, 0});                        // %3 = OpTypeInt 32 0
  module.add(spv::Op(32), {4, 5, 3});                         // %4 = OpTypePointer CrossWorkgroup %3
  module.add(spv::Op(43), {3, 5, 0});                         // %5 = OpConstant %3 0
  if (with_variable)
    module.add(spv::Op(59), {4, 6, 5, 5}); // %6 = OpVariable %4 CrossWorkgroup %5
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    module.add(spv::Op(54), {1, first_function + 2 * i, 0, 2}); // OpFunction
    module.add(spv::Op(248), {first_function + 2 * i + 1});     // OpLabel
    module.add(spv::Op(253), {});                               // OpReturn
    module.add(spv::Op(56), {});                                // OpFunctionEnd
  }
  const auto bytes = std::as_bytes(std::span(module.data));
  return Bytes(bytes.begin(), bytes.end());
}

inline Bytes portable_bundle(const std::vector<std::string>& kernels) {
  const Bytes spirv = spirv_with(kernels);
  return codeobj::write_bundle({{"host-x86_64-unknown-linux-gnu-", {}}, {"hip-spirv64-amd-amdhsa--amdgcnspirv", spirv}},
                               16);
}

} // namespace kiln::runtime::testing
