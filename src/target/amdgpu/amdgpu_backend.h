// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD GPUs: code objects as AMD's runtime loads them (https://llvm.org/docs/AMDGPUUsage.html), made by LLVM's AMDGPU
// back end.
#pragma once

#include "target/target.h"

namespace kiln::target {

[[nodiscard]] std::unique_ptr<Backend> make_amdgpu_backend(const TargetId& target);

} // namespace kiln::target
