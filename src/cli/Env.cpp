#include <dlfcn.h>
#include <fmt/format.h>
#include <loops/Executor.h>
#include <system/Environment.h>

#include <CLI/CLI.hpp>

#include "cli/Commands.h"
#include "cli/Text.h"

namespace sd::cli {
namespace {

/// OpenBLAS's own description when OpenBLAS is loaded.
std::string blasText() {
  using Config = char* (*)();
  const auto config = reinterpret_cast<Config>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  if (config != nullptr) return config();
  return dlsym(RTLD_DEFAULT, "cblas_sgemm") != nullptr ? "not OpenBLAS" : "none loaded";
}

void showEnvironment() {
  const Environment& environment = Environment::getInstance();
  print(fmt::format("version          {}\n", NDFORGE_VERSION));
  print(fmt::format("instruction set  {}\n", loops::instructionSet()));
  print(fmt::format("threads          {} (of {})\n", environment.maxMasterThreads(), environment.maxThreads()));
  print(fmt::format("BLAS             {}\n", blasText()));
}

}  // namespace

void addEnv(CLI::App& app) {
  CLI::App* command = app.add_subcommand("env", "Show version, instruction set, threads and BLAS");
  command->callback(showEnvironment);
}

}  // namespace sd::cli
