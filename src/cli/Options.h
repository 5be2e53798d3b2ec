// The options that `run` and `bench` have in common.
#ifndef NDFORGE_SRC_CLI_OPTIONS_H
#define NDFORGE_SRC_CLI_OPTIONS_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/Call.h"
#include "cli/CustomCall.h"

namespace CLI {
class App;
}

namespace sd::cli {

/// Thrown while the command line is parsed: `ndforge run NAME --help`. The program prints the help of the operation
/// after it has loaded libraries, which may have the operation.
struct OperationHelp {
  std::string name, verb;
};

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
  /// What the command line has besides these options: arguments of custom operations by name.
  std::function<std::vector<std::string>()> further;

  /// Adds the options to a subcommand, without the flag for help.
  void addTo(CLI::App& command, const char* dtypeHelp);

  /// Adds --help, which is about the operation when there is a name. The last of all options: the parser reads options
  /// in the order in which they are added, and the flag needs to know the name.
  void addHelpTo(CLI::App& command);

  /// The request for a numbered operation. @throws UsageError for a malformed number, shape or type, and for options of
  /// custom operations
  Request request() const;

  /// The request for the custom operation `op`. @throws UsageError for malformed values and for options of numbered
  /// operations
  CustomRequest customRequest(const CustomOp& op) const;
};

/// The dimensions of "1024x1024". @throws UsageError for text that is not a shape, and for too many dimensions or
/// elements
std::vector<LongType> parseShape(const std::string& text);

}  // namespace sd::cli

#endif
