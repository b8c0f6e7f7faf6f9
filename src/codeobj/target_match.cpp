// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code runs on which AMD processor. A target id is PROCESSOR(:SETTING[+-])*. Code that does not name a setting
// runs either way; code that does needs a device with just that. https://llvm.org/docs/AMDGPUUsage.html#target-id
#include "codeobj/bundle.h"

#include <algorithm>

namespace kiln::codeobj {
namespace {

struct Family {
  std::string_view processor, generic;
};

// AMDGPUUsage, "Generic processors".
constexpr Family families[] = {
    // clang-format off
    {"gfx900", "gfx9-generic"}, {"gfx902", "gfx9-generic"}, {"gfx904", "gfx9-generic"}, {"gfx906", "gfx9-generic"},
    {"gfx909", "gfx9-generic"}, {"gfx90c", "gfx9-generic"},
    {"gfx940", "gfx9-4-generic"}, {"gfx941", "gfx9-4-generic"}, {"gfx942", "gfx9-4-generic"}, {"gfx950", "gfx9-4-generic"},
    {"gfx1010", "gfx10-1-generic"}, {"gfx1011", "gfx10-1-generic"}, {"gfx1012", "gfx10-1-generic"},
    {"gfx1013", "gfx10-1-generic"},
    {"gfx1030", "gfx10-3-generic"}, {"gfx1031", "gfx10-3-generic"}, {"gfx1032", "gfx10-3-generic"},
    {"gfx1033", "gfx10-3-generic"}, {"gfx1034", "gfx10-3-generic"}, {"gfx1035", "gfx10-3-generic"},
    {"gfx1036", "gfx10-3-generic"},
    {"gfx1100", "gfx11-generic"}, {"gfx1101", "gfx11-generic"}, {"gfx1102", "gfx11-generic"}, {"gfx1103", "gfx11-generic"},
    {"gfx1150", "gfx11-generic"}, {"gfx1151", "gfx11-generic"}, {"gfx1152", "gfx11-generic"}, {"gfx1153", "gfx11-generic"},
    {"gfx1200", "gfx12-generic"}, {"gfx1201", "gfx12-generic"},
    // clang-format on
};

std::string_view next_part(std::string_view& rest) {
  size_t end = rest.find(':');
  std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

bool has_setting(std::string_view target, std::string_view setting) {
  next_part(target);
  while (!target.empty())
    if (next_part(target) == setting)
      return true;
  return false;
}

bool settings_fit(std::string_view code, std::string_view device) {
  next_part(code);
  while (!code.empty())
    if (!has_setting(device, next_part(code)))
      return false;
  return true;
}

} // namespace

std::string_view generic_target(std::string_view processor) {
  for (const Family& family : families)
    if (family.processor == processor)
      return family.generic;
  return {};
}

Match match_target(std::string_view code_target, std::string_view device_target) {
  std::string_view code_rest = code_target, device_rest = device_target;
  std::string_view code = next_part(code_rest), device = next_part(device_rest);
  if (code.empty() || !settings_fit(code_target, device_target))
    return Match::none;
  if (code == device)
    return Match::exact;
  return code == generic_target(device) ? Match::generic : Match::none;
}

std::vector<const BundleEntry*> Bundle::candidates(std::string_view target, bool spirv_only) const {
  struct Ranked {
    const BundleEntry* entry;
    int rank; // lower is better
  };
  std::vector<Ranked> ranked;
  for (const BundleEntry& entry : entries_) {
    if (entry.size == 0)
      continue;
    if (entry.is_spirv()) {
      ranked.push_back({&entry, 200});
      continue;
    }
    if (spirv_only || !(entry.triple.starts_with("amdgcn-") || entry.kind == "kiln"))
      continue;
    int settings = int(std::count(entry.target.begin(), entry.target.end(), ':'));
    Match match = match_target(entry.target, target);
    if (match != Match::none)
      ranked.push_back({&entry, (match == Match::exact ? 50 : 150) - std::min(settings, 40)});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::pair(a.rank, a.entry) < std::pair(b.rank, b.entry); // equal ones in the bundle's order
  });
  std::vector<const BundleEntry*> result;
  for (const Ranked& r : ranked)
    result.push_back(r.entry);
  return result;
}

} // namespace kiln::codeobj
