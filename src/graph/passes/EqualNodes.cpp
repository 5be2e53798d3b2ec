// Merges nodes that compute the same: the same operation with equal arguments on the same values.
#include <unordered_map>

#include "graph/passes/Pass.h"

namespace sd::graph {
namespace {

void mix(uint64_t& hash, uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29); }

bool isCommutative(const OpenNode& node) {
  const ops::Schema* schema = node.op()->getOpDescriptor()->statedSchema();
  return schema != nullptr && schema->isCommutative() && node.inputs.size() == 2;
}

std::vector<ValueId> orderedInputs(const OpenNode& node) {
  std::vector<ValueId> inputs = node.inputs;
  // The result's shape may follow the first operand.
  if (isCommutative(node) && inputs[0] > inputs[1]) std::swap(inputs[0], inputs[1]);
  return inputs;
}

uint64_t hashOf(const OpenNode& node) {
  uint64_t hash = static_cast<uint64_t>(node.op()->getOpHash());
  for (const ValueId input : orderedInputs(node)) mix(hash, static_cast<uint64_t>(input));
  mix(hash, node.node->getContextPrototype()->argumentsHash());
  return hash;
}

bool isEqual(const OpenGraph& graph, const OpenNode& a, const OpenNode& b) {
  if (a.op() != b.op() || a.outputs.size() != b.outputs.size() || orderedInputs(a) != orderedInputs(b)) return false;
  const ContextPrototype &x = *a.node->getContextPrototype(), &y = *b.node->getContextPrototype();
  if (!x.sameArguments(y) || a.node->namedArguments() != b.node->namedArguments() ||
      a.node->scalarOperand() != b.node->scalarOperand() || x.hasDataType() != y.hasDataType() ||
      x.dataType() != y.dataType())
    return false;
  for (size_t k = 0; k < a.outputs.size(); k++) {
    const ops::PartialShape &p = graph.value(a.outputs[k]).shape, &q = graph.value(b.outputs[k]).shape;
    if (!(p == q) || p.order() != q.order()) return false;
  }
  return true;
}

}  // namespace

int mergeEqualNodes(OpenGraph& graph) {
  std::unordered_multimap<uint64_t, NodeId> seen;
  seen.reserve(static_cast<size_t>(graph.nodes()));
  int merged = 0;
  for (NodeId id = 0; id < graph.nodes(); id++) {
    const OpenNode& node = graph.node(id);
    if (node.removed || !node.isPure) continue;
    const uint64_t hash = hashOf(node);
    const auto [begin, end] = seen.equal_range(hash);
    auto match = begin;
    while (match != end && !isEqual(graph, graph.node(match->second), node)) ++match;
    if (match == end) {
      seen.emplace(hash, id);
      continue;
    }
    for (size_t k = 0; k < node.outputs.size(); k++)
      graph.replace(node.outputs[k], graph.node(match->second).outputs[k]);
    graph.remove(id);
    merged++;
  }
  if (merged > 0) graph.sort();
  return merged;
}

}  // namespace sd::graph
