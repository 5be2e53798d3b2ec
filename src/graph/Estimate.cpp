// The memory that the results of a graph need.
#include <graph/Graph.h>

#include <limits>
#include <map>

#include "graph/NodeCall.h"

namespace sd::graph {
namespace {

constexpr LongType MOST = std::numeric_limits<LongType>::max();

/// The shapes that a graph states may be of any size.
LongType bytesOf(const ops::PartialShape& shape, DataType type) {
  auto bytes = static_cast<LongType>(DataTypeUtils::sizeOf(type));
  if (shape.isEmpty()) return 0;
  for (const LongType size : shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) return MOST;
  return bytes;
}

}  // namespace

LongType Graph::estimateRequiredMemory() {
  buildGraph();
  std::map<std::pair<int, int>, ops::PartialShape> shapes;
  const auto known = [&](const std::pair<int, int>& place, const NDArray** constant) {
    const auto found = shapes.find(place);
    if (found != shapes.end()) return found->second;
    if (!_variables->hasVariable(place)) return ops::PartialShape();
    const Variable& variable = *_variables->getVariable(place);
    if (variable.hasNDArray()) {
      *constant = variable.getNDArray();
      return ops::PartialShape::of(variable.getNDArray()->shapeInfo());
    }
    return variable.shape().empty() ? ops::PartialShape() : ops::PartialShape(INHERIT, variable.shape());
  };
  LongType bytes = 0;
  for (const auto& layer : _layers)
    for (const Node* node : layer) {
      if (!node->hasCustomOp()) continue;
      std::vector<ops::PartialShape> inputs;
      std::vector<const NDArray*> constants;
      for (const auto& input : node->inputs()) {
        constants.push_back(nullptr);
        inputs.push_back(input == ABSENT_INPUT ? ops::PartialShape::absent() : known(input, &constants.back()));
      }
      const auto block = contextOf(*node);
      const std::vector<ops::PartialShape> outputs = inferOutputs(*node, *block, inputs, constants, _origin);
      for (size_t k = 0; k < outputs.size(); k++) {
        shapes[{node->id(), static_cast<int>(k)}] = outputs[k];
        if (node->isInplace() || !(outputs[k].isEmpty() || outputs[k].hasKnownSizes())) continue;
        const DataType type = outputs[k].hasType() ? outputs[k].type() : node->dataType();
        if (!DataTypeUtils::isS(type) && __builtin_add_overflow(bytes, bytesOf(outputs[k], type), &bytes)) return MOST;
      }
    }
  return bytes;
}

}  // namespace sd::graph
