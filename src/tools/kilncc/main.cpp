// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kilncc: compile HIP programs once, with stock clang. See command_line.h and kilncc --help.
#include "tools/kilncc/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace kiln::kilncc;
namespace fs = std::filesystem;

enum ExitStatus { kSuccess = 0, kUsage = 2, kNoClang = 3, kIncomplete = 3 };

// The installation this program is in: the folder above bin/.
fs::path own_prefix() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path("/usr/local") : self.parent_path().parent_path();
}

std::string find_clang() {
  if (const char* chosen = std::getenv("KILN_CLANG"); chosen && *chosen)
    return chosen;
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / "clang-22";
    if (access(candidate.c_str(), X_OK) == 0)
      return candidate.string();
    begin = end + 1;
  }
  const char* debian = "/usr/lib/llvm-22/bin/clang";
  return access(debian, X_OK) == 0 ? debian : "";
}

// Without these clang compiles HIP without its headers, and complains about the program instead.
std::string missing_file(const RunClang& command, const fs::path& prefix) {
  if (std::find(command.arguments.begin(), command.arguments.end(), "--rocm-path=" + prefix.string()) ==
      command.arguments.end())
    return "";
  for (const char* name : {"share/hip/version", "include/hip/hip_runtime.h", "lib/kiln/llvm-spirv"})
    if (std::error_code error; !fs::exists(prefix / name, error))
      return (prefix / name).string();
  return "";
}

int run(const RunClang& command) {
  if (const std::string missing = missing_file(command, own_prefix()); !missing.empty()) {
    std::fprintf(stderr, "kilncc: error: %s is missing: this installation of Kiln is not complete\n", missing.c_str());
    return kIncomplete;
  }
  const std::string clang = find_clang();
  if (clang.empty()) {
    std::fprintf(stderr, "kilncc: error: clang-22 is not on PATH: install clang-22, or set KILN_CLANG to it\n");
    return kNoClang;
  }
  std::string shown;
  for (const auto& [name, value] : command.environment) {
    setenv(name.c_str(), value.c_str(), 1);
    shown += name + "=" + shell_word(value) + " ";
  }
  shown += shell_word(clang);
  std::vector<char*> argv = {const_cast<char*>(clang.c_str())};
  for (const std::string& argument : command.arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
    shown += " " + shell_word(argument);
  }
  argv.push_back(nullptr);
  if (command.show_only)
    std::fprintf(stderr, "%s\n", shown.c_str());
  execv(clang.c_str(), argv.data());
  std::fprintf(stderr, "kilncc: error: cannot run %s: %s; set KILN_CLANG to clang-22\n", clang.c_str(),
               std::strerror(errno));
  return kNoClang;
}

} // namespace

int main(int argc, char** argv) {
  const Action action = plan(expand_response_files({argv + 1, argv + argc}), own_prefix());
  if (std::holds_alternative<ShowHelp>(action)) {
    std::fwrite(kHelp.data(), 1, kHelp.size(), stdout);
    return kSuccess;
  }
  if (std::holds_alternative<ShowVersion>(action)) {
    std::printf("kilncc %s\n", KILN_VERSION);
    std::fflush(stdout);
    return run(RunClang{{"--version"}, {}, false});
  }
  if (const auto* error = std::get_if<UsageError>(&action)) {
    std::fprintf(stderr, "kilncc: error: %s\n", error->message.c_str());
    return kUsage;
  }
  return run(std::get<RunClang>(action));
}
