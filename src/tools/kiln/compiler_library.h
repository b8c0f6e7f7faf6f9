// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libkiln-compiler.so, loaded the first time something must be compiled: `kiln devices` and `kiln inspect` start
// without LLVM, which takes some ten milliseconds to load.
#pragma once

#include "support/result.h"

#include <kiln/compiler.h>
#include <memory>

namespace kiln::tool {

struct CompilerLibrary {
  decltype(&kiln_compile) compile = nullptr;
  decltype(&kiln_compile_result_free) free_result = nullptr;
  decltype(&kiln_compiler_targets) targets = nullptr;
  decltype(&kiln_compiler_build_id) build_id = nullptr;

  // A result that frees itself.
  using Owned = std::unique_ptr<kiln_compile_result, decltype(&kiln_compile_result_free)>;
  [[nodiscard]] Owned run(const kiln_compile_request& request) const { return {compile(&request), free_result}; }
};

// The library beside this program (PREFIX/lib); loaded once, never unloaded. Not thread-safe on the first call.
[[nodiscard]] Result<const CompilerLibrary*> compiler_library();

} // namespace kiln::tool
