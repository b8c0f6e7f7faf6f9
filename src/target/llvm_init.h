// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers LLVM's targets, each once and only when first asked for.
#pragma once

#include "support/result.h"
#include "target/target.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace kiln::target {

struct MachineOptions {
  Family family;
  std::string triple, processor, features;
  unsigned opt_level = 3;
};

void register_llvm_target(Family family);

// A TargetMachine set up as clang does for device code: position independent, fused operations only where the IR allows
// them.
[[nodiscard]] Result<std::unique_ptr<llvm::TargetMachine>> create_machine(const MachineOptions& options);

} // namespace kiln::target
