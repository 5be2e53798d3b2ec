// Argument structs from arguments by name.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_FILL_ARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_FILL_ARGUMENTS_H

#include <ops/declarable/Schema.h>
#include <symbol/Symbol.h>

#include <string>
#include <utility>
#include <vector>

namespace sd::ops {

/// The arguments of a call: those that are named, and the defaults of the others. The block holds them.
/// @throws std::invalid_argument as assignArgument()
CallArguments fillArguments(const Schema& schema, const std::vector<std::pair<std::string, ArgumentValue>>& named,
                            ArgumentBlock& block);

}  // namespace sd::ops

#endif
