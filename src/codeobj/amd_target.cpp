// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor of an AMD code object is the low byte of e_flags; sramecc and xnack are two bits each above it (code
// object version 4 and later: not supported, any, off, on). https://llvm.org/docs/AMDGPUUsage.html#header
#include "codeobj/elf.h"

#include <algorithm>

namespace kiln::codeobj {
namespace {

struct Row {
  uint8_t mach;
  std::string_view name;
};

constexpr Row processors[] = {
    // clang-format off
    {0x020, "gfx600"},
    {0x021, "gfx601"},
    {0x022, "gfx700"},
    {0x023, "gfx701"},
    {0x024, "gfx702"},
    {0x025, "gfx703"},
    {0x026, "gfx704"},
    {0x028, "gfx801"},
    {0x029, "gfx802"},
    {0x02a, "gfx803"},
    {0x02b, "gfx810"},
    {0x02c, "gfx900"},
    {0x02d, "gfx902"},
    {0x02e, "gfx904"},
    {0x02f, "gfx906"},
    {0x030, "gfx908"},
    {0x031, "gfx909"},
    {0x032, "gfx90c"},
    {0x033, "gfx1010"},
    {0x034, "gfx1011"},
    {0x035, "gfx1012"},
    {0x036, "gfx1030"},
    {0x037, "gfx1031"},
    {0x038, "gfx1032"},
    {0x039, "gfx1033"},
    {0x03a, "gfx602"},
    {0x03b, "gfx705"},
    {0x03c, "gfx805"},
    {0x03d, "gfx1035"},
    {0x03e, "gfx1034"},
    {0x03f, "gfx90a"},
    {0x040, "gfx940"},
    {0x041, "gfx1100"},
    {0x042, "gfx1013"},
    {0x043, "gfx1150"},
    {0x044, "gfx1103"},
    {0x045, "gfx1036"},
    {0x046, "gfx1101"},
    {0x047, "gfx1102"},
    {0x048, "gfx1200"},
    {0x049, "gfx1250"},
    {0x04a, "gfx1151"},
    {0x04b, "gfx941"},
    {0x04c, "gfx942"},
    {0x04e, "gfx1201"},
    {0x04f, "gfx950"},
    {0x051, "gfx9-generic"},
    {0x052, "gfx10-1-generic"},
    {0x053, "gfx10-3-generic"},
    {0x054, "gfx11-generic"},
    {0x055, "gfx1152"},
    {0x058, "gfx1153"},
    {0x059, "gfx12-generic"},
    {0x05a, "gfx1251"},
    {0x05f, "gfx9-4-generic"},
    // clang-format on
};

constexpr uint8_t abi_version_v3 = 1; // EI_ABIVERSION; version 4 of the code object is 2, and so on

std::string_view setting(uint32_t two_bits) {
  constexpr std::string_view signs[] = {"", "", "-", "+"};
  return signs[two_bits & 3];
}

} // namespace

std::optional<std::string> amd_target(const Elf& elf) {
  if (elf.machine != elf_machine_amdgpu)
    return std::nullopt;
  uint8_t mach = elf.flags & 0xff;
  auto at =
      std::find_if(std::begin(processors), std::end(processors), [&](const Row& row) { return row.mach == mach; });
  if (at == std::end(processors))
    return std::nullopt;
  std::string name(at->name);
  std::string_view sramecc, xnack;
  if (elf.abi_version <= abi_version_v3) { // one bit each: on or not
    sramecc = elf.flags & 0x200 ? "+" : "";
    xnack = elf.flags & 0x100 ? "+" : "";
  } else {
    sramecc = setting(elf.flags >> 10);
    xnack = setting(elf.flags >> 8);
  }
  if (!sramecc.empty())
    name += ":sramecc" + std::string(sramecc);
  if (!xnack.empty())
    name += ":xnack" + std::string(xnack);
  return name;
}

} // namespace kiln::codeobj
