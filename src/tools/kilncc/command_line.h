// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kilncc's command line to clang's. kilncc is a thin driver: it says which of its inputs are HIP, where Kiln's headers
// and translator are, which target is meant by default (one portable module) and which runtime to link. All else is
// clang's and passes through in its place. This part is a pure function of the arguments, so that it can be tested.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kiln::kilncc {

// What kilncc does with its arguments: print something itself, refuse, or run clang.
struct ShowHelp {};
struct ShowVersion {};
struct UsageError {
  std::string message;
};
struct RunClang {
  std::vector<std::string> arguments;                           // after the program's name
  std::vector<std::pair<std::string, std::string>> environment; // set in addition
  bool show_only = false;                                       // -###: clang prints what it would run
};
using Action = std::variant<ShowHelp, ShowVersion, UsageError, RunClang>;

// `prefix` is the installation that kilncc belongs to.
Action plan(const std::vector<std::string>& arguments, const std::filesystem::path& prefix);

// Replaces @FILE by the words in FILE, as clang does; a file that cannot be read stays as it is.
std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments);

// A word as a POSIX shell reads it.
std::string shell_word(std::string_view word);

extern const std::string_view kHelp;

} // namespace kiln::kilncc
