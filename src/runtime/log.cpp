// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/log.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace kiln::runtime {
namespace {

LogLevel level_from_environment() {
  const char* text = std::getenv("KILN_LOG");
  std::string_view level = text ? text : "";
  if (level == "debug")
    return LogLevel::debug;
  if (level == "none")
    return LogLevel::none;
  return level == "info" ? LogLevel::info : LogLevel::error;
}

} // namespace

bool log_enabled(LogLevel level) {
  static const LogLevel chosen = level_from_environment();
  return level <= chosen;
}

void log(LogLevel level, std::string_view line) {
  if (!log_enabled(level))
    return;
  std::string text = level == LogLevel::error ? "kiln: error: " : "kiln: ";
  text.append(line).push_back('\n');
  std::fwrite(text.data(), 1, text.size(), stderr); // one call a line, so that threads do not mix
}

} // namespace kiln::runtime
