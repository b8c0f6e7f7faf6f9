// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program `kiln`: look at devices and modules, compile ahead of time, launch a kernel by hand.
#include "tools/kiln/command.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

// "kiln help" is "kiln --help", "kiln help run" is "kiln run --help".
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.insert(words.begin() + std::min<ptrdiff_t>(1, std::ssize(words)), "--help");
  }
  return words;
}

} // namespace

int main(int argc, char** argv) {
  using namespace kiln::tool;
  // A file-size limit or a closed pipe is an error of write(), reported as one sentence, not a signal that kills.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Each failure is one sentence, said here; the runtime need not say it too. KILN_LOG=info still shows what it does.
  ::setenv("KILN_LOG", "none", 0);

  CLI::App app("Kiln: GPU code compiled once, fired on the device it meets.", "kiln");
  app.set_version_flag("--version", "kiln " KILN_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
  app.footer("kiln SUBCOMMAND --help explains each.\n" + std::string(exit_codes_help));

  Chosen chosen;
  add_devices(app, chosen);
  add_inspect(app, chosen);
  add_compile(app, chosen);
  add_run(app, chosen);

  std::vector<std::string> words = words_of(argc, argv);
  if (!words.empty() && !words[0].starts_with('-')) {
    std::string names;
    bool known = false;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      names += (names.empty() ? "" : ", ") + command->get_name();
      known |= command->get_name() == words[0];
    }
    if (!known)
      return usage("", "there is no command '" + words[0] + "'; the commands are " + names);
  }
  try {
    std::ranges::reverse(words); // as CLI11 takes them
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) { // --help, --version
      app.exit(error);
      return finish(exit_ok);
    }
    auto picked = app.get_subcommands();
    return usage(picked.empty() ? "" : picked.front()->get_name(), error.what());
  } catch (const std::exception& error) {
    return failed(error.what());
  }
  // CLI11 and the standard library throw; nothing else does. What arrives here is memory that ran out or the like.
  try {
    return finish(chosen());
  } catch (const std::exception& error) {
    return failed(error.what());
  }
}
