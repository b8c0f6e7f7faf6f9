// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the subcommands of `kiln` share: how one is added to the command line, how it ends, how it reports. A subcommand
// is one file that reads its options, calls the libraries and prints a table or JSON; it decides nothing itself.
#pragma once

#include "support/result.h"

#include <CLI/App.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kiln::tool {

// The exit codes of the program, part of its interface.
enum Exit : int { exit_ok = 0, exit_failed = 1, exit_usage = 2 };

inline constexpr std::string_view exit_codes_help =
    "Exit codes: 0 done, 1 something failed (one sentence each on standard error), "
    "2 the command line is wrong.";

// The subcommand that the command line chose. It runs after the whole line was parsed, outside of CLI11's exceptions.
using Chosen = std::function<int()>;

void add_devices(CLI::App& app, Chosen& chosen);
void add_inspect(CLI::App& app, Chosen& chosen);
void add_compile(CLI::App& app, Chosen& chosen);
void add_run(CLI::App& app, Chosen& chosen);

// Prints "kiln: error: MESSAGE" and gives the exit code to return.
int failed(std::string_view message);
int failed(const Error& error);
int usage(std::string_view subcommand, std::string_view message);

// Names inside files come from outside: control characters are shown as \xNN, so that they cannot drive the terminal.
[[nodiscard]] std::string printable(std::string_view text);

// Prints one JSON document and a newline on standard output; bytes that are not UTF-8 become U+FFFD.
int print_json(const nlohmann::ordered_json& document);

// Flushes standard output and gives `code`, or exit_failed with a message if what was printed did not get out (full
// disk).
int finish(int code);

// A JSON document that keeps the order of insertion, as a person reads it.
using Json = nlohmann::ordered_json;

} // namespace kiln::tool
