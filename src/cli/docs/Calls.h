// Examples of how to call an operation from C++ and from the command line.
#ifndef NDFORGE_SRC_CLI_DOCS_CALLS_H
#define NDFORGE_SRC_CLI_DOCS_CALLS_H

#include <string>
#include <vector>

#include "cli/docs/Catalogue.h"

namespace sd::cli::docs {

/// An extra parameter of a numbered operation, parsed from its formula: "extra: a, b".
struct ExtraParameter {
  std::string name, text;
  bool required = false;
};

std::vector<ExtraParameter> extraParameters(const loops::NumberedOp& op);

/// C++ statements that call the operation. Arrays and arguments are variables with the names from the documentation;
/// optional inputs and arguments are included when they have a name or a default.
std::string cppCall(const Item& item);

/// A line for the shell, with numbers for the arguments. Empty when the command cannot run the operation.
std::string commandLine(const Item& item);

/// The order of the arguments in commandLine(): "--int: kH, kW, sH, sW". One line for each option that it uses.
std::vector<std::string> commandNotes(const Item& item);

}  // namespace sd::cli::docs

#endif
