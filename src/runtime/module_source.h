// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a module and which part of them a device gets. Bytes may be: SPIR-V, a plain or compressed offload
// bundle of SPIR-V and native code objects, or one native code object (codeobj/bundle.h). The order for a device is the
// one that HIP programs know: exactly its native object, a generic native object that includes it, SPIR-V.
#pragma once

#include "codeobj/bundle.h"
#include "device/device.h"
#include "support/bytes.h"
#include "support/result.h"

#include <memory>
#include <string>
#include <vector>

namespace kiln::runtime {

struct Choice {
  bool spirv = false;
  ByteView bytes; // in the ModuleSource
  std::string id; // of the bundle entry
};

enum class Keep { copy, reference }; // reference: the bytes outlive the module, as a program's own fat binary does

// Never changed after load(), so thread-safe.
class ModuleSource {
public:
  [[nodiscard]] static Result<ModuleSource> load(ByteView bytes, Keep keep);

  // no_binary: nothing here is for that device; the message lists what there is. `spirv_only`: native objects do not
  // count.
  [[nodiscard]] Result<Choice> choose(const device::DeviceInfo& device, bool spirv_only) const;
  // The SPIR-V module, whatever else there is; empty if there is none.
  [[nodiscard]] ByteView spirv() const;
  [[nodiscard]] std::string contents() const; // "amdgcnspirv, gfx942, gfx11-generic"

private:
  std::unique_ptr<const Bytes> owned_;
  codeobj::Bundle bundle_;
};

} // namespace kiln::runtime
