// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/arch.h"

#include "support/hash.h"

#include <algorithm>
#include <array>

namespace kiln::tool {
namespace {

constexpr std::array<std::string_view, 15> pytorch_arches{"gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx942",
                                                          "gfx950",  "gfx1030", "gfx1100", "gfx1101", "gfx1102",
                                                          "gfx1103", "gfx1150", "gfx1151", "gfx1200", "gfx1201"};

struct Extensions {
  std::string_view arch_prefix;
  std::string_view by_output[4]; // in the order of kiln_compile_output: image, object, assembly, LLVM IR
};

constexpr std::array<Extensions, 3> extensions{{
    {"gfx", {".co", ".o", ".s", ".ll"}},
    {"host", {".so", ".o", ".s", ".ll"}},
    {"sm_", {".ptx", ".ptx", ".ptx", ".ll"}}, // PTX is what NVIDIA's driver loads, and text
}};

constexpr size_t longest_part = 120; // most file systems end at 255 for the whole name

} // namespace

std::span<const std::string_view> all_arches() {
  return pytorch_arches;
}

Result<std::vector<std::string>> expand_arches(const std::vector<std::string>& lists) {
  std::vector<std::string> arches;
  auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(arches.begin(), arches.end(), name) == arches.end())
      arches.emplace_back(name);
  };
  for (std::string_view rest : lists) {
    while (!rest.empty()) {
      std::string_view name = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      if (name == "all")
        std::for_each(pytorch_arches.begin(), pytorch_arches.end(), add);
      else
        add(name);
    }
  }
  if (arches.empty())
    return Error{ErrorCode::invalid_argument, "--arch names no architecture; 'kiln compile --arch help' lists them"};
  return arches;
}

std::string_view file_extension(std::string_view arch, kiln_compile_output output) {
  for (const Extensions& row : extensions)
    if (arch.starts_with(row.arch_prefix))
      return row.by_output[output];
  return ".bin";
}

std::string file_part(std::string_view text) {
  std::string part;
  for (char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                 c == '+' || c == '-';
    part += plain ? c : '-';
  }
  if (part.size() > longest_part)
    part = part.substr(0, longest_part - 17) + "-" + Hasher().add(text).finish().hex().substr(0, 16);
  return part;
}

} // namespace kiln::tool
