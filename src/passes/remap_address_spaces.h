// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renumbers the address spaces of a whole module: every pointer type, global, alloca and overloaded intrinsic. Used on
// the device library, which exists in AMDGPU's numbering only.
#pragma once

#include "support/address_spaces.h"
#include "support/result.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
}

namespace kiln::passes {

// The result has the given triple and data layout, lives in the same context and passes the verifier. Intrinsics whose
// signature fixes an address space (llvm.amdgcn.implicitarg.ptr: constant, 4) keep it, which is sound as all numberings
// that Kiln uses agree on 1, 3 and 4. Errors: unsupported, if the result would not be valid.
[[nodiscard]] Result<std::unique_ptr<llvm::Module>>
remap_address_spaces(const llvm::Module& module, const AddressSpaces& from, const AddressSpaces& to,
                     const std::string& triple, const std::string& data_layout);

} // namespace kiln::passes
