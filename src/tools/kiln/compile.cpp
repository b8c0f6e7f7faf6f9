// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln compile: the offline finaliser. Every (module, kernel, architecture) is one job; jobs run side by side, a
// failure is one sentence and does not stop the others. A file appears only when it is complete.
#include "support/file.h"
#include "tools/kiln/arch.h"
#include "tools/kiln/command.h"
#include "tools/kiln/compiler_library.h"
#include "tools/kiln/input.h"
#include "tools/kiln/kernel_names.h"
#include "tools/kiln/table.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

namespace kiln::tool {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string input, output;
  std::vector<std::string> arches, kernels;
  bool assembly = false, llvm_ir = false, object = false;
  uint32_t wave = 0, level = 3, code_object_version = 5;
  unsigned jobs = 0;

  [[nodiscard]] kiln_compile_output kind() const {
    return assembly  ? KILN_OUTPUT_ASSEMBLY
           : llvm_ir ? KILN_OUTPUT_LLVM_IR
           : object  ? KILN_OUTPUT_OBJECT
                     : KILN_OUTPUT_IMAGE;
  }
};

struct Module {
  std::vector<uint32_t> words;
  std::vector<std::string> kernels;
  std::string label; // part of the file names if there are several modules: "1", "2", ...
};

struct Job {
  const Module* module;
  std::string kernel; // empty: the whole module
  std::string arch;
  fs::path path;
  // Filled in by the run:
  std::string error{};
  uint64_t bytes = 0;
  double milliseconds = 0;
};

int list_arches(const CompilerLibrary& compiler) {
  std::printf("Architectures for --arch; AMD's take target id settings (gfx942:sramecc+:xnack-), host takes a level "
              "(host:x86-64-v3).\nall = ");
  for (std::string_view arch : all_arches())
    std::printf("%s%.*s", arch == all_arches().front() ? "" : ",", static_cast<int>(arch.size()), arch.data());
  std::printf("\n\n");
  for (const char* const* name = compiler.targets(); *name; ++name)
    std::printf("%s\n", *name);
  return exit_ok;
}

void run_job(const CompilerLibrary& compiler, const Options& options, Job& job) {
  auto start = std::chrono::steady_clock::now();
  kiln_compile_request request{};
  request.struct_size = sizeof(request);
  request.words = job.module->words.data();
  request.word_count = job.module->words.size();
  request.kernel = job.kernel.empty() ? nullptr : job.kernel.c_str();
  request.target = job.arch.c_str();
  // Whole modules even for one kernel's file would carry all kernels; a kernel's own file refers to globals by name.
  request.unit = job.kernel.empty() ? KILN_UNIT_MODULE : KILN_UNIT_KERNEL;
  request.output = options.kind();
  request.wave_size = options.wave;
  request.opt_level = options.level;
  request.code_object_version = options.code_object_version;
  auto result = compiler.run(request);
  job.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (result->status != KILN_COMPILE_OK) {
    job.error = result->message;
    return;
  }
  job.bytes = result->image_size;
  auto written = write_file(job.path, std::as_bytes(std::span(result->image, result->image_size)));
  if (!written)
    job.error = written.error().message;
}

void run_jobs(const CompilerLibrary& compiler, const Options& options, std::vector<Job>& jobs) {
  size_t threads = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, jobs.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++)
      run_job(compiler, options, jobs[i]);
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < threads; ++i)
    others.emplace_back(work);
  work();
}

Result<std::vector<Module>> read_modules(const Input& input) {
  std::vector<Module> modules;
  auto codes = input.modules();
  if (codes.empty())
    return Error{ErrorCode::not_found, "there is no SPIR-V module in '" + input.path.string() +
                                           "'; build it with kilncc or --offload-arch=amdgcnspirv"};
  for (const Code* code : codes) {
    KILN_ASSIGN(auto words, module_words(code->bytes));
    KILN_ASSIGN(auto kernels, kernel_names(words));
    std::string label = codes.size() > 1 ? std::to_string(modules.size() + 1) : "";
    modules.push_back({std::move(words), std::move(kernels), std::move(label)});
  }
  return modules;
}

