// Arguments of operations by name: --kernel 2,2 --layout nhwc.
#ifndef NDFORGE_SRC_CLI_NAMEDARGUMENTS_H
#define NDFORGE_SRC_CLI_NAMEDARGUMENTS_H

#include <ops/declarable/Arguments.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/Custom.h"

namespace sd::cli {

using NamedArguments = std::vector<std::pair<std::string, ops::ArgumentValue>>;

/// The value of an argument from its text: "2,2", "0.5", "true", "nhwc", "int64". @throws UsageError
ops::ArgumentValue argumentFrom(const CustomOp& op, const ops::ArgumentRow& row, const std::string& text);

/// Reads what the command line has besides its own options: "--kernel" "2,2", "--kernel=2,2", "--keep-dims" for a flag.
/// @throws UsageError for names that the operation does not have, and for malformed values
NamedArguments namedArguments(const CustomOp& op, const std::vector<std::string>& words);

/// @throws UsageError when there are such words: for operations without named arguments
void refuseNamedArguments(const std::string& operation, const std::vector<std::string>& words);

}  // namespace sd::cli

#endif
