// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln run: one launch of one kernel without host code. Arguments are checked against what the compiled kernel takes
// before anything runs.
#include "codeobj/kernel_metadata.h"
#include "support/file.h"
#include "tools/kiln/api.h"
#include "tools/kiln/arguments.h"
#include "tools/kiln/command.h"
#include "tools/kiln/input.h"
#include "tools/kiln/kernel_names.h"
#include "tools/kiln/table.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kiln::tool {
namespace {

struct Options {
  std::string file, kernel, grid = "1", block = "1", device;
  std::vector<std::string> arguments;
  uint32_t shared = 0;
  bool quiet = false;
};

struct Launch {
  std::vector<RunArgument> arguments;
  Extent grid, block;
};

Result<Launch> parse(const Options& options) {
  Launch launch;
  KILN_ASSIGN(launch.grid, parse_extent("--grid", options.grid));
  KILN_ASSIGN(launch.block, parse_extent("--block", options.block));
  for (const std::string& text : options.arguments) {
    KILN_ASSIGN(RunArgument argument, parse_argument(text));
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

Result<std::vector<std::string>> names_in(const FatBinary& fat) {
  std::vector<std::string> native;
  for (const Code& code : fat.codes) {
    if (code.kind == CodeKind::spirv) {
      KILN_ASSIGN(auto words, module_words(code.bytes));
      return kernel_names(words);
    }
    if (code.kind != CodeKind::native)
      continue;
    KILN_ASSIGN(ByteView note, codeobj::find_metadata_note(code.bytes));
    KILN_ASSIGN(auto metadata, codeobj::parse_metadata(note));
    for (const codeobj::KernelMetadata& kernel : metadata.kernels)
      if (std::find(native.begin(), native.end(), kernel.name) == native.end())
        native.push_back(kernel.name);
  }
  return native;
}

struct Found {
  const FatBinary* fat;
  std::string kernel;
};

Result<Found> find_kernel(const Input& input, const std::string& wanted) {
  std::vector<std::string> all;
  for (const FatBinary& fat : input.fat_binaries) {
    KILN_ASSIGN(auto names, names_in(fat));
    KILN_ASSIGN(auto kernel, match_kernel(names, wanted));
    if (kernel)
      return Found{&fat, *kernel};
    all.insert(all.end(), names.begin(), names.end());
  }
  return no_such_kernel(wanted, all);
}

// Which device: --device is what KILN_DEVICES would be, so anything that can be selected there can be named here.
Result<kiln_device*> open_device(const std::string& id) {
  if (!id.empty())
    ::setenv("KILN_DEVICES", id.c_str(), 1);
  size_t count = 0;
  KILN_TRY(api(kiln_device_count(&count)));
  if (count == 0) {
    std::string why = id.empty() ? "there is no usable device" : "device '" + id + "' is not usable";
    const char *name = "", *reason = "";
    if (kiln_unusable_get(0, &name, &reason) == KILN_OK)
      why += ": " + std::string(name) + ": " + reason;
    return Error{ErrorCode::no_device, why + "; 'kiln devices' lists what there is"};
  }
  kiln_device* device = nullptr;
  KILN_TRY(api(kiln_device_get(0, &device)));
  return device;
}

std::string plural(size_t count, const char* word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

// Device memory for the buffers, and the bytes of all arguments as the kernel wants them.
struct Prepared {
  std::vector<DeviceMemory> memory; // by argument; empty for those by value
  Bytes bytes;
};

Result<Prepared> prepare(kiln_device* device, kiln_kernel* kernel, const Launch& launch) {
  auto info = sized<kiln_kernel_info>();
  KILN_TRY(api(kiln_kernel_get_info(kernel, &info)));
  if (info.argument_count != launch.arguments.size())
    return Error{ErrorCode::invalid_argument, "the kernel takes " + plural(info.argument_count, "argument") +
                                                  ", --arg gives " + std::to_string(launch.arguments.size())};
  Prepared prepared;
  prepared.bytes.resize(info.arguments_size);
  // First all checks, so that nothing is allocated for a launch that cannot be.
  std::vector<kiln_argument_info> wanted(info.argument_count);
  for (size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = sized<kiln_argument_info>();
    KILN_TRY(api(kiln_kernel_argument(kernel, i, &wanted[i])));
    const RunArgument& given = launch.arguments[i];
    bool pointer = std::string_view(wanted[i].value_kind) == "global_buffer";
    std::string what =
        "argument " + std::to_string(i) + (*wanted[i].name ? " (" + std::string(wanted[i].name) + ")" : "");
    std::string takes = pointer ? " takes a buffer (or its address, 8 bytes)"
                                : " takes " + plural(wanted[i].size, "byte") + " by value";
    bool buffer = given.kind == RunArgument::Kind::buffer;
    if (buffer != pointer && (buffer || given.content.size() != wanted[i].size))
      return Error{ErrorCode::invalid_argument,
                   what + takes + ", '" + given.text + "' is " +
                       (buffer ? "a buffer" : plural(given.content.size(), "byte") + " by value")};
    if (!buffer && given.content.size() != wanted[i].size)
      return Error{ErrorCode::invalid_argument,
                   what + takes + ", '" + given.text + "' has " + std::to_string(given.content.size())};
    if (uint64_t(wanted[i].offset) + wanted[i].size > prepared.bytes.size())
      return Error{ErrorCode::invalid_module, what + " lies outside of the kernel's argument buffer"};
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    const RunArgument& given = launch.arguments[i];
    const void* value = given.content.data();
    void* address = nullptr;
    if (given.kind == RunArgument::Kind::buffer) {
      KILN_TRY(api(kiln_memory_allocate(device, given.content.size(), KILN_MEMORY_DEVICE, &address)));
      prepared.memory.emplace_back(address);
      KILN_TRY(api(kiln_memory_copy(device, address, given.content.data(), given.content.size())));
      value = &address;
    } else {
      prepared.memory.emplace_back();
    }
    std::memcpy(prepared.bytes.data() + wanted[i].offset, value, wanted[i].size);
  }
  return prepared;
}

Result<double> launch_and_wait(kiln_device* device, kiln_kernel* kernel, const Launch& launch, const Prepared& prepared,
                               uint32_t shared) {
  kiln_stream* raw_stream = nullptr;
  KILN_TRY(api(kiln_stream_create(device, KILN_STREAM_DEFAULT, &raw_stream)));
  StreamHandle stream(raw_stream);
  kiln_event *raw_start = nullptr, *raw_stop = nullptr;
  KILN_TRY(api(kiln_event_create(&raw_start)));
  EventHandle start(raw_start);
  KILN_TRY(api(kiln_event_create(&raw_stop)));
  EventHandle stop(raw_stop);
  auto config = sized<kiln_launch_config>();
  config.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  config.block = {launch.block.x, launch.block.y, launch.block.z};
  config.dynamic_local_memory = shared;
  KILN_TRY(api(kiln_event_record(start.get(), stream.get())));
  KILN_TRY(api(kiln_launch(stream.get(), kernel, &config, prepared.bytes.data(), prepared.bytes.size())));
  KILN_TRY(api(kiln_event_record(stop.get(), stream.get())));
  KILN_TRY(api(kiln_stream_synchronize(stream.get())));
  double milliseconds = 0;
  KILN_TRY(api(kiln_event_elapsed(start.get(), stop.get(), &milliseconds)));
  return milliseconds;
}

Result<void> bring_back(kiln_device* device, const Launch& launch, const Prepared& prepared) {
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const RunArgument& argument = launch.arguments[i];
    if (!argument.print && !argument.save)
      continue;
    Bytes content(argument.content.size());
    KILN_TRY(api(kiln_memory_copy(device, content.data(), prepared.memory[i].get(), content.size())));
    if (argument.save)
      KILN_TRY(write_file(*argument.save, content));
    if (argument.print) {
      std::string line = "arg " + std::to_string(i) + ":";
      for (uint64_t k = 0; k < *argument.print; ++k)
        line += " " + argument.type->format(content.data() + k * argument.type->size);
      std::printf("%s\n", line.c_str());
    }
  }
  return {};
}

Result<void> launch(const Options& options, const Launch& launch) {
  KILN_ASSIGN(Input input, open_input(options.file));
  KILN_ASSIGN(Found found, find_kernel(input, options.kernel));
  KILN_ASSIGN(kiln_device * device, open_device(options.device));
  kiln_module* raw_module = nullptr;
  KILN_TRY(api(kiln_module_load(found.fat->stored.data(), found.fat->stored.size(), &raw_module)));
  ModuleHandle module(raw_module);
  kiln_kernel* kernel = nullptr;
  KILN_TRY(api(kiln_kernel_get(module.get(), device, found.kernel.c_str(), &kernel)));
  auto prepared = prepare(device, kernel, launch);
  if (!prepared)
    return std::move(prepared.error()).context("kernel '" + demangled(found.kernel) + "'");
  KILN_ASSIGN(double milliseconds, launch_and_wait(device, kernel, launch, *prepared, options.shared));
  KILN_TRY(bring_back(device, launch, *prepared));
  auto info = sized<kiln_device_info>();
  auto jit = sized<kiln_jit_record>();
  KILN_TRY(api(kiln_device_get_info(device, &info)));
  if (!options.quiet && kiln_jit_find(found.kernel.c_str(), info.id, &jit) == KILN_OK)
    std::printf("%s on %s: code %s ms (%s), load %s ms, run %s ms\n", printable(demangled(found.kernel)).c_str(),
                info.id, fixed(jit.code_ms, 2).c_str(), jit.tier, fixed(jit.load_ms, 2).c_str(),
                fixed(milliseconds, 3).c_str());
  return {};
}

int run(const Options& options) {
  auto parsed = parse(options);
  if (!parsed)
    return parsed.error().code == ErrorCode::invalid_argument ? usage("run", parsed.error().message)
                                                              : failed(parsed.error());
  auto done = launch(options, *parsed);
  return done ? int(exit_ok) : failed(done.error());
}

} // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Launch one kernel, without host code");
  command->add_option("FILE", options->file, "program, library, object, archive, bundle, .spv or code object")
      ->required();
  command->add_option("--kernel", options->kernel, "its name, mangled or as in the source")
      ->required()
      ->type_name("NAME");
  command->add_option("--grid", options->grid, "blocks: x[,y[,z]], default 1")->type_name("SIZE");
  command->add_option("--block", options->block, "work-items a block: x[,y[,z]], default 1")->type_name("SIZE");
  command->add_option("--shared", options->shared, "bytes of dynamic shared memory")->type_name("N");
  command->add_option("--device", options->device, "where, as in 'kiln devices'; default the first")->type_name("ID");
  command->add_option("--arg", options->arguments, "one argument, in the kernel's order (repeatable)")
      ->allow_extra_args(false)
      ->type_name("ARG");
  command->add_flag("--quiet,-q", options->quiet, "print only what ':out' asks for");
  command->footer("Arguments:\n"
                  "  i32:5 u64:7 f32:1.5            a number; types: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64\n"
                  "  bytes:0500000000000040         a structure passed by value, in hexadecimal\n"
                  "  buf:f32:1024[:OPTION...]       a buffer of 1024 f32 in device memory; options:\n"
                  "    fill=V | iota | random(SEED) | file=PATH   what is in it (default fill=0)\n"
                  "    out[:N]                      print the first N elements afterwards (default all)\n"
                  "    outfile=PATH                 write it to a file afterwards\n"
                  "Example: kiln run app.spv --kernel saxpy --block 64 --arg i32:64 --arg f32:2 --arg buf:f32:64:iota "
                  "--arg buf:f32:64:out:8\n" +
                  std::string(exit_codes_help));
  command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace kiln::tool
