// The options that `run` and `bench` have in common.
#ifndef NDFORGE_SRC_CLI_OPTIONS_H
#define NDFORGE_SRC_CLI_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

#include "cli/Call.h"

namespace CLI {
class App;
}

namespace sd::cli {

struct Options {
  std::string name;
  std::optional<std::string> scalar;
  std::vector<int> dims;
  std::vector<std::string> extra;
  std::optional<std::string> dtype;
  std::optional<std::string> shape;
  bool keepDims = false;
  bool all = false;
  bool biasCorrected = false;
  std::optional<LongType> seed;

  /// Adds the options to a subcommand.
  void addTo(CLI::App& command);

  /// What they say. Text that is no number, shape or type is a UsageError.
  Request request() const;
};

/// The dimensions of "1024x1024". Anything else, and what overflows, is a UsageError.
std::vector<LongType> parseShape(const std::string& text);

}  // namespace sd::cli

#endif
