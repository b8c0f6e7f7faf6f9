// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `kiln inspect` says about one piece of device code, as JSON; the tables for people are drawn from the same.
#pragma once

#include "support/bytes.h"
#include "tools/kiln/command.h"

namespace kiln::tool {

// A SPIR-V module: version, generator, capabilities, extensions, instruction sets, predicates, globals, kernels with
// arguments (kind, size, offset) and the words that each kernel reaches.
[[nodiscard]] Result<Json> describe_module(ByteView bytes);

// A code object (AMD) or shared object (host) that carries kernel metadata: target and the resources of each kernel.
[[nodiscard]] Result<Json> describe_object(ByteView elf);

} // namespace kiln::tool
