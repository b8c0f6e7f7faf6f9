// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Kiln must know of each AMD processor that LLVM knows: one row each. Facts that LLVM's TargetParser has
// (features, ISA version, which settings exist) are asked there; a row adds what it lacks.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace kiln::target {

enum class Waves : unsigned char { only_64, only_32, both }; // "both" means 32 is the default

struct AmdProcessor {
  std::string_view name;
  std::string_view generic; // the generic target whose code objects it runs, "" if there is none
  Waves waves;
  bool has_sramecc, has_xnack; // target id settings that exist
  unsigned isa_version;        // __oclc_ISA_version: major * 1000 + minor * 100 + stepping
  bool slow_f32_denormals;     // f32 denormals are flushed by default, as in AMD's toolchain
};

// In LLVM's order. Those that LLVM does not list are absent even if there is a row.
[[nodiscard]] const std::vector<AmdProcessor>& amd_processors();
[[nodiscard]] const AmdProcessor* find_amd_processor(std::string_view name);

} // namespace kiln::target
