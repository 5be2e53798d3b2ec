// Removes nodes that return their input.
#include "graph/passes/Pass.h"

namespace sd::graph {
namespace {

/// Whether output 0 is input 0, bit for bit.
bool returnsInput(const OpenGraph& graph, const OpenNode& node) {
  if (!node.isPure || node.outputs.size() != 1 || node.inputs.empty() || node.inputs[0] < 0) return false;
  const ops::PartialShape &in = graph.value(node.inputs[0]).shape, &out = graph.value(node.outputs[0]).shape;
  if (!in.isComplete() || !(in == out) || in.order() != out.order()) return false;
  static constexpr const char* NAMES[] = {"identity", "stop_gradient", "reshape",    "reshapeas",
                                          "squeeze",  "cast",          "flatten_2d", "transform.Identity"};
  for (const char* name : NAMES)
    if (node.is(name)) return true;
  return false;
}

}  // namespace

int removeIdentities(OpenGraph& graph) {
  int removed = 0;
  for (NodeId id = 0; id < graph.nodes(); id++) {
    const OpenNode& node = graph.node(id);
    if (node.removed || !returnsInput(graph, node)) continue;
    graph.replace(node.outputs[0], node.inputs[0]);
    graph.remove(id);
    removed++;
  }
  if (removed > 0) graph.sort();
  return removed;
}

}  // namespace sd::graph
