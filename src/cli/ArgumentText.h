// Arguments of operations in words, from the rows of schemas.
#ifndef NDFORGE_SRC_CLI_ARGUMENTTEXT_H
#define NDFORGE_SRC_CLI_ARGUMENTTEXT_H

#include <ops/declarable/Schema.h>

#include <string>

namespace sd::cli {

/// "--keep-dims" for keep_dims.
std::string optionOf(const ops::ArgumentRow& row);

/// With a decimal point: "1.0", "1e-05".
std::string realText(double value);

/// "[2, 2]", "0.5", "true", "same".
std::string argumentText(const ops::ArgumentRow& row, const ops::ArgumentValue& value);

/// The value in an argument struct, in the same form; empty when an optional one has none.
std::string valueText(const ops::ArgumentRow& row, const void* arguments);

/// The value when the argument is not given; empty when there is none.
std::string defaultText(const ops::Schema& schema, const ops::ArgumentRow& row);

/// "integer", "2 integers", "integers", "flag", …
std::string kindText(const ops::ArgumentRow& row);

/// "1 or more", "0..1"; empty without a range.
std::string rangeText(const ops::ArgumentRow& row);

/// Where the positional lists have the argument: "integers 0, 1", "booleans 0, else floats 0"; empty when they do not.
std::string placesText(const ops::ArgumentRow& row);

/// The gradient: an operation, "a rule", "none: reason"; empty when nothing is stated.
std::string gradientText(const ops::Schema& schema);

}  // namespace sd::cli

#endif
