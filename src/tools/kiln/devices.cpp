// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln devices: what kernels can run on here, and why the rest is not usable. Needs no compiler, so it starts at once.
#include "tools/kiln/api.h"
#include "tools/kiln/command.h"
#include "tools/kiln/table.h"

#include <vector>

namespace kiln::tool {
namespace {

struct Unusable {
  std::string id, reason;
};

Result<std::vector<kiln_device_info>> list_devices() {
  size_t count = 0;
  KILN_TRY(api(kiln_device_count(&count)));
  std::vector<kiln_device_info> devices;
  for (size_t i = 0; i < count; ++i) {
    kiln_device* device = nullptr;
    auto info = sized<kiln_device_info>();
    KILN_TRY(api(kiln_device_get(i, &device)));
    KILN_TRY(api(kiln_device_get_info(device, &info)));
    devices.push_back(info);
  }
  return devices;
}

Result<std::vector<Unusable>> list_unusable() {
  size_t count = 0;
  KILN_TRY(api(kiln_unusable_count(&count)));
  std::vector<Unusable> unusable;
  for (size_t i = 0; i < count; ++i) {
    const char *id = "", *reason = "";
    KILN_TRY(api(kiln_unusable_get(i, &id, &reason)));
    unusable.push_back({id, reason});
  }
  return unusable;
}

Json as_json(const std::vector<kiln_device_info>& devices, const std::vector<Unusable>& unusable) {
  Json document{{"devices", Json::array()}, {"unusable", Json::array()}};
  for (const kiln_device_info& device : devices)
    document["devices"].push_back({{"id", device.id},
                                   {"name", device.name},
                                   {"target", device.target},
                                   {"kind", device.kind},
                                   {"wave_size", device.wave_size},
                                   {"compute_units", device.compute_units},
                                   {"clock_khz", device.clock_khz},
                                   {"max_threads_per_block", device.max_threads_per_block},
                                   {"max_block", device.max_block},
                                   {"max_grid", device.max_grid},
                                   {"local_memory_per_block", device.local_memory_per_block},
                                   {"global_memory", device.global_memory},
                                   {"unified_memory", device.unified_memory != 0}});
  for (const Unusable& entry : unusable)
    document["unusable"].push_back({{"id", entry.id}, {"reason", entry.reason}});
  return document;
}

void print(const std::vector<kiln_device_info>& devices, const std::vector<Unusable>& unusable) {
  if (!devices.empty()) {
    Table table(
        {{"id"}, {"name"}, {"target"}, {"wave", Align::right}, {"cores", Align::right}, {"memory", Align::right}});
    for (const kiln_device_info& device : devices)
      table.add({printable(device.id), printable(device.name), printable(device.target),
                 std::to_string(device.wave_size), std::to_string(device.compute_units),
                 human_size(device.global_memory)});
    table.print(stdout);
  }
  if (!unusable.empty()) {
    std::printf("%sNot usable:\n", devices.empty() ? "" : "\n");
    Table table({{"id"}, {"why"}});
    for (const Unusable& entry : unusable)
      table.add({printable(entry.id), printable(entry.reason)});
    table.print(stdout);
  }
}

int run(bool json) {
  auto devices = list_devices();
  if (!devices)
    return failed(devices.error());
  auto unusable = list_unusable();
  if (!unusable)
    return failed(unusable.error());
  if (json)
    print_json(as_json(*devices, *unusable));
  else
    print(*devices, *unusable);
  if (!devices->empty())
    return exit_ok;
  std::string why;
  for (const Unusable& entry : *unusable)
    why += (why.empty() ? ": " : "; ") + entry.id + " (" + entry.reason + ")";
  return failed("there is no usable device" + why);
}

} // namespace

void add_devices(CLI::App& app, Chosen& chosen) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("devices", "List the devices that kernels can run on, and why others cannot be used");
  command->add_flag("--json", *json, "print one JSON document");
  command->footer(
      "KILN_DEVICES chooses and orders devices (host,amd:0), KILN_HOST_WAVE the host's wave size (32 or 64).\n"
      "Exit code 1 also if there is no usable device.\n" +
      std::string(exit_codes_help));
  command->callback([&chosen, json] { chosen = [json] { return run(*json); }; });
}

} // namespace kiln::tool
