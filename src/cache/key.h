// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of a compiled kernel. Two compilations have the same key exactly if they must give the same machine code:
//
//   key     = BLAKE2b(field...)                 every field with its length in front (support/hash.h)
//   fields  = "kiln-entry-1" unit target wave opt abi compiler words
//   unit    = "kernel" NAME | "globals"         what of the module is compiled
//   target  = canonical target name             "gfx942:sramecc+:xnack-", "host"
//   wave    = wave size as u64, 0: the target's own
//   opt     = optimisation level as u64
//   abi     = code object version as u64, 0: default
//   compiler = kiln_compiler_build_id()         changes with the compiler and with the device library in it
//   words   = SPIR-V words of the slice that the unit reaches
//
// Nothing else goes in: no paths, no times, no names of files.
#pragma once

#include "support/hash.h"

#include <cstdint>
#include <span>
#include <string>

namespace kiln::cache {

struct KeyFields {
  std::string unit;   // "kernel" or "globals"
  std::string kernel; // for "kernel"
  std::string target;
  uint32_t wave_size = 0;
  uint32_t opt_level = 3;
  uint32_t code_object_version = 0;
  std::string compiler;
  std::span<const uint32_t> words;
};

using Key = Digest;

[[nodiscard]] Key make_key(const KeyFields& fields);

} // namespace kiln::cache
