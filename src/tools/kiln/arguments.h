// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel arguments written on the command line of `kiln run`:
//
//   argument = scalar | bytes | buffer
//   scalar   = type ":" number                      i32:5  u64:7  f32:1.5
//   bytes    = "bytes:" hex digits                  a structure passed by value, as it lies in memory
//   buffer   = "buf:" type ":" count (":" option)*  buf:f32:1024:iota:out:8
//   option   = "fill=" number | "iota" | "random(" seed ")" | "file=" path     the content before the launch, default
//   fill=0
//            | "out" [":" count] | "outfile=" path                             what to do with it afterwards
//   type     = i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64
//
// random: floating-point numbers from [0, 1), integers of all bits; the same seed gives the same numbers everywhere.
#pragma once

#include "support/bytes.h"
#include "support/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::tool {

struct ElementType {
  const char* name;
  uint32_t size;
  bool (*parse)(std::string_view text, std::byte* to); // false: not a number of this type
  std::string (*format)(const std::byte* from);
  void (*iota)(uint64_t index, std::byte* to);
  void (*random)(uint64_t bits, std::byte* to);
};

[[nodiscard]] const ElementType* find_element_type(std::string_view name);

struct RunArgument {
  enum class Kind { scalar, bytes, buffer } kind;
  std::string text;                  // as it was written
  Bytes content{};                   // the value, or what the buffer holds before the launch
  const ElementType* type = nullptr; // of a scalar or of the buffer's elements
  uint64_t count = 0;                // elements of the buffer
  std::optional<uint64_t> print{};   // elements to print afterwards
  std::optional<std::filesystem::path> save{};
};

// Errors: invalid_argument, or what reading file= gave.
[[nodiscard]] Result<RunArgument> parse_argument(std::string_view text);

// "64", "64,2" or "64,2,1": sizes of a grid or block; missing ones are 1.
struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};
[[nodiscard]] Result<Extent> parse_extent(std::string_view option, std::string_view text);

} // namespace kiln::tool
