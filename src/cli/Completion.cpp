// `ndforge completion`: scripts with which shells complete the command line. They ask `ndforge complete`, which knows
// the commands and options from the parser, and operations and their arguments from the registry.
#include <fmt/format.h>
#include <ops/declarable/Schema.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "cli/ArgumentText.h"
#include "cli/Commands.h"
#include "cli/Custom.h"
#include "cli/Errors.h"
#include "cli/Parser.h"
#include "cli/Text.h"

namespace sd::cli {
namespace {

// The words behind `complete --` are those of the command line; the last one is completed. No candidate: a file name.
constexpr const char* BASH = R"(_ndforge() {
  local cur=${COMP_WORDS[COMP_CWORD]}
  mapfile -t COMPREPLY < <(ndforge complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    compopt -o filenames
  fi
}
complete -F _ndforge ndforge
)";
constexpr const char* ZSH = R"(#compdef ndforge
_ndforge() {
  local -a found
  found=("${(@f)$(ndforge complete -- "${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  if [[ -n ${found[1]} ]]; then
    compadd -- "${found[@]}"
  else
    _files
  fi
}
if [[ $funcstack[1] == _ndforge ]]; then
  _ndforge "$@"
else
  compdef _ndforge ndforge
fi
)";
constexpr const char* FISH = R"(function __ndforge_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (ndforge complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ndforge -f -a '(__ndforge_complete)'
)";

const std::pair<const char*, const char*> SHELLS[] = {{"bash", BASH}, {"zsh", ZSH}, {"fish", FISH}};

bool takesOperation(const CLI::App& command) {
  const std::string& name = command.get_name();
  return name == "run" || name == "bench" || name == "info";
}

/// The names that the value of an argument of an operation can have.
std::vector<std::string> valuesOf(const CustomOp& op, const std::string& option) {
  for (const ops::ArgumentRow& row : op.schema().arguments()) {
    if (optionOf(row) != option) continue;
    std::vector<std::string> values;
    for (int i = 0; i < row.access().choiceCount; i++)
      if (row.accepts(i)) values.push_back(row.access().choices[i].name);
    if (row.kind() == ops::ArgumentKind::Flag) values = {"true", "false"};
    return values;
  }
  return {};
}

/// What the last word can be.
std::set<std::string> candidates(const CLI::App& app, std::vector<std::string> words) {
  const std::string last = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  std::set<std::string> all;
  const CLI::App* command = &app;
  std::vector<std::string> positional;
  bool expectsValue = false;
  for (const std::string& word : words) {
    if (word.starts_with("-")) {
      const CLI::Option* option = command->get_option_no_throw(word);
      expectsValue = word.find('=') == std::string::npos && (option == nullptr || option->get_expected_max() > 0);
      continue;
    }
    if (expectsValue) {
      expectsValue = false;
      continue;
    }
    const CLI::App* next = positional.empty() ? subcommandNamed(*command, word) : nullptr;
    if (next != nullptr)
      command = next;
    else
      positional.push_back(word);
  }
  const CustomOp op = takesOperation(*command) && !positional.empty() ? findCustom(positional[0]) : CustomOp();
  if (expectsValue && !words.empty() && op) {
    for (const std::string& value : valuesOf(op, words.back())) all.insert(value);
    if (!all.empty()) return all;
  }
  if (expectsValue) return all;
  if (last.starts_with("-")) {
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) all.insert("--" + name);
    if (op)
      for (const ops::ArgumentRow& row : op.schema().arguments()) all.insert(optionOf(row));
    return all;
  }
  if (!positional.empty()) return all;
  for (const CLI::App* inner : shownSubcommands(*command)) all.insert(inner->get_name());
  if (command->get_name() == "completion")
    for (const auto& [shell, script] : SHELLS) all.insert(shell);
  if (takesOperation(*command)) {
    for (const CustomOp& other : customOps()) all.insert(other.name());
    for (const loops::NumberedOp& numbered : loops::numberedOps()) all.insert(loops::qualifiedName(numbered));
  }
  return all;
}

void complete(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string last = words.empty() ? "" : words.back();
  for (const std::string& candidate : candidates(app, words))
    if (candidate.starts_with(last)) print(candidate + "\n");
}

}  // namespace

void addCompletion(CLI::App& app) {
  CLI::App* completion = app.add_subcommand("completion", "Print the script with which a shell completes commands");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  completion->footer(
      "Examples:\n  ndforge completion bash > /etc/bash_completion.d/ndforge\n"
      "  ndforge completion fish > ~/.config/fish/completions/ndforge.fish");
  completion->callback([shell] {
    for (const auto& [name, script] : SHELLS)
      if (*shell == name) return print(script);
    throw UsageError(fmt::format("'{}' is none of the shells bash, zsh, fish", shortened(*shell)));
  });
  CLI::App* words = app.add_subcommand("complete", "Print what the last word can be; for the scripts of shells");
  const auto given = std::make_shared<std::vector<std::string>>();
  words->add_option("WORDS", *given, "The words of the command line");
  words->group("");  // help does not show it
  words->prefix_command();
  words->callback([&app, words, given] { complete(app, *given); });
}

}  // namespace sd::cli
