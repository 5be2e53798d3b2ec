// The command `ndforge`: operations from the shell. Exit codes: 0 done, 1 bad data, 2 bad usage.
#include <fcntl.h>
#include <fmt/format.h>
#include <ops/declarable/OpRegistrator.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/Commands.h"
#include "cli/Errors.h"
#include "cli/OperationText.h"
#include "cli/Options.h"
#include "cli/Text.h"

namespace {

using namespace sd::cli;

constexpr int BAD_DATA = 1, BAD_USAGE = 2;

constexpr size_t LONGEST_MESSAGE = 4000;

/// Prints the message on one line.
int report(int code, std::string message) {
  message = wordsShortened(message);
  if (message.size() > LONGEST_MESSAGE) message = message.substr(0, LONGEST_MESSAGE) + " …";
  std::replace(message.begin(), message.end(), '\n', ' ');
  printError("ndforge: " + message);
  return code;
}

/// Opens closed standard streams on /dev/null, so that a file opened later does not become standard output or standard
/// error. Writing to standard output then fails, and messages to standard error are lost.
void holdStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

/// Writes buffered output. @throws OutputError when that fails
void flush() {
  if (!std::cout.flush() || std::fflush(stdout) != 0) throw OutputError(errno);
}

/// The innermost subcommand that the command line names.
const CLI::App* usedCommand(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands()[0];
  return command;
}

std::string hint(const CLI::App& app) {
  std::string words = "";
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands()[0];
    words += command->get_name() + " ";
  }
  return fmt::format("see 'ndforge {}--help'", words);
}

}  // namespace

int main(int argc, char** argv) {
  holdStandardStreams();
  CLI::App app("Tensor operations on NumPy files.", "ndforge");
  app.set_version_flag("--version", "ndforge " NDFORGE_VERSION);
  app.require_subcommand(0, 1);  // the error then names an unknown subcommand
  std::vector<std::string> libraries;
  app.add_option("--load", libraries, "A library of operations to load first: libmyops.so; may be given several times")
      ->allow_extra_args(false);
  app.fallthrough();  // subcommands take it as well
  app.parse_complete_callback([&] {
    // Words that no option takes are the application's because of the fallthrough; some subcommands read them.
    const CLI::App* command = usedCommand(app);
    const auto words = app.remaining();
    if (!words.empty() && (command == &app || !command->get_allow_extras()))
      throw CLI::ExtrasError(app.get_name(), words);
    for (const std::string& library : libraries) sd::ops::loadOpLibrary(library);
  });
  addOps(app);
  addInfo(app);
  addDocs(app);
  addRun(app);
  addBench(app);
  addGraph(app);
  addEnv(app);
  addVersion(app);
  addHelp(app);
  addCompletion(app);
  app.allow_extras();
  app.footer(
      "Examples:\n"
      "  ndforge ops --group reduce\n"
      "  ndforge ops --search 'max pooling'\n"
      "  ndforge info conv2d\n"
      "  ndforge docs --out site\n"
      "  ndforge run add -i x.npy -i y.npy -o z.npy\n"
      "  ndforge --load libmyops.so run rescale -i x.npy --float 2,1\n"
      "  ndforge run Sum -i x.npz:weights --dims 0,1\n"
      "  ndforge run exp -i - -o - < x.npy | ndforge run reduce_sum -i -\n"
      "  ndforge bench Exp --shape 1024x1024 --dtype float32\n"
      "  ndforge graph run model.fb -i x=x.npy -o y=y.npy\n"
      "Exit codes: 0 done, 1 bad data, 2 bad usage.");
  try {
    try {
      app.parse(argc, argv);
      if (app.get_subcommands().empty()) throw UsageError("no subcommand given; " + hint(app));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) return report(BAD_USAGE, fmt::format("{}; {}", error.what(), hint(app)));
      app.exit(error);  // --help and --version
    } catch (const OperationHelp& help) {
      for (const std::string& library : libraries) sd::ops::loadOpLibrary(library);
      print(operationHelp(help.name, help.verb));
    }
    flush();
    return 0;
  } catch (const UsageError& error) {
    return report(BAD_USAGE, error.what());
  } catch (const OutputError& error) {
    return error.isQuiet ? BAD_DATA : report(BAD_DATA, error.what());
  } catch (const std::bad_alloc&) {
    return report(BAD_DATA, "not enough memory");
  } catch (const std::exception& error) {
    return report(BAD_DATA, error.what());
  } catch (...) {
    return report(BAD_DATA, "an object that is not a std::exception was thrown");
  }
}
