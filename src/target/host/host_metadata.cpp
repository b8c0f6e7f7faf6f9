// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/host/host_metadata.h"

#include <llvm/BinaryFormat/MsgPackDocument.h>

namespace kiln::target {

Bytes host_metadata(const LoweredModule& module, const std::string& target, unsigned wave_size) {
  llvm::msgpack::Document document;
  auto text = [&](const std::string& value) { return document.getNode(value, /*Copy=*/true); };
  auto root = document.getRoot().getMap(/*Convert=*/true);
  auto version = root["amdhsa.version"].getArray(true);
  version.push_back(document.getNode(1U));
  version.push_back(document.getNode(2U));
  root["amdhsa.target"] = text(target);
  auto kernels = root["amdhsa.kernels"].getArray(true);
  for (const LoweredKernel& lowered : module.kernels) {
    auto kernel = document.getMapNode();
    kernel[".name"] = text(lowered.kernel.name);
    kernel[".symbol"] = text(host_abi::kernel_prefix + lowered.kernel.name);
    kernel[".kernarg_segment_size"] = document.getNode(lowered.arguments.size);
    kernel[".kernarg_segment_align"] = document.getNode(lowered.arguments.alignment);
    kernel[".group_segment_fixed_size"] = document.getNode(lowered.static_local_size);
    kernel[".private_segment_fixed_size"] = document.getNode(0U);
    kernel[".wavefront_size"] = document.getNode(wave_size);
    kernel[".max_flat_workgroup_size"] = document.getNode(lowered.kernel.max_block_size);
    for (const char* count : {".sgpr_count", ".vgpr_count", ".sgpr_spill_count", ".vgpr_spill_count"})
      kernel[count] = document.getNode(0U);
    auto arguments = document.getArrayNode();
    for (const passes::HostArgument& argument : lowered.arguments.list) {
      auto entry = document.getMapNode();
      if (!argument.name.empty())
        entry[".name"] = text(argument.name);
      entry[".value_kind"] = text(argument.value_kind);
      if (!argument.address_space.empty())
        entry[".address_space"] = text(argument.address_space);
      entry[".offset"] = document.getNode(argument.offset);
      entry[".size"] = document.getNode(argument.size);
      arguments.push_back(entry);
    }
    kernel[".args"] = arguments;
    kernels.push_back(kernel);
  }
  std::string blob;
  document.writeToBlob(blob);
  auto view = as_bytes(blob);
  return {view.begin(), view.end()};
}

} // namespace kiln::target
