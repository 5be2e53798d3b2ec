#include <CLI/CLI.hpp>

#include "cli/Commands.h"
#include "cli/Errors.h"
#include "cli/GraphFile.h"

namespace sd::cli {

void addGraph(CLI::App& app) {
  CLI::App* command = app.add_subcommand("graph", "Run, show and measure graphs in files");
  command->require_subcommand(0, 1);  // the error then names an unknown one
  command->fallthrough();             // for --load
  addGraphRun(*command);
  addGraphShow(*command);
  addGraphBench(*command);
  command->callback([command] {
    if (command->get_subcommands().empty())
      throw UsageError("graph: run, show or bench is missing; see 'ndforge graph --help'");
  });
}

}  // namespace sd::cli
