// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm.amdgcn.* on devices that are not AMD's. amdgcn_intrinsics.inc has one row an intrinsic: which worker lowers it,
// and on which devices it has a meaning. Pure arithmetic becomes plain IR
// (amdgcn_intrinsics_{float,integer,convert}.cpp); what depends on the wave (amdgcn_intrinsics_wave.cpp) is reduced to
// the few Primitives, which each device family provides.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace kiln::passes {

enum class IntrinsicTarget { host, nvptx };

struct IntrinsicOptions {
  IntrinsicTarget target = IntrinsicTarget::host;
  unsigned wave_size = 32;
  std::string device; // for messages: "host", "sm_90"
};

// Replaces every call of an AMD intrinsic, read of an AMD register and comment-only inline assembly in `module`. Dead
// functions should be gone: what has no equivalent is an error (compile_failed) that names a kernel which reaches it.
// On the host the result uses the functions of host_primitives.h; on NVPTX the nvvm intrinsics.
[[nodiscard]] Result<void> lower_amdgcn_intrinsics(llvm::Module& module, const IntrinsicOptions& options);

// The table's names with a mark for each target, for documentation and tests.
struct IntrinsicSupport {
  std::string_view name;
  bool host, nvptx;
};
[[nodiscard]] std::vector<IntrinsicSupport> amdgcn_intrinsic_table();

} // namespace kiln::passes
