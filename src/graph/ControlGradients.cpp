#include "graph/ControlGradients.h"

#include "graph/ConditionGradient.h"
#include "graph/LoopGradient.h"
#include "system/Error.h"

namespace sd::graph {

std::vector<std::pair<ValueId, ValueId>> controlGradients(OpenGraph& graph, NodeId id,
                                                          const std::vector<ValueId>& gradients,
                                                          const std::function<bool(ValueId)>& isDependent,
                                                          ControlChanges& changes) {
  const Node& node = *graph.node(id).node;
  if (isLoop(node)) return LoopGradient(graph, id, isDependent, changes).add(gradients);
  if (node.isLogic(logic::Conditional)) return ConditionGradient(graph, id, isDependent, changes).add(gradients);
  if (node.isLogic()) invalidArgument("of the nodes that control a graph, only While and Conditional have gradients");
  invalidArgument("there are no gradients through embedded graphs");
}

std::vector<char> dependentOutputs(OpenGraph& graph, NodeId id, const std::function<bool(ValueId)>& isDependent) {
  const OpenNode& node = graph.node(id);
  const bool hasColumns = isLoop(*node.node) && node.outputs.size() > LoopNode(*node.node, node.listed).values;
  if (!hasColumns) return std::vector<char>(node.outputs.size(), 1);
  ControlChanges none;
  return LoopGradient(graph, id, isDependent, none).dependentOutputs();
}

}  // namespace sd::graph
