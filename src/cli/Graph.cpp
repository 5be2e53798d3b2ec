#include <CLI/CLI.hpp>

#include "cli/Commands.h"
#include "cli/GraphFile.h"

namespace sd::cli {

void addGraph(CLI::App& app) {
  CLI::App* command = app.add_subcommand("graph", "Run, show and measure graphs in files");
  command->require_subcommand(1);
  command->fallthrough();  // for --load
  addGraphRun(*command);
  addGraphShow(*command);
  addGraphBench(*command);
}

}  // namespace sd::cli
