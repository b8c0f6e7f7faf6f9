// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/command.h"

#include "tools/kiln/table.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kiln::tool {
namespace {

void say(const char* word, Style style, std::string_view message) {
  std::string line = "kiln: " + paint(word, style, stderr) + " " + printable(message) + "\n";
  std::fflush(stdout); // keeps the two streams in order when both go to one file
  std::fputs(line.c_str(), stderr);
}

} // namespace

int failed(std::string_view message) {
  say("error:", Style::error, message);
  return exit_failed;
}

int failed(const Error& error) {
  return failed(error.message);
}

int usage(std::string_view subcommand, std::string_view message) {
  std::string help = subcommand.empty() ? "kiln --help" : "kiln " + std::string(subcommand) + " --help";
  say("error:", Style::error, std::string(message) + " (see '" + help + "')");
  return exit_usage;
}

std::string printable(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (unsigned char c : text) {
    if (c >= 0x20 && c != 0x7f)
      out += static_cast<char>(c);
    else
      out += {'\\', 'x', digits[c >> 4], digits[c & 15]};
  }
  return out;
}

int print_json(const Json& document) {
  std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  return exit_ok;
}

int finish(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return code;
  return failed(std::string("cannot write to standard output: ") + std::strerror(errno));
}

} // namespace kiln::tool
