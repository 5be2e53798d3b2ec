// Arguments of operations as pairs of strings.
#ifndef NDFORGE_OPS_SIMPLE_KWARGS_H
#define NDFORGE_OPS_SIMPLE_KWARGS_H

#include <ops/declarable/Arguments.h>

#include <string>
#include <utility>
#include <vector>

namespace sd::ops {

class DeclarableOp;
class Schema;

/// Names and values of arguments: {{"slope", "0.1"}, {"kernel", "3,3"}}.
using Kwargs = std::vector<std::pair<std::string, std::string>>;

/// The arguments that the pairs mean, for Context::setArgument or Node::setArgument. Lists are separated by commas,
/// flags are true or false, types and choices have their names.
/// @throws std::invalid_argument for an unknown key, a key that is given twice, and a value of another type or outside
/// of its range; the message lists the valid keys with their types, ranges and defaults
SD_LIB_EXPORT std::vector<std::pair<std::string, ArgumentValue>> parseKwargs(DeclarableOp& op, const Kwargs& pairs);

/// The pairs that mean these arguments, which are the struct of the schema.
SD_LIB_EXPORT Kwargs kwargsOf(const Schema& schema, const void* arguments);

}  // namespace sd::ops

#endif
