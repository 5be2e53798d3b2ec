// Merges nodes that compute the same: the same operation with equal arguments on the same values.
#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>

#include "graph/NodeContract.h"
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

uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }

uint64_t hashOf(const OpenNode& node) {
  uint64_t hash = static_cast<uint64_t>(node.op()->getOpHash());
  for (const ValueId input : orderedInputs(node)) mix(hash, static_cast<uint64_t>(input));
  if (const auto contract = classContractOf(*node.node)) {
    mix(hash, contract->hash());
    return hash;
  }
  mix(hash, node.node->getContextPrototype()->argumentsHash());
  mix(hash, bitsOf(node.node->scalarOperand().value_or(0)));
  for (const auto& [name, value] : node.node->namedArguments()) {
    mix(hash, std::hash<std::string>()(name));
    mix(hash, std::hash<std::string>()(value.name));
    for (const LongType integer : value.integers) mix(hash, static_cast<uint64_t>(integer));
    for (const double number : value.numbers) mix(hash, bitsOf(number));
  }
  return hash;
}

/// 0 and -0 are different arguments: x / 0 and x / -0 have different signs.
bool isEqual(const ops::ArgumentValue& a, const ops::ArgumentValue& b) {
  return a == b && std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(),
                              [](double x, double y) { return bitsOf(x) == bitsOf(y); });
}

bool hasEqualArguments(const Node& a, const Node& b) {
  // A class decides itself which of its parameters matter.
  if (const auto contract = classContractOf(a)) {
    const auto other = classContractOf(b);
    return other != nullptr && contract->equals(*other);
  }
  const ContextPrototype &x = *a.getContextPrototype(), &y = *b.getContextPrototype();
  const auto &p = a.namedArguments(), &q = b.namedArguments();
  const auto isSame = [](const auto& one, const auto& other) {
    return one.first == other.first && isEqual(one.second, other.second);
  };
  return x.sameArguments(y) && x.hasDataType() == y.hasDataType() && x.dataType() == y.dataType() &&
         a.scalarOperand().has_value() == b.scalarOperand().has_value() &&
         bitsOf(a.scalarOperand().value_or(0)) == bitsOf(b.scalarOperand().value_or(0)) &&
         std::equal(p.begin(), p.end(), q.begin(), q.end(), isSame);
}

bool isEqual(const OpenGraph& graph, const OpenNode& a, const OpenNode& b) {
  if (a.op() != b.op() || a.outputs.size() != b.outputs.size() || orderedInputs(a) != orderedInputs(b)) return false;
  if (!hasEqualArguments(*a.node, *b.node)) return false;
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
