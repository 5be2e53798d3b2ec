// How an operation is called: from C++ and from the command line.
#ifndef NDFORGE_SRC_CLI_DOCS_CALLS_H
#define NDFORGE_SRC_CLI_DOCS_CALLS_H

#include <string>
#include <vector>

#include "cli/docs/Catalogue.h"

namespace sd::cli::docs {

/// An extra parameter of a numbered operation, as its formula names them: "extra: a, b".
struct ExtraParameter {
  std::string name, text;
  bool required = false;
};

std::vector<ExtraParameter> extraParameters(const loops::NumberedOp& op);

/// Statements of C++. Arrays and arguments are variables with the names that the documentation gives them; optional
/// inputs and arguments are there where they have a name or a default of their own.
std::string cppCall(const Item& item);

/// A line for the shell, with numbers for the arguments. Empty when the command cannot run the operation.
std::string commandLine(const Item& item);

/// Which argument stands where in commandLine(): "--int: kH, kW, sH, sW". One line for each option with several values.
std::vector<std::string> commandNotes(const Item& item);

}  // namespace sd::cli::docs

#endif
