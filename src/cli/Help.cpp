// `ndforge help` and `ndforge man`: what the parser knows, as text.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/Commands.h"
#include "cli/Errors.h"
#include "cli/Parser.h"
#include "cli/Text.h"

namespace sd::cli {
namespace {

/// The subcommand that words name: "graph run". @throws UsageError
const CLI::App* commandNamed(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    const CLI::App* next = subcommandNamed(*command, word);
    if (next == nullptr) {
      std::string names;
      for (const CLI::App* other : shownSubcommands(*command)) names += (names.empty() ? "" : ", ") + other->get_name();
      throw UsageError(fmt::format("there is no command '{}'; there are {}", shortened(word), names));
    }
    command = next;
  }
  return command;
}

// ---- the man page

/// Text in which roff sees no commands.
std::string roff(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); i++) {
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    if (text[i] == '\\')
      result += "\\e";
    else if (text[i] == '-')
      result += "\\-";
    else
      result += text[i];
  }
  return result;
}

std::string optionsOf(const CLI::App& command) {
  std::string page;
  for (const CLI::Option* option : command.get_options()) {
    std::string value = option->get_expected_max() == 0 ? "" : option->get_type_name();
    page += fmt::format(".TP\n.B {}{}\n{}\n", roff(option->get_name(option->get_positional(), true)),
                        value.empty() ? "" : " \\fI" + roff(value) + "\\fR", roff(option->get_description()));
  }
  return page;
}

void addCommand(const CLI::App& command, const std::string& before, std::string& page) {
  const std::string name = before + " " + command.get_name();
  page += fmt::format(".SS {}\n{}.\n{}", roff(name), roff(command.get_description()), optionsOf(command));
  if (!command.get_footer().empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.get_footer()));
  for (const CLI::App* inner : shownSubcommands(command)) addCommand(*inner, name, page);
}

std::string manual(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH NDFORGE 1 \"\" \"NDForge {}\" \"User Commands\"\n.SH NAME\nndforge \\- {}\n.SH SYNOPSIS\n.B ndforge\n"
      ".RI [ OPTIONS ] \" COMMAND\" \" \" ...\n.SH OPTIONS\n{}.SH COMMANDS\n",
      NDFORGE_VERSION, "tensor operations on NumPy files", optionsOf(app));
  for (const CLI::App* command : shownSubcommands(app)) addCommand(*command, "ndforge", page);
  page += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  return page;
}

}  // namespace

void addHelp(CLI::App& app) {
  CLI::App* help = app.add_subcommand("help", "Show the help of a command, as --help does");
  const auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "The command, for example: graph run");
  help->callback([&app, words] {
    const CLI::App* command = commandNamed(app, *words);
    std::string name = command->get_name();
    for (const CLI::App* parent = command->get_parent(); parent != nullptr; parent = parent->get_parent())
      name = parent->get_name() + " " + name;
    // App::help() of the program would show that of the command that runs, which is this one.
    print(command->get_formatter()->make_help(command, name, CLI::AppFormatMode::Normal));
  });
  CLI::App* man = app.add_subcommand("man", "Print the manual page, in roff");
  man->footer("Examples:\n  ndforge man | man -l -");
  man->callback([&app] { print(manual(app)); });
}

}  // namespace sd::cli
