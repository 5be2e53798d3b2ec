// Gives convolutions the bias that is added to their result.
#include <ops/declarable/headers/nn.h>

#include "graph/passes/Convolutions.h"

namespace sd::graph {
namespace {

/// Whether an array of this shape has one element for each channel of y.
bool isPerChannel(const ops::PartialShape& bias, const ops::PartialShape& y, bool channelsLast) {
  const int channel = channelsLast ? y.rank() - 1 : 1;
  if (!bias.isComplete() || bias.rank() > y.rank() || bias.type() != y.type() || bias.length() != y[channel])
    return false;
  for (int d = 0; d < bias.rank(); d++) {
    const int axis = d + y.rank() - bias.rank();
    if (axis != channel && bias[d] != 1) return false;
  }
  return bias.rank() > 0 && (bias.rank() >= y.rank() - channel || bias.length() == 1);
}

/// The value as a vector.
ValueId flattened(OpenGraph& graph, ValueId value) {
  const OpenValue& open = graph.value(value);
  if (open.shape.rank() == 1) return value;
  const LongType length = open.shape.length();
  if (open.constant != nullptr)
    return graph.addConstant(std::make_unique<NDArray>(open.constant->reshape('c', {length})));
  return graph.node(graph.addCall("reshape", {value}, {{"shape", ops::integersArgument({length})}})).outputs[0];
}

bool joinBias(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  const bool named = node.is("biasadd");
  if (!node.isPure || node.inputs.size() != 2 || (!named && !node.is("add"))) return false;
  for (const size_t y : {0, 1}) {
    if (node.inputs[0] < 0 || node.inputs[1] < 0 || (named && y == 1)) return false;
    const ValueId sum = node.inputs[y], bias = node.inputs[1 - y];
    const OpenNode* convolution = convolutionOf(graph, sum);
    if (convolution == nullptr || biasOf(*convolution) >= 0) continue;
    const bool channelsLast = layoutsOf(graph, *convolution)->channelsLast;
    const ops::PartialShape &shape = graph.value(sum).shape, &biasShape = graph.value(bias).shape;
    if (!shape.isComplete() || !isSameShape(graph, sum, node.outputs[0])) continue;
    if (named) {
      const auto a = argumentsOf<ops::ChannelBias>(graph, node);
      if (!a || a->channelsFirst == channelsLast || biasShape.rank() != 1 || biasShape.type() != shape.type()) continue;
    } else if (!isPerChannel(biasShape, shape, channelsLast)) {
      continue;
    }
    const NodeId writer = graph.value(sum).writer;
    const ValueId x = convolution->inputs[0], weights = convolution->inputs[1], old = node.outputs[0];
    const ValueId vector = flattened(graph, bias);
    return supersedeByNode(graph, old, addVariant(graph, writer, {x, weights, vector}, {}));
  }
  return false;
}

}  // namespace

int joinBiases(OpenGraph& graph) { return forEachNode(graph, joinBias); }

}  // namespace sd::graph
