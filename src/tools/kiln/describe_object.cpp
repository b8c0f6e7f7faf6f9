// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/kernel_metadata.h"
#include "tools/kiln/describe.h"
#include "tools/kiln/kernel_names.h"

namespace kiln::tool {
namespace {

Json describe_argument(const codeobj::KernelArgument& argument) {
  Json one{
      {"name", argument.name}, {"kind", argument.value_kind}, {"size", argument.size}, {"offset", argument.offset}};
  if (!argument.address_space.empty())
    one["address_space"] = argument.address_space;
  return one;
}

} // namespace

Result<Json> describe_object(ByteView elf) {
  KILN_ASSIGN(ByteView note, codeobj::find_metadata_note(elf));
  KILN_ASSIGN(auto metadata, codeobj::parse_metadata(note));
  Json kernels = Json::array();
  for (const codeobj::KernelMetadata& kernel : metadata.kernels) {
    Json arguments = Json::array(), hidden = Json::array();
    for (const codeobj::KernelArgument& argument : kernel.arguments)
      (argument.hidden() ? hidden : arguments).push_back(describe_argument(argument));
    kernels.push_back({{"name", kernel.name},
                       {"demangled", demangled(kernel.name)},
                       {"symbol", kernel.symbol},
                       {"wave_size", kernel.wave_size},
                       {"max_block_size", kernel.max_block_size},
                       {"vgprs", kernel.vgprs},
                       {"agprs", kernel.agprs},
                       {"sgprs", kernel.sgprs},
                       {"vgpr_spills", kernel.vgpr_spills},
                       {"sgpr_spills", kernel.sgpr_spills},
                       {"lds", kernel.group_size},
                       {"scratch", kernel.private_size},
                       {"dynamic_stack", kernel.uses_dynamic_stack},
                       {"kernarg_size", kernel.kernarg_size},
                       {"arguments", std::move(arguments)},
                       {"hidden_arguments", std::move(hidden)}});
  }
  return Json{{"target", metadata.target}, {"bytes", elf.size()}, {"kernels", std::move(kernels)}};
}

} // namespace kiln::tool
