// Fills argument structs from the positional lists of a call, from its inputs, and by name.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_READARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_READARGUMENTS_H

#include <graph/Context.h>
#include <ops/declarable/Schema.h>

#include <string_view>

namespace sd::ops {

/// Fills the context's argument struct: defaults, then the positional lists, the inputs that give arguments, and named
/// arguments. Checks the ranks of the inputs. The first `inputs` inputs are given, although their values may not be
/// known. @throws std::invalid_argument for arguments that are missing, unknown, incomplete or outside of their range
void readArguments(const Schema& schema, graph::Context& block, int inputs = 0);

/// Sets one argument of a struct by its name. @throws std::invalid_argument for an unknown name, and for a value of
/// another kind, with another number of elements or outside of the range
void assignArgument(const Schema& schema, void* arguments, std::string_view name, const ArgumentValue& value);

/// The values of an argument.
ArgumentValue argumentValue(const ArgumentRow& row, const void* arguments);

/// The element type of this name, as in FLOAT32 or float32. @throws std::invalid_argument when there is none
DataType typeNamed(std::string_view name);

/// The range of an argument: "1..4", "0…" without an upper end. That of a 32-bit integer always has both ends.
std::string rangeText(const ArgumentRow& row);

/// "first (0), second (1)".
std::string choicesText(const ArgumentRow& row);

}  // namespace sd::ops

#endif
