// What the parser knows about subcommands.
#ifndef NDFORGE_SRC_CLI_PARSER_H
#define NDFORGE_SRC_CLI_PARSER_H

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sd::cli {

/// The subcommands that help shows.
inline std::vector<const CLI::App*> shownSubcommands(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* inner) { return !inner->get_group().empty(); });
}

/// The subcommand of this name; nullptr when there is none.
inline const CLI::App* subcommandNamed(const CLI::App& command, const std::string& name) {
  const auto all = command.get_subcommands([&name](const CLI::App* inner) { return inner->get_name() == name; });
  return all.empty() ? nullptr : all[0];
}

}  // namespace sd::cli

#endif
