// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and alignments of SPIR-V types in memory as LLVM's AMDGPU data layout has them:
//   e-p:64:64 (global, constant, generic), p:32:32 (Workgroup, Function), i64:64, vectors aligned to the next power of
//   two of their size, integers to the next larger of 1, 2, 4, 8 bytes, structs to their largest member unless CPacked.
#pragma once

#include "spirv/index.h"

#include <unordered_map>

namespace kiln::spirv {

struct Layout {
  uint64_t size = 0; // bytes from one element of an array to the next
  uint64_t align = 1;
};

// Remembers what it computed. Errors: the id is not a type with a size, is nested too deeply, or is larger than 2^62
// bytes.
class LayoutOf {
public:
  explicit LayoutOf(const ModuleIndex& index) : index_(index) {}
  [[nodiscard]] Result<Layout> operator()(uint32_t type) { return get(type, 0); }

private:
  Result<Layout> get(uint32_t type, unsigned depth);
  Result<Layout> compute(const Instruction& type, unsigned depth);
  Result<Layout> structure(const Instruction& type, unsigned depth);

  const ModuleIndex& index_;
  std::unordered_map<uint32_t, Layout> known_;
};

} // namespace kiln::spirv
