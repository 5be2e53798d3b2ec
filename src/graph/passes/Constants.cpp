// Computes nodes that read constants alone.
#include "graph/NodeCall.h"
#include "graph/passes/Pass.h"

namespace sd::graph {
namespace {

/// Larger results would take more memory than the work that they save is worth.
constexpr LongType MOST_ELEMENTS = LongType(1) << 24;

bool isFoldable(const OpenGraph& graph, const OpenNode& node) {
  if (!node.isPure || node.inputs.empty() || node.op()->schema().maskSeed() != nullptr) return false;
  bool any = false;
  for (const ValueId input : node.inputs) {
    if (input < 0) continue;
    if (graph.value(input).constant == nullptr) return false;
    any = true;
  }
  for (const ValueId output : node.outputs)
    if (graph.value(output).shape.length() > MOST_ELEMENTS) return false;
  return any;
}

}  // namespace

int foldConstants(OpenGraph& graph) {
  int folded = 0;
  for (NodeId id = 0; id < graph.nodes(); id++) {
    const OpenNode& node = graph.node(id);
    if (node.removed || !isFoldable(graph, node)) continue;
    const auto block = contextOf(*node.node);
    auto& inputs = block->fastpath_in();
    for (const ValueId input : node.inputs)
      inputs.push_back(input < 0 ? nullptr : const_cast<NDArray*>(graph.value(input).constant));
    Status status = Status::OK;
    try {
      status = node.op()->execute(block.get());
    } catch (...) {
      rethrowAt(placeOf(graph.origin(), *node.node));
    }
    // A failure shows when the node runs.
    if (status != Status::OK || block->fastpath_out().size() < node.outputs.size()) continue;
    const std::vector<ValueId> outputs = node.outputs;
    for (size_t k = 0; k < outputs.size(); k++)
      graph.replace(outputs[k], graph.addConstant(std::make_unique<NDArray>(*block->fastpath_out()[k])));
    graph.remove(id);
    folded++;
  }
  if (folded > 0) graph.sort();
  return folded;
}

}  // namespace sd::graph
