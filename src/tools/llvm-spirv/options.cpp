// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace kiln::tools {
namespace {

enum class Value { none, joined, separate, optional }; // --x   --x=V   -x V   --x or --x=V

using Apply = Result<void> (*)(Options&, std::string_view);

Result<void> ignore(Options&, std::string_view) {
  return {};
}

Result<void> set_version(Options& options, std::string_view value) {
  constexpr std::pair<std::string_view, uint32_t> versions[] = {{"1.4", 0x10400}, {"1.5", 0x10500}, {"1.6", 0x10600}};
  for (auto [name, word] : versions)
    if (value == name) {
      options.spirv_version = word;
      return {};
    }
  return Error{ErrorCode::invalid_argument,
               "'" + std::string(value) + "' is not a SPIR-V version that can be written; use 1.4, 1.5 or 1.6"};
}

Result<void> set_level(Options& options, std::string_view value) {
  if (value.size() != 1 || value[0] < '0' || value[0] > '3')
    return Error{ErrorCode::invalid_argument, "the optimisation level is one of -O0, -O1, -O2, -O3"};
  options.opt_level = unsigned(value[0] - '0');
  return {};
}

template <Options::Action action> Result<void> set_action(Options& options, std::string_view) {
  options.action = action;
  return {};
}

struct Row {
  std::string_view name; // without leading dashes: one or two are both taken
  Value value;
  Apply apply;
  std::string_view help; // empty: accepted because clang and build systems pass it, and without effect
};
// clang-format off
constexpr Row rows[] = {
    {"o",                           Value::separate, [](Options& o, std::string_view v) { o.output = v; return Result<void>(); }, "FILE   write to FILE; '-' is standard output"},
    {"r",                           Value::none,     set_action<Options::Action::to_llvm>,  "read SPIR-V, write LLVM bitcode"},
    {"to-text",                     Value::none,     set_action<Options::Action::to_text>,  "read SPIR-V, write it as text"},
    {"spirv-text",                  Value::none,     set_action<Options::Action::to_text>,  "the same"},
    {"emit-llvm-text",              Value::none,     [](Options& o, std::string_view) { o.llvm_text = true; return Result<void>(); }, "with -r: write LLVM IR as text"},
    {"kiln-pristine",               Value::none,     [](Options& o, std::string_view) { o.pristine = true; return Result<void>(); }, "translate what came in, without the optimiser"},
    {"kiln-no-aux-data",            Value::none,     [](Options& o, std::string_view) { o.aux_data = false; return Result<void>(); }, "leave out what only Kiln's reader understands"},
    {"O",                           Value::joined,   set_level,                             "N   optimise as for -ON; default: the level the module was compiled with"},
    {"spirv-max-version",           Value::joined,   set_version,                           "=V   1.4, 1.5 or 1.6 (default)"},
    {"help",                        Value::none,     set_action<Options::Action::help>,     "this text"},
    {"h",                           Value::none,     set_action<Options::Action::help>,     "this text"},
    {"version",                     Value::none,     set_action<Options::Action::version>,  "version of Kiln and of LLVM"},
    {"spirv-ext",                   Value::joined,   ignore, ""}, // exactly the extensions needed are used
    {"spirv-allow-unknown-intrinsics", Value::optional, ignore, ""},
    {"spirv-lower-const-expr",      Value::optional, ignore, ""},
    {"spirv-preserve-auxdata",      Value::optional, ignore, ""},
    {"spirv-debug-info-version",    Value::joined,   ignore, ""},
    {"spirv-debug",                 Value::none,     ignore, ""},
    {"spirv-mem2reg",               Value::optional, ignore, ""},
    {"spirv-target-env",            Value::joined,   ignore, ""},
    {"spirv-fp-contract",           Value::joined,   ignore, ""},
    {"spirv-replace-fmuladd-with-ocl-mad", Value::optional, ignore, ""},
    {"spirv-allow-extra-diexpressions", Value::optional, ignore, ""},
};
// clang-format on

Result<bool> apply_row(const Row& row, std::string_view argument, int& at, int count, const char* const* arguments,
                       Options& options) {
  if (!argument.starts_with(row.name))
    return false;
  std::string_view rest = argument.substr(row.name.size());
  switch (row.value) {
  case Value::none:
    if (!rest.empty())
      return false;
    break;
  case Value::optional:
    if (!rest.empty() && rest[0] != '=')
      return false;
    break;
  case Value::joined:
    if (rest.empty() || (row.name.size() > 1 && rest[0] != '='))
      return false;
    rest.remove_prefix(row.name.size() > 1 ? 1 : 0);
    break;
  case Value::separate:
    if (rest.empty()) {
      if (++at >= count)
        return Error{ErrorCode::invalid_argument, "option '" + std::string(argument) + "' needs a value"};
      rest = arguments[at];
    } else if (rest[0] == '=') {
      rest.remove_prefix(1);
    } else {
      return false;
    }
    break;
  }
  KILN_TRY(row.apply(options, rest));
  return true;
}

} // namespace

Result<Options> parse_options(int count, const char* const* arguments) {
  Options options;
  bool has_input = false;
  // clang has no way to hand an option on to this program: kilncc --kiln-pristine sets the environment instead.
  if (const char* pristine = std::getenv("KILN_PRISTINE"); pristine && std::string_view(pristine) == "1")
    options.pristine = true;
  for (int at = 1; at < count; ++at) {
    std::string_view argument = arguments[at];
    if (argument == "-" || !argument.starts_with("-")) {
      if (has_input)
        return Error{ErrorCode::invalid_argument, "two input files, '" + options.input + "' and '" +
                                                      std::string(argument) + "'; one module is translated at a time"};
      options.input = argument;
      has_input = true;
      continue;
    }
    std::string_view name = argument.substr(argument.starts_with("--") ? 2 : 1);
    bool known = false;
    for (const Row& row : rows) {
      KILN_ASSIGN(known, apply_row(row, name, at, count, arguments, options));
      if (known)
        break;
    }
    if (!known)
      return Error{ErrorCode::invalid_argument,
                   "unknown option '" + std::string(argument) + "'; --help lists what there is"};
  }
  return options;
}

std::string help_text() {
  std::string text =
      "usage: llvm-spirv [options] [FILE]\n"
      "Translates LLVM bitcode or IR (triple spirv64-amd-amdhsa) to AMDGCN-flavoured SPIR-V, and back.\n"
      "FILE '-', the default, is standard input. The exit code is 0, or 1 with a message on failure.\n\n";
  for (const Row& row : rows) {
    if (row.help.empty())
      continue;
    std::string left = (row.name.size() == 1 ? "  -" : "  --") + std::string(row.name);
    std::string_view help = row.help;
    if (row.value != Value::none) {
      size_t gap = help.find("   ");
      left += (row.value == Value::separate ? " " : "") + std::string(help.substr(0, gap));
      help.remove_prefix(gap + 3);
    }
    left.resize(left.size() < 28 ? 28 : left.size() + 1, ' ');
    text += left + std::string(help) + "\n";
  }
  text += "\nAccepted without effect, since clang passes them:\n ";
  for (const Row& row : rows)
    if (row.help.empty())
      text += " --" + std::string(row.name);
  return text + "\n";
}

} // namespace kiln::tools
