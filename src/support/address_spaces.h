// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The five memories of a GPU program, as numbered by LLVM for one target. The portable form (spirv64-amd-amdhsa) and
// each device number them differently; the reader is told which numbering to produce.
#pragma once

namespace kiln {

struct AddressSpaces {
  unsigned private_; // SPIR-V Function and Private: one work-item's own (allocas)
  unsigned global;   // CrossWorkgroup
  unsigned constant; // UniformConstant
  unsigned local;    // Workgroup: LDS
  unsigned generic;  // Generic: any of private, global, local
  unsigned function; // CodeSectionINTEL: where functions live

  bool operator==(const AddressSpaces&) const = default;
};

inline constexpr AddressSpaces portable_address_spaces{0, 1, 2, 3, 4, 4}; // clang's spirv64-amd-amdhsa
inline constexpr AddressSpaces amdgpu_address_spaces{5, 1, 4, 3, 0, 0};
inline constexpr AddressSpaces nvptx_address_spaces{0, 1, 4, 3, 0, 0}; // NVPTX has no alloca address space
inline constexpr AddressSpaces host_address_spaces{0, 1, 4, 3, 0, 0};  // x86 treats 0..255 as one flat space

} // namespace kiln
