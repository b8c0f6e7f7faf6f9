// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/layout.h"

#include <algorithm>
#include <bit>

namespace kiln::spirv {
namespace {
constexpr unsigned max_depth = 256;
constexpr uint64_t max_size = uint64_t(1) << 62;

uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

bool decorated(const ModuleIndex& index, uint32_t id, spv::Decoration decoration) {
  bool found = false;
  index.for_each_attached(id, [&](const Instruction& i) {
    if (i.opcode == spv::Op::OpGroupDecorate) { // the group carries the decoration
      index.for_each_attached(i.word(1), [&](const Instruction& g) {
        found |= g.opcode == spv::Op::OpDecorate && spv::Decoration(g.word(2)) == decoration;
      });
    }
    found |= i.opcode == spv::Op::OpDecorate && spv::Decoration(i.word(2)) == decoration;
  });
  return found;
}
} // namespace

Result<Layout> LayoutOf::get(uint32_t type, unsigned depth) {
  if (auto at = known_.find(type); at != known_.end())
    return at->second;
  auto instruction = index_.find(type);
  if (!instruction)
    return Error{ErrorCode::invalid_module, "SPIR-V: the type %" + std::to_string(type) + " is not defined"};
  if (depth > max_depth)
    return invalid(*instruction, "the type is nested more than 256 deep");
  KILN_ASSIGN(Layout layout, compute(*instruction, depth));
  if (layout.size > max_size)
    return invalid(*instruction, "the type is larger than 2^62 bytes");
  known_.emplace(type, layout);
  return layout;
}

static Layout pointer_layout(const Instruction& type) {
  auto storage = spv::StorageClass(type.word(2));
  bool narrow = storage == spv::StorageClass::Workgroup || storage == spv::StorageClass::Function ||
                storage == spv::StorageClass::Private;
  return narrow ? Layout{4, 4} : Layout{8, 8};
}

Result<Layout> LayoutOf::compute(const Instruction& type, unsigned depth) {
  if (type.opcode == op::TypeUntypedPointerKHR) // not in the header's enumeration, so not a case below
    return pointer_layout(type);
  switch (type.opcode) {
  case spv::Op::OpTypeBool:
    return Layout{1, 1};
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat: {
    uint64_t bytes = (uint64_t(type.word(2)) + 7) / 8;
    if (bytes == 0)
      return invalid(type, "the width is 0");
    uint64_t align = std::min<uint64_t>(std::bit_ceil(bytes), 8);
    return Layout{align_up(bytes, align), align};
  }
  case spv::Op::OpTypePointer:
    return pointer_layout(type);
  case spv::Op::OpTypeVector: {
    auto element = index_.find(type.word(2));
    uint64_t bits = 8;
    if (element && (element->opcode == spv::Op::OpTypeInt || element->opcode == spv::Op::OpTypeFloat))
      bits = element->word(2);
    else if (element && element->opcode == spv::Op::OpTypeBool)
      bits = 1;
    else {
      KILN_ASSIGN(Layout layout, get(type.word(2), depth + 1));
      bits = std::min(layout.size, max_size / 8) * 8;
    }
    if (bits == 0 || type.word(3) == 0 || bits > max_size / type.word(3))
      return invalid(type, "the vector has no size or is too large");
    uint64_t bytes = (bits * type.word(3) + 7) / 8, align = std::bit_ceil(bytes);
    return Layout{align, align};
  }
  case spv::Op::OpTypeArray: {
    KILN_ASSIGN(Layout element, get(type.word(2), depth + 1));
    auto length = index_.constant_integer(type.word(3));
    if (!length)
      return invalid(type, "the length is not an integer constant");
    if (*length == 0xffffffff) // [0 x T], which SPIR-V cannot say
      length = 0;
    if (*length != 0 && element.size > max_size / *length)
      return invalid(type, "the array is larger than 2^62 bytes");
    return Layout{element.size * *length, element.align};
  }
  case spv::Op::OpTypeStruct:
    return structure(type, depth);
  default:
    return invalid(type, "not a type with a size");
  }
}

Result<Layout> LayoutOf::structure(const Instruction& type, unsigned depth) {
  Layout layout;
  bool packed = decorated(index_, type.word(1), spv::Decoration::CPacked);
  Result<void> result;
  auto member = [&](uint32_t id) -> Result<void> {
    KILN_ASSIGN(Layout part, get(id, depth + 1));
    if (packed)
      part.align = 1;
    layout.align = std::max(layout.align, part.align);
    if (layout.size > max_size)
      return invalid(type, "the struct is larger than 2^62 bytes");
    layout.size = align_up(layout.size, part.align) + part.size;
    return {};
  };
  for (size_t at = 2; at < type.size() && result.ok(); ++at)
    result = member(type.words[at]);
  index_.for_each_attached(type.word(1), [&](const Instruction& more) {
    if (more.opcode == spv::Op::OpTypeStructContinuedINTEL)
      for (size_t at = 1; at < more.size() && result.ok(); ++at)
        result = member(more.words[at]);
  });
  KILN_TRY(std::move(result));
  layout.size = align_up(layout.size, layout.align);
  return layout;
}

} // namespace kiln::spirv
