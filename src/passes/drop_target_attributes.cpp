// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/drop_target_attributes.h"

#include <llvm/IR/Module.h>

namespace kiln::passes {
namespace {
// Each states a fact of the machine the code was first compiled for.
constexpr const char* target_attributes[] = {
    "target-cpu",
    "target-features",
    "tune-cpu",
    "frame-pointer",
    "stack-protector-buffer-size",
    "min-legal-vector-width",
    "prefer-vector-width",
};
} // namespace

void drop_target_attributes(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (const char* name : target_attributes)
      function.removeFnAttr(name);
}

} // namespace kiln::passes
