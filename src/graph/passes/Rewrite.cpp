#include "graph/passes/Rewrite.h"

#include <ops/declarable/headers/shape.h>

#include <algorithm>
#include <numeric>

#include "graph/NodeCall.h"

namespace sd::graph {

bool isOneOf(const OpenNode& node, std::initializer_list<const char*> operations) {
  return std::any_of(operations.begin(), operations.end(), [&node](const char* name) { return node.is(name); });
}

std::string_view elementOperation(const OpenNode& node) {
  if (node.op() == nullptr) return {};
  const std::string_view name = *node.op()->getOpName();
  for (const std::string_view group : {"pairwise.", "scalar.", "broadcast."})
    if (name.substr(0, group.size()) == group) return name.substr(group.size());
  return {};
}

std::unique_ptr<Context> readCall(const OpenGraph& graph, const OpenNode& node) {
  auto block = contextOf(*node.node);
  std::vector<ops::PartialShape> shapes;
  std::vector<const NDArray*> constants;
  for (const ValueId input : node.inputs) {
    shapes.push_back(input < 0 ? ops::PartialShape::absent() : graph.value(input).shape);
    constants.push_back(input < 0 ? nullptr : graph.value(input).constant);
  }
  if (inferOutputs(*node.node, *block, shapes, constants, graph.origin()).empty() ||
      block->argumentBlock().unread() != 0)
    return nullptr;
  return block;
}

std::optional<std::vector<int>> permutationOf(const OpenGraph& graph, const OpenNode& node) {
  if (!node.isPure || !isOneOf(node, {"permute", "transpose"})) return std::nullopt;
  const int rank = graph.value(node.inputs[0]).shape.rank();
  const auto given = rank < 0 ? std::nullopt : argumentsOf<ops::Permute>(graph, node);
  if (!given) return std::nullopt;
  std::vector<int> permutation = given->permutation;
  if (permutation.empty()) {
    permutation.resize(static_cast<size_t>(rank));
    std::iota(permutation.rbegin(), permutation.rend(), 0);
  }
  if (static_cast<int>(permutation.size()) != rank) return std::nullopt;
  for (int& axis : permutation)
    if (axis < 0) axis += rank;
  return permutation;
}

bool isIdentity(const std::vector<int>& permutation) {
  for (size_t k = 0; k < permutation.size(); k++)
    if (permutation[k] != static_cast<int>(k)) return false;
  return true;
}

const OpenNode* onlyReadWriterOf(const OpenGraph& graph, ValueId value) {
  const OpenNode* writer = graph.writerOf(value);
  if (writer == nullptr || !writer->isPure || writer->outputs.size() != 1) return nullptr;
  const OpenValue& open = graph.value(value);
  return open.readers == 1 && !open.isResult ? writer : nullptr;
}

bool isSameShape(const OpenGraph& graph, ValueId a, ValueId b) {
  const ops::PartialShape &x = graph.value(a).shape, &y = graph.value(b).shape;
  return x.isComplete() && x == y && x.order() == y.order();
}

NodeId addVariant(OpenGraph& graph, NodeId like, std::vector<ValueId> inputs, const NamedArguments& arguments) {
  std::unique_ptr<Node> node(graph.node(like).node->clone());
  for (const auto& [name, value] : arguments) node->setArgument(name, value);
  return graph.addNode(std::move(node), std::move(inputs));
}

void removeUnreadWriters(OpenGraph& graph, ValueId value) {
  std::vector<ValueId> unread{value};
  while (!unread.empty()) {
    const OpenNode* writer = graph.writerOf(unread.back());
    unread.pop_back();
    if (writer == nullptr || writer->removed || !writer->isPure) continue;
    const bool read = std::any_of(writer->outputs.begin(), writer->outputs.end(), [&graph](ValueId output) {
      return graph.value(output).readers > 0 || graph.value(output).isResult;
    });
    if (read) continue;
    for (const ValueId input : writer->inputs)
      if (input >= 0) unread.push_back(input);
    graph.remove(graph.value(writer->outputs[0]).writer);
  }
}

void supersede(OpenGraph& graph, ValueId old, ValueId replacement) {
  graph.replace(old, replacement);
  removeUnreadWriters(graph, old);
}

bool supersedeByNode(OpenGraph& graph, ValueId old, NodeId added) {
  const ValueId made = graph.node(added).outputs[0];
  if (!isSameShape(graph, old, made)) {
    removeUnreadWriters(graph, made);
    return false;
  }
  supersede(graph, old, made);
  return true;
}

}  // namespace sd::graph
