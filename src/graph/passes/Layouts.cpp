// Removes pairs of permutations around convolutions and what follows them, which run on the other layout instead.
#include <loops/OpGroup.h>
#include <ops/declarable/headers/convo.h>
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/pooling.h>

#include <string_view>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

/// From images with channels first to such with channels last, and back.
const std::vector<int> TO_LAST{0, 2, 3, 1}, TO_FIRST{0, 3, 1, 2};

/// Operations on one array, element by element.
bool isElementwise(const OpenNode& node) {
  if (node.inputs.size() != 1) return false;
  if (const auto group = groupOf(node.node->opType())) {
    const loops::OpFamily family = loops::traitsOf(*group).family;
    return family == loops::OpFamily::Transform || family == loops::OpFamily::Scalar;
  }
  const ops::Schema* schema = node.op()->getOpDescriptor()->statedSchema();
  if (schema == nullptr) return false;
  const std::string_view numbered = schema->elementwise();
  return numbered.substr(0, 10) == "transform." || numbered.substr(0, 7) == "scalar.";
}

template <typename S>
std::optional<NamedArguments> otherLayout(const OpenGraph& graph, const OpenNode& node, bool channelsLast) {
  const auto a = argumentsOf<S>(graph, node);
  if (!a || (a->layout == ops::ImageLayout::NHWC) != channelsLast) return std::nullopt;
  return NamedArguments{{"layout", ops::choiceArgument(channelsLast ? "nchw" : "nhwc")}};
}

/// The arguments with which a node computes the same on the other layout; nothing when it does not.
std::optional<NamedArguments> converted(const OpenGraph& graph, const OpenNode& node, bool channelsLast) {
  if (isElementwise(node)) return NamedArguments();
  if (isOneOf(node, {"conv2d", "depthwise_conv2d", "deconv2d", "sconv2d"}))
    return otherLayout<ops::Convolution2d>(graph, node, channelsLast);
  if (node.is("pointwise_conv2d")) return otherLayout<ops::PointwiseConvolution>(graph, node, channelsLast);
  if (node.is("maxpool2d")) return otherLayout<ops::Pooling2d>(graph, node, channelsLast);
  if (node.is("avgpool2d")) return otherLayout<ops::AveragePooling2d>(graph, node, channelsLast);
  if (node.is("pnormpool2d")) return otherLayout<ops::NormPooling2d>(graph, node, channelsLast);
  if (node.is("biasadd")) {
    const auto a = argumentsOf<ops::ChannelBias>(graph, node);
    if (!a || a->channelsFirst == channelsLast) return std::nullopt;
    return NamedArguments{{"channels_first", ops::flagArgument(channelsLast)}};
  }
  if (node.is("batchnorm")) {
    const auto a = argumentsOf<ops::BatchNormalization>(graph, node);
    if (!a || a->axis.size() != 1) return std::nullopt;
    const int axis = a->axis[0] < 0 ? a->axis[0] + 4 : a->axis[0];
    return NamedArguments{
        {"axis", ops::integersArgument({(channelsLast ? TO_LAST : TO_FIRST)[static_cast<size_t>(axis)]})}};
  }
  return std::nullopt;
}

struct Link {
  NodeId node;
  NamedArguments arguments;
};

/// `id` is the second permutation of a pair.
bool removePair(OpenGraph& graph, NodeId id) {
  const auto second = permutationOf(graph, graph.node(id));
  if (!second || (*second != TO_LAST && *second != TO_FIRST)) return false;
  // What the nodes between the permutations see.
  const bool channelsLast = *second == TO_FIRST;
  std::vector<Link> chain;
  ValueId at = graph.node(id).inputs[0];
  while (true) {
    const OpenNode* writer = graph.writerOf(at);
    if (writer == nullptr) return false;
    const auto first = permutationOf(graph, *writer);
    if (first) {
      if (*first != (channelsLast ? TO_LAST : TO_FIRST)) return false;
      at = writer->inputs[0];
      break;
    }
    writer = onlyReadWriterOf(graph, at);
    if (writer == nullptr || writer->inputs.empty() || writer->inputs[0] < 0 ||
        graph.value(writer->inputs[0]).shape.rank() != 4)
      return false;
    auto arguments = converted(graph, *writer, channelsLast);
    if (!arguments) return false;
    chain.push_back({graph.value(at).writer, std::move(*arguments)});
    at = writer->inputs[0];
  }
  if (chain.empty()) return false;  // the pass "chains" removes it
  NodeId added = -1;
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    std::vector<ValueId> inputs = graph.node(link->node).inputs;
    inputs[0] = at;
    added = addVariant(graph, link->node, std::move(inputs), link->arguments);
    at = graph.node(added).outputs[0];
  }
  return supersedeByNode(graph, graph.node(id).outputs[0], added);
}

}  // namespace

int chooseLayouts(OpenGraph& graph) { return forEachNode(graph, removePair); }

}  // namespace sd::graph