Result<std::vector<Job>> plan(const Options& options, const std::vector<Module>& modules,
                              const std::vector<std::string>& arches) {
  struct Part {
    const Module* module;
    std::string kernel;
  };
  std::vector<Part> parts;
  if (options.kernels.empty())
    for (const Module& module : modules)
      parts.push_back({&module, ""});
  std::set<std::pair<const Module*, std::string>> seen;
  for (const std::string& wanted : options.kernels) {
    bool found = false;
    std::vector<std::string> all;
    for (const Module& module : modules) {
      KILN_ASSIGN(auto kernel, match_kernel(module.kernels, wanted));
      if (kernel && seen.emplace(&module, *kernel).second)
        parts.push_back({&module, *kernel});
      found |= kernel.has_value();
      all.insert(all.end(), module.kernels.begin(), module.kernels.end());
    }
    if (!found)
      return no_such_kernel(wanted, all);
  }

  fs::path out = options.output;
  size_t count = parts.size() * arches.size();
  std::error_code failure;
  bool is_folder = fs::is_directory(out, failure) || options.output.ends_with('/');
  if (!is_folder && count > 1) {
    if (fs::exists(out, failure))
      return Error{ErrorCode::invalid_argument, "'" + options.output + "' is not a folder, but there are " +
                                                    std::to_string(count) + " files to write"};
    is_folder = true;
  }
  if (is_folder && !fs::create_directories(out, failure) && failure)
    return Error{ErrorCode::io, "cannot create the folder '" + options.output + "': " + failure.message()};

  std::string stem = fs::path(options.input).filename().stem().string();
  std::vector<Job> jobs;
  for (const Part& part : parts) {
    for (const std::string& arch : arches) {
      std::string name = stem;
      for (const std::string& piece : {part.module->label, file_part(part.kernel), file_part(arch)})
        name += piece.empty() ? "" : "." + piece;
      name += file_extension(arch, options.kind());
      jobs.push_back(
          {.module = part.module, .kernel = part.kernel, .arch = arch, .path = is_folder ? out / name : out});
    }
  }
  return jobs;
}

int report(const std::vector<Job>& jobs, bool kernels, bool quiet) {
  Table table(kernels
                  ? std::vector<Column>{{"kernel"}, {"arch"}, {"bytes", Align::right}, {"ms", Align::right}, {"file"}}
                  : std::vector<Column>{{"arch"}, {"bytes", Align::right}, {"ms", Align::right}, {"file"}});
  int code = exit_ok;
  for (const Job& job : jobs) {
    if (!job.error.empty())
      continue;
    std::vector<std::string> cells{job.arch, std::to_string(job.bytes), fixed(job.milliseconds, 1),
                                   printable(job.path.string())};
    if (kernels)
      cells.insert(cells.begin(), printable(job.kernel));
    table.add(std::move(cells));
  }
  if (!quiet && !table.empty())
    table.print(stdout);
  for (const Job& job : jobs)
    if (!job.error.empty())
      code = failed(job.error.find(job.arch) == std::string::npos ? job.arch + ": " + job.error : job.error);
  return code;
}

int run(Options options) {
  auto compiler = compiler_library();
  if (!compiler)
    return failed(compiler.error());
  if (std::find(options.arches.begin(), options.arches.end(), "help") != options.arches.end())
    return list_arches(**compiler);
  if (options.input.empty())
    return usage("compile", "INPUT is required");
  if (options.output.empty())
    return usage("compile", "-o OUT is required");
  if (options.assembly + options.llvm_ir + options.object > 1)
    return usage("compile", "-S, --emit-llvm and -c exclude each other");
  auto arches = expand_arches(options.arches);
  if (!arches)
    return usage("compile", arches.error().message);
  bool to_stdout = options.output == "-";
  if (to_stdout)
    options.output = "/dev/stdout";

  auto input = open_input(options.input);
  if (!input)
    return failed(input.error());
  auto modules = read_modules(*input);
  if (!modules)
    return failed(std::move(modules.error()).context(options.input));
  auto jobs = plan(options, *modules, *arches);
  if (!jobs)
    return failed(jobs.error());
  run_jobs(**compiler, options, *jobs);
  return report(*jobs, !options.kernels.empty(), to_stdout);
}

} // namespace

void add_compile(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compile", "Turn the portable module into machine code, ahead of time");
  command->add_option("INPUT", options->input, "program, library, object, archive, bundle or .spv");
  command
      ->add_option("--arch", options->arches, "architectures, comma-separated: gfx942,host,sm_90; all; help lists them")
      ->required()
      ->allow_extra_args(false)
      ->type_name("LIST");
  command->add_option("--kernel", options->kernels, "one file for this kernel instead of the module's (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command->add_flag("-S", options->assembly, "write assembly (PTX on NVIDIA)");
  command->add_flag("--emit-llvm", options->llvm_ir, "write LLVM IR, after the target's optimiser");
  command->add_flag("-c", options->object, "write a relocatable object");
  command->add_option("--wave", options->wave, "wave size where the target has both")->check(CLI::IsMember({32, 64}));
  command->add_option("-O", options->level, "optimisation level, default 3")->check(CLI::Range(0, 3));
  command->add_option("--code-object-version", options->code_object_version, "AMD code object version, default 5")
      ->check(CLI::IsMember({5, 6}));
  command->add_option("-j", options->jobs, "compilations at a time, default one per CPU")->check(CLI::Range(1, 1024));
  command->add_option("-o", options->output, "folder, or file if there is one output ('-': standard output)")
      ->type_name("OUT");
  command->footer("Files are called INPUT[.MODULE][.KERNEL].ARCH.EXT with EXT co (AMD), so (host), ptx, o, s or ll.\n"
                  "What cannot be compiled is reported, the other files are written.\n" +
                  std::string(exit_codes_help));
  command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace kiln::tool
