// The options that `run` and `bench` have in common.
#ifndef NDFORGE_SRC_CLI_OPTIONS_H
#define NDFORGE_SRC_CLI_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

#include "cli/Call.h"
#include "cli/CustomCall.h"

namespace CLI {
class App;
}

namespace sd::cli {

struct Options {
  std::string name;
  std::optional<std::string> scalar;
  std::vector<int> dims;
  std::vector<std::string> extra;
  std::vector<std::string> dtypes;
  std::vector<std::string> integers, floats, booleans;
  std::vector<std::string> shapes;
  bool keepDims = false;
  bool all = false;
  bool biasCorrected = false;
  std::optional<LongType> seed;

  /// Adds the options to a subcommand.
  void addTo(CLI::App& command, const char* dtypeHelp);

  /// What they say for a numbered operation. Text that is no number, shape or type is a UsageError, and so is an option
  /// of custom operations.
  Request request() const;

  /// What they say for the custom operation `op`; options of numbered ones are a UsageError.
  CustomRequest customRequest(const CustomOp& op) const;
};

/// The dimensions of "1024x1024". Anything else, and what overflows, is a UsageError.
std::vector<LongType> parseShape(const std::string& text);

}  // namespace sd::cli

#endif
