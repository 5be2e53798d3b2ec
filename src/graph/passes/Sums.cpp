// Lets operations add their results to sums: x + f(y) becomes one node, which may write over x.
#include <ops/declarable/headers/blas.h>
#include <ops/simple/SimpleOp.h>

#include <algorithm>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

/// sum + added, where nobody else reads `added`, the output of a pure node.
struct Addition {
  ValueId sum, added, result;
  NodeId writer;  // of `added`; the sum cannot depend on it
};

/// Whether a node may wait for a sum that is computed later: its inputs are there from the beginning. Those of others
/// would have to stay in memory until then, and the sum might need another of its outputs.
bool mayWait(const OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  return node.outputs.size() == 1 && std::all_of(node.inputs.begin(), node.inputs.end(), [&graph](ValueId input) {
           return input < 0 || graph.value(input).writer < 0;
         });
}

/// A simple operation has an input for the sum.
bool giveToSimple(OpenGraph& graph, const Addition& a) {
  const OpenNode& writer = graph.node(a.writer);
  const auto* op = dynamic_cast<const ops::SimpleOperation*>(writer.op());
  if (op == nullptr) return false;
  const auto place = static_cast<size_t>(op->sumInput(graph.value(a.added).output));
  if (place < writer.inputs.size() && writer.inputs[place] >= 0) return false;
  graph.giveInput(a.writer, place, a.sum);
  supersede(graph, a.result, a.added);
  return true;
}

/// Whether a node may write over the value, because nobody but one input reads it. Products that are added to another
/// value would be added to a copy, which takes longer than to add them afterwards with what follows.
bool isPassing(const OpenGraph& graph, ValueId value) { return onlyReadWriterOf(graph, value) != nullptr; }

/// sum + matmul(x, y) = addmm(sum, x, y)
bool joinProduct(OpenGraph& graph, const Addition& a) {
  const OpenNode& product = graph.node(a.writer);
  if (!product.is("matmul") || product.inputs.size() != 2 || !isPassing(graph, a.sum)) return false;
  const auto m = argumentsOf<ops::Matmul>(graph, product);
  if (!m || m->beta != 0) return false;
  const auto factorType = [&](size_t i) { return graph.value(product.inputs[i]).shape.type(); };
  const DataType type = graph.value(a.result).shape.type();
  if (factorType(0) != type || factorType(1) != type) return false;
  const NodeId added = graph.addCall("addmm", {a.sum, product.inputs[0], product.inputs[1]},
                                     {{"transpose_a", ops::flagArgument(m->transposeA)},
                                      {"transpose_b", ops::flagArgument(m->transposeB)},
                                      {"transpose_out", ops::flagArgument(m->transposeOut)},
                                      {"alpha", ops::numberArgument(m->alpha)}});
  return supersedeByNode(graph, a.result, added);
}

bool isZeros(const OpenGraph& graph, ValueId value) {
  const OpenNode* writer = graph.writerOf(value);
  return writer != nullptr && writer->is("zeros_as");
}

/// sum + scatter_add(zeros, indices, updates) = scatter_add(sum, indices, updates)
bool joinScatter(OpenGraph& graph, const Addition& a) {
  const OpenNode& scatter = graph.node(a.writer);
  if (!isOneOf(scatter, {"scatter_add", "scatter_nd_add"}) || !isZeros(graph, scatter.inputs[0])) return false;
  std::vector<ValueId> inputs = scatter.inputs;
  inputs[0] = a.sum;
  return supersedeByNode(graph, a.result, addVariant(graph, a.writer, std::move(inputs), {}));
}

bool addToSum(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  if (!node.is("add") || node.inputs.size() != 2 || node.inputs[0] < 0 || node.inputs[1] < 0) return false;
  const ValueId result = node.outputs[0];
  for (const size_t k : {1, 0}) {
    const Addition a{node.inputs[1 - k], node.inputs[k], result, graph.value(node.inputs[k]).writer};
    if (a.writer < 0 || !graph.node(a.writer).isPure) continue;
    const OpenValue& value = graph.value(a.added);
    if (value.readers != 1 || value.isResult) continue;
    if (!isSameShape(graph, a.added, result) || !isSameShape(graph, a.sum, result)) continue;
    if (graph.value(a.sum).writer >= a.writer && !mayWait(graph, a.writer)) continue;
    if (giveToSimple(graph, a) || joinProduct(graph, a) || joinScatter(graph, a)) return true;
  }
  return false;
}

}  // namespace

int addToSums(OpenGraph& graph) {
  int changes = 0;
  // From the last node to the first, because nodes that are added stand after all others: a sum of sums that are
  // computed already would seem to be computed after what is added to it.
  for (NodeId id = graph.nodes() - 1; id >= 0; id--)
    if (!graph.node(id).removed && addToSum(graph, id)) changes++;
  if (changes > 0) graph.sort();
  return changes;
}

}  // namespace sd::graph
