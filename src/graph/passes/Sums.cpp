// Lets operations add their results to sums: x + f(y) becomes one node, which may write over x.
#include <ops/simple/SimpleOp.h>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

bool addToSum(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  if (!node.is("add") || node.inputs.size() != 2 || node.inputs[0] < 0 || node.inputs[1] < 0) return false;
  const ValueId result = node.outputs[0];
  for (const size_t k : {1, 0}) {
    const ValueId added = node.inputs[k], sum = node.inputs[1 - k];
    const OpenNode* writer = graph.writerOf(added);
    const auto* op = writer == nullptr ? nullptr : dynamic_cast<const ops::SimpleOperation*>(writer->op());
    const OpenValue& value = graph.value(added);
    if (op == nullptr || !writer->isPure || value.readers != 1 || value.isResult) continue;
    if (!isSameShape(graph, added, result) || !isSameShape(graph, sum, result)) continue;
    // Nodes are in order: a sum that is computed before cannot depend on what is added to it.
    if (graph.value(sum).writer >= value.writer) continue;
    const auto place = static_cast<size_t>(op->sumInput(value.output));
    if (place < writer->inputs.size() && writer->inputs[place] >= 0) continue;
    graph.giveInput(value.writer, place, sum);
    supersede(graph, result, added);
    return true;
  }
  return false;
}

}  // namespace

int addToSums(OpenGraph& graph) { return forEachNode(graph, addToSum); }

}  // namespace sd::graph
