// The command `ndforge`: operations from the shell. Exit codes: 0 done, 1 bad data, 2 bad usage.
#include <fmt/format.h>
#include <ops/declarable/OpRegistrator.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "cli/Commands.h"
#include "cli/Errors.h"

namespace {

constexpr int BAD_DATA = 1, BAD_USAGE = 2;

/// One line, whatever the message is.
int report(int code, std::string message) {
  for (char& c : message)
    if (c == '\n') c = ' ';
  fmt::print(stderr, "ndforge: {}\n", message);
  return code;
}

std::string hint(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return fmt::format("'ndforge {}--help' shows how", used.empty() ? "" : used[0]->get_name() + " ");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Tensor operations on NumPy files.", "ndforge");
  app.set_version_flag("--version", "ndforge " NDFORGE_VERSION);
  app.require_subcommand(0, 1);  // a word that is none is then named in the error
  std::vector<std::string> libraries;
  app.add_option("--load", libraries, "A library of operations to load first: libmyops.so; may be given several times")
      ->allow_extra_args(false);
  app.fallthrough();  // subcommands take it as well
  app.parse_complete_callback([&] {
    for (const std::string& library : libraries) sd::ops::loadOpLibrary(library);
  });
  sd::cli::addOps(app);
  sd::cli::addInfo(app);
  sd::cli::addDocs(app);
  sd::cli::addRun(app);
  sd::cli::addBench(app);
  sd::cli::addEnv(app);
  app.footer(
      "Examples:\n"
      "  ndforge ops --group reduce\n"
      "  ndforge info conv2d\n"
      "  ndforge docs --out site\n"
      "  ndforge run add -i x.npy -i y.npy -o z.npy\n"
      "  ndforge --load libmyops.so run rescale -i x.npy --float 2,1\n"
      "  ndforge run Sum -i x.npz:weights --dims 0,1\n"
      "  ndforge bench Exp --shape 1024x1024 --dtype float32\n"
      "Exit codes: 0 done, 1 bad data, 2 bad usage.");
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw sd::cli::UsageError("what to do? " + hint(app));
    if (std::fflush(stdout) != 0) return report(BAD_DATA, "standard output cannot be written");
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    return report(BAD_USAGE, fmt::format("{}; {}", error.what(), hint(app)));
  } catch (const sd::cli::UsageError& error) {
    return report(BAD_USAGE, error.what());
  } catch (const std::bad_alloc&) {
    return report(BAD_DATA, "there is not enough memory");
  } catch (const std::exception& error) {
    return report(BAD_DATA, error.what());
  }
}
