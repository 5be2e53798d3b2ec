// `ndforge env` and `ndforge version`: what the command runs on, and what it is made of.
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <loops/Executor.h>
#include <system/Environment.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/Commands.h"
#include "cli/Json.h"
#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {
namespace {

struct Fact {
  std::string label, text;
  std::vector<std::pair<std::string, Json>> values;  ///< members of the JSON object
};

/// OpenBLAS's own description when OpenBLAS is loaded.
std::string blasText() {
  using Config = char* (*)();
  const auto config = reinterpret_cast<Config>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  if (config != nullptr) return config();
  return dlsym(RTLD_DEFAULT, "cblas_sgemm") != nullptr ? "not OpenBLAS" : "none loaded";
}

std::string compilerText() {
#ifdef __clang__
  return __VERSION__;  // "Clang" is a part of it
#else
  return "GCC " __VERSION__;
#endif
}

Fact fact(const std::string& label, const std::string& key, const std::string& text) {
  return {label, text, {{key, text}}};
}

Fact listFact(const std::string& label, const std::string& key, const std::vector<std::string>& items) {
  return {label, fmt::format("{}", fmt::join(items, ", ")), {{key, items}}};
}

Fact instructionSetFact() { return fact("instruction set", "instructionSet", std::string(loops::instructionSet())); }

std::vector<Fact> environmentFacts() {
  const Environment& environment = Environment::getInstance();
  const int threads = environment.maxMasterThreads(), most = environment.maxThreads();
  return {fact("version", "version", NDFORGE_VERSION),
          instructionSetFact(),
          {"threads", fmt::format("{} (of {})", threads, most), {{"threads", threads}, {"maxThreads", most}}},
          fact("BLAS", "blas", blasText())};
}

/// What follows the line of --version.
std::vector<Fact> buildFacts() {
  std::vector<std::string> types;
  for (const DataType type : elementTypes()) types.emplace_back(typeName(type));
  return {listFact("built for", "instructionSets", split(NDFORGE_BUILT_SETS, ' ')),
          instructionSetFact(),
          fact("BLAS", "blas", blasText()),
          listFact("built with", "libraries", split(NDFORGE_BUILT_WITH, ',')),
          fact("compiler", "compiler", compilerText()),
          listFact("element types", "elementTypes", types)};
}

std::string textOf(const std::vector<Fact>& facts) {
  std::string text = "";
  for (const Fact& row : facts) text += fmt::format("{:<16} {}\n", row.label, row.text);
  return text;
}

Json jsonOf(const std::vector<Fact>& facts) {
  Json json = Json::object();
  for (const Fact& row : facts)
    for (const auto& [key, value] : row.values) json[key] = value;
  return json;
}

void showVersion(bool json) {
  std::vector<Fact> facts = buildFacts();
  if (!json) return print("ndforge " NDFORGE_VERSION "\n" + textOf(facts));
  facts.insert(facts.begin(), fact("version", "version", NDFORGE_VERSION));
  printJson(jsonOf(facts));
}

}  // namespace

void addEnv(CLI::App& app) {
  CLI::App* command = app.add_subcommand("env", "Show version, instruction set, threads and BLAS");
  const auto json = addJsonFlag(*command);
  command->callback([=] { *json ? printJson(jsonOf(environmentFacts())) : print(textOf(environmentFacts())); });
}

void addVersion(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "version", "Show the version, and the instruction sets, libraries, compiler and element types of this build");
  const auto json = addJsonFlag(*command);
  command->callback([=] { showVersion(*json); });
}

}  // namespace sd::cli
