// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V -> LLVM IR. Reads a whole module, or a slice of one (spirv/slice.h makes it: also a whole module, only
// smaller).
#pragma once

#include "support/address_spaces.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace kiln::translate {

struct ReadOptions {
  // The defaults give back what the emitter was given.
  std::string triple = "spirv64-amd-amdhsa";
  std::string data_layout; // empty: that of spirv64-amd-amdhsa
  AddressSpaces address_spaces = portable_address_spaces;
  // Decides a feature predicate ("is.gfx950", "has.gfx11-insts") for the device at hand. Unset: a predicate reads back
  // as a call of the function __kiln_predicate.NAME, which is also what the emitter takes.
  std::function<std::optional<bool>(std::string_view predicate)> decide_predicate;
};

// Words in host byte order. The result passes llvm::verifyModule. Never crashes on any words: errors (invalid_module,
// unsupported) give the word offset, the opcode's name and the id.
[[nodiscard]] Result<std::unique_ptr<llvm::Module>> read(std::span<const uint32_t> words, llvm::LLVMContext& context,
                                                         const ReadOptions& options = {});

} // namespace kiln::translate
