// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kilncc/command_line.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace kiln::kilncc {
namespace {

// Options whose value is the next word, which must not be taken for an input.
constexpr std::array kWithValue = {"-o",
                                   "-I",
                                   "-D",
                                   "-U",
                                   "-L",
                                   "-l",
                                   "-F",
                                   "-x",
                                   "-B",
                                   "-T",
                                   "-u",
                                   "-z",
                                   "-e",
                                   "-MF",
                                   "-MT",
                                   "-MQ",
                                   "-MJ",
                                   "-include",
                                   "-imacros",
                                   "-isystem",
                                   "-idirafter",
                                   "-iquote",
                                   "-isysroot",
                                   "-iprefix",
                                   "-iwithprefix",
                                   "-include-pch",
                                   "-Xclang",
                                   "-Xlinker",
                                   "-Xassembler",
                                   "-Xpreprocessor",
                                   "-Xoffload-linker",
                                   "-Xarch_host",
                                   "-Xarch_device",
                                   "-mllvm",
                                   "-target",
                                   "-rpath",
                                   "-arch",
                                   "-aux-info",
                                   "--param",
                                   "-working-directory",
                                   "--sysroot",
                                   "--offload-arch",
                                   "--output",
                                   "--include-directory",
                                   "-cxx-isystem",
                                   "-soname",
                                   "-dumpdir",
                                   "-Xcuda-ptxas",
                                   "-Xcuda-fatbinary"};

// Options after which nothing is linked.
constexpr std::array kNoLink = {"-c",
                                "-S",
                                "-E",
                                "-M",
                                "-MM",
                                "-fsyntax-only",
                                "--precompile",
                                "--analyze",
                                "-emit-ast",
                                "--offload-device-only",
                                "--cuda-device-only",
                                "-P"};

// Options that answer a question and need no input.
constexpr std::array kQuestions = {"-dumpversion", "-dumpmachine", "-v", "--autocomplete"};

struct Language {
  std::string_view extension;
  const char* language; // for -x
};
constexpr std::array kLanguages = {Language{".hip", "hip"}, Language{".cu", "hip"},  Language{".cpp", "hip"},
                                   Language{".cc", "hip"},  Language{".cxx", "hip"}, Language{".C", "hip"},
                                   Language{".c++", "hip"}, Language{".cp", "hip"},  Language{".c", "c"}};

template <size_t N> bool contains(const std::array<const char*, N>& list, std::string_view word) {
  return std::any_of(list.begin(), list.end(), [&](const char* entry) { return word == entry; });
}

const char* language_of(std::string_view file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  for (const Language& row : kLanguages)
    if (row.extension == extension)
      return row.language;
  return "none";
}

// "--name=value" -> value
std::optional<std::string_view> value_of(std::string_view word, std::string_view name) {
  if (word.size() <= name.size() || !word.starts_with(name) || word[name.size()] != '=')
    return std::nullopt;
  return word.substr(name.size() + 1);
}

// Options of kilncc and options that Kiln cannot do. True: the word is dealt with.
bool take_own_option(std::string_view word, RunClang& run, std::string& error) {
  if (word == "--kiln-pristine") {
    run.environment.emplace_back("KILN_PRISTINE", "1");
    return true;
  }
  if (auto producer = value_of(word, "--spirv-producer")) {
    if (*producer == "llvm")
      error = "--spirv-producer=llvm is not available: LLVM 22's own SPIR-V backend loses memory effects, scopes and "
              "flags; leave the option out or write --spirv-producer=kiln";
    else if (*producer != "kiln")
      error = "unknown producer '" + std::string(*producer) + "' in --spirv-producer: kiln and llvm are known";
    return true;
  }
  if (word == "-fgpu-rdc" || word == "--hip-link" || word == "-dc" || word == "-rdc=true") {
    error = "'" + std::string(word) +
            "' (device code linked over several files) is not supported: put device "
            "functions that call each other in one file, or include one from the other";
    return true;
  }
  return false;
}

struct Scan {
  RunClang run;
  std::string error;
  std::string_view current = "none"; // the -x in force that kilncc wrote
  bool inputs = false, hip_inputs = false, language_given = false, arch_given = false, link = true, question = false;
};

// Writes -x only where the language changes: clang warns about one that has no effect.
void scan_input(const std::string& word, Scan& scan) {
  scan.inputs = true;
  auto& out = scan.run.arguments;
  if (!scan.language_given) {
    const std::string_view language = language_of(word);
    if (language == "hip")
      scan.hip_inputs = true;
    if (language != scan.current)
      out.insert(out.end(), {"-x", std::string(language)});
    scan.current = language;
  }
  out.push_back(word);
}

void scan_option(const std::string& word, const std::string* next, Scan& scan) {
  scan.run.arguments.push_back(word);
  if (next)
    scan.run.arguments.push_back(*next);
  if (word == "-###")
    scan.run.show_only = true;
  if (contains(kNoLink, word))
    scan.link = false;
  if (contains(kQuestions, word) || word.starts_with("-print-") || word.starts_with("--print-"))
    scan.question = true;
  if (word == "--offload-arch" || word.starts_with("--offload-arch=") || word.starts_with("--cuda-gpu-arch="))
    scan.arch_given = true;
  if (word.starts_with("-l") && word.size() > 2)
    scan.inputs = true;
  if (word == "-x" || (word.starts_with("-x") && !next && word != "-xnone")) {
    const std::string_view language = next ? std::string_view(*next) : std::string_view(word).substr(2);
    scan.language_given = language != "none";
    if (language == "hip")
      scan.hip_inputs = true;
  }
}

} // namespace

