#include "ops/declarable/fill_arguments.h"

#include "ops/declarable/ReadArguments.h"

namespace sd::ops {

CallArguments fillArguments(const Schema& schema, const std::vector<std::pair<std::string, ArgumentValue>>& named,
                            ArgumentBlock& block) {
  const ArgumentStruct* structure = schema.structure();
  void* data = structure == nullptr ? nullptr : block.prepare(*structure);
  for (const auto& [name, value] : named) assignArgument(schema, data, name, value);
  return structure == nullptr ? CallArguments() : CallArguments(structure, data);
}

}  // namespace sd::ops
