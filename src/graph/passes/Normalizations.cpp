// Multiplies the constant weights of a convolution by the factors of a normalisation with constant parameters.
#include <ops/declarable/headers/nn.h>

#include <cmath>

#include "graph/passes/Convolutions.h"

namespace sd::graph {
namespace {

/// The dimensions with which one factor for each output channel broadcasts with the weights; empty: not known.
std::vector<LongType> factorDims(const OpenNode& convolution, const ops::PartialShape& weights,
                                 ops::WeightLayout layout, LongType channels) {
  std::vector<LongType> dims(static_cast<size_t>(weights.rank()), 1);
  if (convolution.is("depthwise_conv2d")) {
    // The output channels are those of the input, each with its multiples.
    if (layout != ops::WeightLayout::HWIO) return {};
    dims.end()[-1] = weights[-1];
    dims.end()[-2] = weights[-2];
    return weights[-1] * weights[-2] == channels ? dims : std::vector<LongType>();
  }
  if (!isOneOf(convolution, {"conv1d", "conv2d", "conv3dnew"})) return {};
  const int axis = layout == ops::WeightLayout::HWIO ? weights.rank() - 1 : 0;
  dims[static_cast<size_t>(axis)] = channels;
  return weights[axis] == channels ? dims : std::vector<LongType>();
}

bool foldNormalization(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  if (!node.isPure || !node.is("batchnorm") || node.outputs.size() != 1 || node.inputs[0] < 0) return false;
  const ValueId y = node.inputs[0], old = node.outputs[0];
  const OpenNode* convolution = convolutionOf(graph, y);
  const auto a = convolution == nullptr ? std::nullopt : argumentsOf<ops::BatchNormalization>(graph, node);
  if (!a || a->axis.size() > 1) return false;
  const Layouts layouts = *layoutsOf(graph, *convolution);
  const ops::PartialShape& shape = graph.value(y).shape;
  if (!shape.isComplete() || (shape.type() != FLOAT32 && shape.type() != DOUBLE)) return false;
  const int axis = a->axis.empty() ? -1 : a->axis[0];
  if ((axis < 0 ? axis + shape.rank() : axis) != (layouts.channelsLast ? shape.rank() - 1 : 1)) return false;

  const size_t parameters = 3 + (a->applyScale ? 1 : 0) + (a->applyOffset ? 1 : 0);
  if (node.inputs.size() < parameters) return false;
  std::vector<const NDArray*> given;
  for (size_t i = 1; i < parameters; i++) {
    given.push_back(node.inputs[i] < 0 ? nullptr : graph.value(node.inputs[i]).constant);
    if (given.back() == nullptr) return false;
  }
  const NDArray* weights = graph.value(convolution->inputs[1]).constant;
  const NDArray* bias = biasOf(*convolution) < 0 ? nullptr : graph.value(biasOf(*convolution)).constant;
  if (weights == nullptr || weights->dataType() != shape.type() || (biasOf(*convolution) >= 0 && bias == nullptr))
    return false;
  const LongType channels = given[0]->lengthOf();
  const auto dims = factorDims(*convolution, graph.value(convolution->inputs[1]).shape, layouts.weights, channels);
  if (dims.empty()) return false;

  NDArray factors('c', {channels}, DOUBLE), offsets('c', {channels}, DOUBLE);
  for (LongType c = 0; c < channels; c++) {
    const auto at = [c](const NDArray* array) { return array->e<double>(c); };
    const double gamma = a->applyScale ? at(given[2]) : 1, beta = a->applyOffset ? at(given.back()) : 0;
    const double factor = gamma / std::sqrt(at(given[1]) + a->epsilon);
    // Sums that would not be finite must stay what they are.
    if (!std::isfinite(factor)) return false;
    factors.p(c, factor);
    offsets.p(c, ((bias == nullptr ? 0 : at(bias)) - at(given[0])) * factor + beta);
  }
  NDArray scaled = weights->cast(DOUBLE);
  scaled *= factors.reshape('c', dims);
  const NodeId writer = graph.value(y).writer;
  const ValueId x = convolution->inputs[0];
  const ValueId newWeights = graph.addConstant(std::make_unique<NDArray>(scaled.cast(shape.type())));
  const ValueId newBias = graph.addConstant(std::make_unique<NDArray>(offsets.cast(graph.value(old).shape.type())));
  return supersedeByNode(graph, old, addVariant(graph, writer, {x, newWeights, newBias}, {}));
}

}  // namespace

int foldNormalizations(OpenGraph& graph) { return forEachNode(graph, foldNormalization); }

}  // namespace sd::graph
