#include "graph/passes/Convolutions.h"

namespace sd::graph {
namespace {

constexpr std::initializer_list<const char*> IMAGES = {"conv2d", "depthwise_conv2d", "deconv2d"},
                                             VOLUMES = {"conv3dnew", "deconv3d"};

template <typename S>
std::optional<Layouts> layoutsBy(const OpenGraph& graph, const OpenNode& node) {
  const auto a = argumentsOf<S>(graph, node);
  if (!a) return std::nullopt;
  return Layouts{static_cast<int>(a->layout) != 0, a->weightLayout};
}

}  // namespace

std::optional<Layouts> layoutsOf(const OpenGraph& graph, const OpenNode& node) {
  if (isOneOf(node, IMAGES)) return layoutsBy<ops::Convolution2d>(graph, node);
  if (isOneOf(node, VOLUMES)) return layoutsBy<ops::Convolution3d>(graph, node);
  if (node.is("conv1d")) return layoutsBy<ops::Convolution1d>(graph, node);
  if (node.is("pointwise_conv2d")) return layoutsBy<ops::PointwiseConvolution>(graph, node);
  return std::nullopt;
}

const OpenNode* convolutionOf(const OpenGraph& graph, ValueId value) {
  const OpenNode* node = onlyReadWriterOf(graph, value);
  if (node == nullptr || node->inputs.size() < 2 || node->inputs[0] < 0 || node->inputs[1] < 0) return nullptr;
  return layoutsOf(graph, *node) ? node : nullptr;
}

ValueId biasOf(const OpenNode& convolution) { return convolution.inputs.size() > 2 ? convolution.inputs[2] : -1; }

}  // namespace sd::graph
