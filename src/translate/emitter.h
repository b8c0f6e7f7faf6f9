// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM IR (triple spirv64-amd-amdhsa) -> AMDGCN-flavoured SPIR-V 1.6. docs/spirv-mapping.md says what becomes what.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <vector>

namespace llvm {
class Module;
}

namespace kiln::translate {

struct EmitOptions {
  uint32_t version = 0x00010600; // word 1 of the header: 1.4, 1.5 or 1.6
  bool aux_data = true;          // write NonSemantic.Kiln instructions for what core SPIR-V cannot say
};

// The module is only read. Deterministic: the same module gives the same words. Errors (unsupported) name the function
// and the instruction.
[[nodiscard]] Result<std::vector<uint32_t>> emit(const llvm::Module& module, const EmitOptions& options = {});

} // namespace kiln::translate
