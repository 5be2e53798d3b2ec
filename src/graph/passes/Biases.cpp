// Gives convolutions the bias that is added to their result, and multiplies constant weights by the factors of a
// normalisation that follows.
#include <ops/declarable/headers/convo.h>
#include <ops/declarable/headers/nn.h>

#include <cmath>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

constexpr std::initializer_list<const char*> IMAGES = {"conv2d", "depthwise_conv2d", "deconv2d"},
                                             VOLUMES = {"conv3dnew", "deconv3d"};

/// What matters of the arguments of a convolution.
struct Layouts {
  bool channelsLast;
  ops::WeightLayout weights;
};

template <typename S>
std::optional<Layouts> layoutsBy(const OpenGraph& graph, const OpenNode& node) {
  const auto a = argumentsOf<S>(graph, node);
  if (!a) return std::nullopt;
  return Layouts{static_cast<int>(a->layout) != 0, a->weightLayout};
}

std::optional<Layouts> layoutsOf(const OpenGraph& graph, const OpenNode& node) {
  if (isOneOf(node, IMAGES)) return layoutsBy<ops::Convolution2d>(graph, node);
  if (isOneOf(node, VOLUMES)) return layoutsBy<ops::Convolution3d>(graph, node);
  if (node.is("conv1d")) return layoutsBy<ops::Convolution1d>(graph, node);
  if (node.is("pointwise_conv2d")) return layoutsBy<ops::PointwiseConvolution>(graph, node);
  return std::nullopt;
}

/// The convolution that writes a value, if nothing else reads it.
const OpenNode* convolutionOf(const OpenGraph& graph, ValueId value) {
  const OpenNode* node = onlyReadWriterOf(graph, value);
  if (node == nullptr || node->inputs.size() < 2 || node->inputs[0] < 0 || node->inputs[1] < 0) return nullptr;
  return layoutsOf(graph, *node) ? node : nullptr;
}

ValueId biasOf(const OpenNode& convolution) { return convolution.inputs.size() > 2 ? convolution.inputs[2] : -1; }

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
  return graph.node(graph.addCall("reshape", {value}, {{"shape", integersArgument({length})}})).outputs[0];
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

// ---- normalisation

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

template <typename F>
int forEachNode(OpenGraph& graph, F&& change) {
  int changes = 0;
  for (NodeId id = 0, count = graph.nodes(); id < count; id++)
    if (!graph.node(id).removed && change(graph, id)) changes++;
  if (changes > 0) graph.sort();
  return changes;
}

}  // namespace

int joinBiases(OpenGraph& graph) { return forEachNode(graph, joinBias); }

int foldNormalizations(OpenGraph& graph) { return forEachNode(graph, foldNormalization); }

}  // namespace sd::graph
