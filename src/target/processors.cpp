// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/processors.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/TargetParser/TargetParser.h>

#include <algorithm>

namespace kiln::target {
namespace {

// Membership from https://llvm.org/docs/AMDGPUUsage.html#amdgpu-generic-processor-table. A generic target belongs to
// itself.
struct Row {
  std::string_view name, generic;
};
constexpr Row generic_rows[] = {
    {"gfx900", "gfx9-generic"},     {"gfx902", "gfx9-generic"},     {"gfx904", "gfx9-generic"},
    {"gfx906", "gfx9-generic"},     {"gfx909", "gfx9-generic"},     {"gfx90c", "gfx9-generic"},
    {"gfx940", "gfx9-4-generic"},   {"gfx941", "gfx9-4-generic"},   {"gfx942", "gfx9-4-generic"},
    {"gfx950", "gfx9-4-generic"},   {"gfx1010", "gfx10-1-generic"}, {"gfx1011", "gfx10-1-generic"},
    {"gfx1012", "gfx10-1-generic"}, {"gfx1013", "gfx10-1-generic"}, {"gfx1030", "gfx10-3-generic"},
    {"gfx1031", "gfx10-3-generic"}, {"gfx1032", "gfx10-3-generic"}, {"gfx1033", "gfx10-3-generic"},
    {"gfx1034", "gfx10-3-generic"}, {"gfx1035", "gfx10-3-generic"}, {"gfx1036", "gfx10-3-generic"},
    {"gfx1100", "gfx11-generic"},   {"gfx1101", "gfx11-generic"},   {"gfx1102", "gfx11-generic"},
    {"gfx1103", "gfx11-generic"},   {"gfx1150", "gfx11-generic"},   {"gfx1151", "gfx11-generic"},
    {"gfx1152", "gfx11-generic"},   {"gfx1153", "gfx11-generic"},   {"gfx1200", "gfx12-generic"},
    {"gfx1201", "gfx12-generic"},
};

std::string_view generic_of(std::string_view name) {
  if (name.ends_with("-generic"))
    return name;
  for (const Row& row : generic_rows)
    if (row.name == name)
      return row.generic;
  return {};
}

Waves waves_of(std::string_view name, unsigned major, unsigned minor) {
  if (major < 10)
    return Waves::only_64;
  return (major == 12 && minor == 5) || major > 12 || name.starts_with("gfx12-5") ? Waves::only_32 : Waves::both;
}

std::vector<AmdProcessor> make() {
  llvm::SmallVector<llvm::StringRef, 64> names;
  llvm::AMDGPU::fillValidArchListAMDGCN(names);
  std::vector<AmdProcessor> processors;
  for (llvm::StringRef name : names) {
    auto kind = llvm::AMDGPU::parseArchAMDGCN(name);
    llvm::StringRef canonical = llvm::AMDGPU::getArchNameAMDGCN(kind);
    if (canonical != name || !name.starts_with("gfx")) // older code names ("tahiti") are aliases
      continue;
    auto version = llvm::AMDGPU::getIsaVersion(name);
    unsigned traits = llvm::AMDGPU::getArchAttrAMDGCN(kind);
    bool fast = (traits & llvm::AMDGPU::FEATURE_FAST_FMA_F32) && (traits & llvm::AMDGPU::FEATURE_FAST_DENORMAL_F32);
    processors.push_back({canonical, generic_of(canonical), waves_of(canonical, version.Major, version.Minor),
                          (traits & llvm::AMDGPU::FEATURE_SRAMECC) != 0, (traits & llvm::AMDGPU::FEATURE_XNACK) != 0,
                          version.Major * 1000 + version.Minor * 100 + version.Stepping, !fast});
  }
  return processors;
}

} // namespace

const std::vector<AmdProcessor>& amd_processors() {
  static const std::vector<AmdProcessor> processors = make();
  return processors;
}

const AmdProcessor* find_amd_processor(std::string_view name) {
  const auto& all = amd_processors();
  auto found = std::find_if(all.begin(), all.end(), [&](const AmdProcessor& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

} // namespace kiln::target
