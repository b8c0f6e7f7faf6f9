// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module_source.h"

namespace kiln::runtime {

Result<ModuleSource> ModuleSource::load(ByteView bytes, Keep keep) {
  ModuleSource source;
  if (keep == Keep::copy) {
    source.owned_ = std::make_unique<const Bytes>(bytes.begin(), bytes.end());
    bytes = *source.owned_;
  }
  KILN_ASSIGN(source.bundle_, codeobj::Bundle::open(bytes));
  return source;
}

Result<Choice> ModuleSource::choose(const device::DeviceInfo& device, bool spirv_only) const {
  const auto candidates = bundle_.candidates(device.target, spirv_only);
  if (candidates.empty())
    return Error{ErrorCode::no_binary, "the module has nothing for " + device.id + " (" + device.target + "); it has " +
                                           contents() + (spirv_only ? ", and HIP_FORCE_SPIRV_CODEOBJECT is set" : "") +
                                           "; build it with --offload-arch=amdgcnspirv to run it everywhere"};
  const codeobj::BundleEntry& best = *candidates.front();
  return Choice{best.is_spirv(), bundle_.bytes(best), best.id.empty() ? best.target : best.id};
}

ByteView ModuleSource::spirv() const {
  for (const codeobj::BundleEntry& entry : bundle_.entries())
    if (entry.is_spirv())
      return bundle_.bytes(entry);
  return {};
}

std::string ModuleSource::contents() const {
  std::string list;
  for (const codeobj::BundleEntry& entry : bundle_.entries()) {
    if (entry.size == 0) // clang's place holder for the host
      continue;
    list += (list.empty() ? "" : ", ") + (entry.target.empty() ? entry.id : entry.target);
  }
  return list.empty() ? "no device code" : list;
}

} // namespace kiln::runtime
