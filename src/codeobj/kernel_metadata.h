// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launcher must know of a compiled kernel. One form for all targets: AMD's code object metadata, the msgpack map
// {"amdhsa.kernels": [...], "amdhsa.target": ..., "amdhsa.version": [1, 2]} that LLVM's AMDGPU back end puts in the
// note NT_AMDGPU_METADATA (32) of every code object; Kiln writes the same map for its other targets.
// https://llvm.org/docs/AMDGPUUsage.html#code-object-v5-metadata
#pragma once

#include "support/bytes.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace kiln::codeobj {

struct KernelArgument {
  std::string name;
  std::string value_kind;    // "by_value", "global_buffer", "dynamic_shared_pointer", "hidden_block_count_x", ...
  std::string address_space; // "global", "local", ... for pointers, else empty
  uint32_t offset = 0;       // bytes from the start of the kernarg segment
  uint32_t size = 0;         // bytes
  [[nodiscard]] bool hidden() const { return value_kind.starts_with("hidden_"); }
};

struct KernelMetadata {
  std::string name;                      // ".name", the entry point
  std::string symbol;                    // ".symbol": NAME.kd on AMD, the function elsewhere
  std::vector<KernelArgument> arguments; // explicit ones first, in order of their offsets
  uint32_t kernarg_size = 0;             // bytes, hidden arguments included
  uint32_t kernarg_align = 8;
  uint32_t group_size = 0;   // static LDS bytes
  uint32_t private_size = 0; // scratch bytes a work-item
  uint32_t wave_size = 0;
  uint32_t max_block_size = 1024; // ".max_flat_workgroup_size"
  uint32_t sgprs = 0, vgprs = 0, agprs = 0, sgpr_spills = 0, vgpr_spills = 0;
  bool uses_dynamic_stack = false;
};

struct ImageMetadata {
  std::string target; // "amdgcn-amd-amdhsa--gfx942", "x86_64-unknown-linux-gnu--host", "nvptx64-nvidia-cuda--sm_90"
  std::vector<KernelMetadata> kernels;
  [[nodiscard]] const KernelMetadata* find(std::string_view kernel) const;
};

[[nodiscard]] Result<ImageMetadata> parse_metadata(ByteView msgpack);
[[nodiscard]] Bytes write_metadata(const ImageMetadata& metadata);

// The msgpack in the NT_AMDGPU_METADATA note of an ELF image.
[[nodiscard]] Result<ByteView> find_metadata_note(ByteView elf);

} // namespace kiln::codeobj
