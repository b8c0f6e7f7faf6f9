// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes that make host kernels out of one module, in order; see the list in host_pipeline.cpp.
#pragma once

#include "passes/host_kernels.h"
#include "target/target.h"

namespace llvm {
class TargetMachine;
}

namespace kiln::target {

struct LoweredKernel {
  passes::HostKernel kernel;
  passes::HostArguments arguments;
  uint32_t static_local_size = 0;
};
struct LoweredModule {
  std::vector<LoweredKernel> kernels;
};

// From the reader's IR to entries of kernels in plain IR for the CPU, ready for LLVM's own optimiser.
[[nodiscard]] Result<LoweredModule> lower_for_host(llvm::Module& module, llvm::TargetMachine& machine,
                                                   const CodegenOptions& options, const std::string& device);

} // namespace kiln::target
