// The call of a worked example from C++, from C and from the command line.
#ifndef NDFORGE_SRC_CLI_DOCS_CALLS_H
#define NDFORGE_SRC_CLI_DOCS_CALLS_H

#include <string>

#include "cli/docs/Worked.h"

namespace sd::cli::docs {

/// The call of the function of namespace nd, with the names of the arguments. Empty when there is no such function.
std::string cppCall(const WorkedExample& example);

/// The call with positional lists, or the method of arrays that calls a numbered operation. Empty when the lists do not
/// give the arguments of the example.
std::string positionalCall(const WorkedExample& example);

/// A complete function in C.
std::string cCall(const WorkedExample& example);

/// A line for the shell. Empty when the command cannot run the operation.
std::string commandLine(const WorkedExample& example);

// ---- parts of C and C++

/// "sd::NDArray x('c', {2}, {1, 2}, sd::FLOAT32);"
std::string declarationOf(const WorkedExample::Operand& operand);
/// "sd::FLOAT32"
std::string typeNameInCpp(DataType type);
/// An element as a literal: "1", "-0.5", "NAN", "INFINITY".
std::string literalOf(const NDArray& array, LongType index);

}  // namespace sd::cli::docs

#endif
