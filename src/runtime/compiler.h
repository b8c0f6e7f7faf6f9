// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as the runtime sees it. There is one real implementation, libkiln-compiler.so behind the C interface of
// kiln/compiler.h, loaded the first time that something must be compiled; tests have their own.
#pragma once

#include "cache/tier.h"
#include "support/result.h"

#include <kiln/compiler.h>

#include <memory>
#include <span>
#include <string>

namespace kiln::runtime {

struct CompileJob {
  std::span<const uint32_t> words;
  kiln_compile_unit unit = KILN_UNIT_KERNEL;
  std::string kernel; // for KILN_UNIT_KERNEL
  std::string target;
  uint32_t wave_size = 0;
  uint32_t opt_level = 3;
};

// Thread-safe.
class Compiler {
public:
  virtual ~Compiler() = default;
  // Identifies the compiler in cache keys. Loads the compiler if it has to.
  virtual Result<std::string> build_id() = 0;
  virtual Result<cache::Entry> compile(const CompileJob& job) = 0;
};

// libkiln-compiler.so: the one that KILN_COMPILER names, else the one beside this library, else PREFIX/lib.
[[nodiscard]] std::unique_ptr<Compiler> make_compiler_loader();

} // namespace kiln::runtime
