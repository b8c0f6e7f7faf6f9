// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `kiln devices` says about device families that this version cannot use. Asking must stay cheap and harmless: a
// driver library is looked for, but none of its functions is called.
#pragma once

#include <string>
#include <string_view>

namespace kiln::device {

// Can the dynamic linker find this library? It is closed again at once.
[[nodiscard]] bool library_exists(const char* name);

namespace hsa {
[[nodiscard]] std::string unusable_reason(std::string_view id); // "amd:0", "emu:gfx950"
}
namespace cuda {
[[nodiscard]] std::string unusable_reason();
}

} // namespace kiln::device
