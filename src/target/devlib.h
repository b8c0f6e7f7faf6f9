// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device library: AMD's ocml and ockl and Kiln's own small one (devlib/kiln), the same algorithms on every device.
// PREFIX/lib/kiln/devlib/FORM.pack holds one small bitcode module per function, so that linking costs what is reached.
#pragma once

#include "support/hash.h"
#include "support/result.h"

#include <string_view>

namespace llvm {
class Module;
}

namespace kiln::target {

// The control constants by which the device library is steered; each is an i32 or i8 constant that folds away.
struct DeviceLibraryOptions {
  std::string_view form;        // "amdgcn", "host", "nvptx": which address space numbering
  unsigned isa_version = 9000;  // __oclc_ISA_version: 9402 for gfx942; portable_isa_version elsewhere
  unsigned wave_size = 32;      // __oclc_wavefrontsize64
  unsigned abi_version = 500;   // __oclc_ABI_version: 500 (code object version 5), 600
  bool flush_denormals = false; // __oclc_daz_opt
};

// On devices that are not AMD's: recent enough that f32 uses fused multiply-add (from 9000 on ocml does) and denormals.
inline constexpr unsigned portable_isa_version = 9000;

// Links what `module` needs and does not define, makes it internal, and defines the control constants. Errors:
// not_found (the library is not installed), compile_failed.
[[nodiscard]] Result<void> link_device_library(llvm::Module& module, const DeviceLibraryOptions& options);

// Refuses functions that are called but defined nowhere, naming them and a kernel that reaches them. Intrinsics are not
// looked at.
[[nodiscard]] Result<void> check_no_undefined_functions(const llvm::Module& module);

// A hash over the library's bytes: part of the compiler's build id.
[[nodiscard]] Result<Digest> device_library_digest();

} // namespace kiln::target
