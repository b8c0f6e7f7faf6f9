// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "target/target.h"

namespace kiln::target {

[[nodiscard]] std::unique_ptr<Backend> make_host_backend(const TargetId& target);

} // namespace kiln::target
