// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launcher must know of host kernels, in the form of AMD's code object metadata (codeobj/kernel_metadata.h).
#pragma once

#include "target/host/host_pipeline.h"

namespace kiln::target {

[[nodiscard]] Bytes host_metadata(const LoweredModule& module, const std::string& target, unsigned wave_size);

} // namespace kiln::target