Action plan(const std::vector<std::string>& arguments, const std::filesystem::path& prefix) {
  Scan scan;
  for (size_t i = 0; i < arguments.size(); ++i) {
    // Makefiles written for hipcc say --genco, which clang calls by another name.
    const std::string word = arguments[i] == "--genco" ? "--offload-device-only" : arguments[i];
    if (word == "--help" || word == "-h" || word == "-help")
      return ShowHelp{};
    if (word == "--version")
      return ShowVersion{};
    if (take_own_option(word, scan.run, scan.error)) {
      if (!scan.error.empty())
        return UsageError{scan.error};
      continue;
    }
    if (word == "-" || word.empty() || word[0] != '-') {
      scan_input(word, scan);
      continue;
    }
    const bool has_value = contains(kWithValue, word);
    if (has_value && i + 1 == arguments.size())
      return UsageError{"option '" + word + "' needs a value after it"};
    scan_option(word, has_value ? &arguments[i + 1] : nullptr, scan);
    if (has_value)
      ++i;
  }
  if (!scan.inputs && !scan.question)
    return UsageError{"no input files; kilncc --help says how to call it"};

  std::vector<std::string> front = {"--driver-mode=g++"};
  if (scan.hip_inputs) {
    front.push_back("--rocm-path=" + prefix.string());
    front.push_back("-B" + (prefix / "lib" / "kiln").string());
    if (!scan.arch_given)
      front.push_back("--offload-arch=amdgcnspirv");
  }
  auto& out = scan.run.arguments;
  if (scan.inputs && scan.link) {
    const std::string lib = (prefix / "lib").string();
    if (scan.hip_inputs)
      front.push_back("-no-hip-rt");
    // Both faces of the runtime, HIP and <kiln/kiln.h>, each only if the program uses it.
    out.insert(out.end(), {"-L" + lib, "-Wl,--push-state,--as-needed", "-lkiln-hip", "-lkiln", "-Wl,--pop-state",
                           "-Wl,-rpath," + lib});
  }
  out.insert(out.begin(), front.begin(), front.end());
  return std::move(scan.run);
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  for (const std::string& word : arguments) {
    std::ifstream file;
    if (word.size() > 1 && word[0] == '@')
      file.open(word.substr(1));
    if (!file.is_open()) {
      out.push_back(word);
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::string current;
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
        current += text[++i];
        in_word = true;
      } else if (quote ? c == quote : (c == '"' || c == '\'')) {
        quote = quote ? 0 : c;
        in_word = true;
      } else if (!quote && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
        if (in_word)
          out.push_back(std::exchange(current, {}));
        in_word = false;
      } else {
        current += c;
        in_word = true;
      }
    }
    if (in_word)
      out.push_back(current);
  }
  return out;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%#";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos && word[0] != '#')
    return std::string(word);
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

const std::string_view kHelp =
    R"(kilncc compiles HIP programs once for every device.

usage: kilncc [options] FILE...
  kilncc app.hip -o app                 compile and link
  kilncc -O3 -c a.hip && kilncc a.o b.o -o app
  kilncc --offload-device-only app.hip -o app.spv

Files ending in .hip .cu .cpp .cc .cxx .C are HIP, .c is C; anything else (.o .a .so) goes to the linker. -x LANGUAGE
overrides this as in clang. kilncc calls clang-22 with Kiln's headers, its SPIR-V translator and the default
--offload-arch=amdgcnspirv, and links libkiln-hip and libkiln (for <kiln/kiln.h>), each if it is used. Every option of
clang works (-O -g -I -D -l -L -shared -fPIC -std= -S -E -emit-llvm --offload-compress --offload-device-only
--offload-arch=gfx942,amdgcnspirv ...).

options of kilncc itself:
  --genco                 as in hipcc: the device code alone, clang's --offload-device-only
  --spirv-producer=kiln   who writes the SPIR-V; kiln is the only one for now
  --kiln-pristine         no optimisation before the SPIR-V is written (environment: KILN_PRISTINE=1)
  -###                    show the commands, run nothing
  --help, --version

environment:
  KILN_CLANG              the clang to use; default: clang-22 on PATH, then /usr/lib/llvm-22/bin/clang

-fgpu-rdc (device code linked over several files) is refused.

exit status: 0 success; clang's own status when it fails (1 for errors in the program); 2 wrong use of kilncc;
3 clang-22 is missing or cannot be run, or files of this installation are missing.
)";

} // namespace kiln::kilncc
