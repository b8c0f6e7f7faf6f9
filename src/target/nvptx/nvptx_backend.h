// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA GPUs: PTX text, which the driver turns into machine code. What an AMD kernel finds in its dispatch packet and
// implicit arguments comes from PTX's special registers; only printf's buffer is the launcher's business
// (nvptx_printf_buffer in prepare.h). The metadata's arguments are laid out as PTX lays out the parameters, so that a
// launcher can pass the kernarg bytes.
#pragma once

#include "target/target.h"

namespace kiln::target {

[[nodiscard]] std::unique_ptr<Backend> make_nvptx_backend(const TargetId& target);

} // namespace kiln::target
