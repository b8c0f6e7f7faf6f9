// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a selection ("host,emu:gfx950") to opened devices. One row a family.
#include "device/device.h"
#include "device/host/host_device.h"
#include "device/probe.h"

#include <algorithm>
#include <cstdlib>

namespace kiln::device {
namespace {

struct Family {
  std::string_view name; // what stands before the ':' in a device's id
  Result<void> (*open)(const std::string& id, Discovery& into);
  bool by_default; // opened when the selection is empty, in this order
};

Result<void> open_host(const std::string& id, Discovery& into) {
  if (id != "host")
    return Error{ErrorCode::invalid_argument, "the host is one device: write 'host' in place of '" + id + "'"};
  const char* text = std::getenv("KILN_HOST_WAVE");
  const std::string_view wave = text && *text ? text : "32";
  if (wave != "32" && wave != "64")
    return Error{ErrorCode::invalid_argument,
                 "KILN_HOST_WAVE is '" + std::string(wave) + "', but the host's waves are 32 or 64 wide"};
  into.devices.push_back(host::make_device(wave == "64" ? 64 : 32));
  return {};
}

Result<void> open_hsa(const std::string& id, Discovery& into) {
  into.unusable.push_back({id, hsa::unusable_reason(id)});
  return {};
}

Result<void> open_cuda(const std::string& id, Discovery& into) {
  into.unusable.push_back({id, cuda::unusable_reason()});
  return {};
}

constexpr Family families[] = {
    {"amd", open_hsa, true},
    {"cuda", open_cuda, true},
    {"emu", open_hsa, false},
    {"host", open_host, true},
};

} // namespace

Result<Discovery> discover(const std::string& selection) {
  Discovery found;
  if (selection.empty()) {
    for (const Family& family : families)
      if (family.by_default)
        KILN_TRY(family.open(std::string(family.name), found));
    return found;
  }
  for (std::string_view rest = selection; !rest.empty();) {
    const std::string id(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(id.size() + 1, rest.size()));
    const std::string_view name = std::string_view(id).substr(0, id.find(':'));
    const auto* family = std::ranges::find(families, name, &Family::name);
    if (family == std::end(families))
      return Error{ErrorCode::invalid_argument,
                   "KILN_DEVICES names '" + id + "', which is none of host, amd:N, emu:gfxN, cuda:N"};
    KILN_TRY(family->open(id, found));
  }
  return found;
}

} // namespace kiln::device
