// Moves transposes of matrices into the products that read or write them.
#include <ops/declarable/headers/blas.h>
#include <ops/declarable/headers/nn.h>

#include <algorithm>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

/// Whether the last two dimensions change places and the others stay.
bool swapsMatrices(const OpenGraph& graph, const OpenNode& node) {
  auto permutation = permutationOf(graph, node);
  if (!permutation || permutation->size() < 2) return false;
  std::swap(permutation->end()[-1], permutation->end()[-2]);
  return isIdentity(*permutation);
}

struct Flags {
  bool a, b, out;
};

/// The flags of a product of matrices; nothing for other nodes and for vectors, which are not transposed.
std::optional<Flags> flagsOf(const OpenGraph& graph, const OpenNode& node) {
  if (!node.isPure || node.outputs.size() != 1) return std::nullopt;
  const bool affine = node.is("xw_plus_b");
  if (!affine && !node.is("matmul")) return std::nullopt;
  for (const size_t i : {0, 1})
    if (node.inputs.size() <= i || node.inputs[i] < 0 || graph.value(node.inputs[i]).shape.rank() < 2)
      return std::nullopt;
  if (affine) {
    const auto a = argumentsOf<ops::AffineProduct>(graph, node);
    if (!a) return std::nullopt;
    return Flags{a->transposeA, a->transposeB, a->transposeOut};
  }
  const auto a = argumentsOf<ops::Matmul>(graph, node);
  if (!a) return std::nullopt;
  return Flags{a->transposeA, a->transposeB, a->transposeOut};
}

/// Whether a product is added in the place of the value `old`.
bool multiply(OpenGraph& graph, NodeId like, std::vector<ValueId> inputs, const Flags& flags, ValueId old) {
  const NodeId added = addVariant(graph, like, std::move(inputs),
                                  {{"transpose_a", ops::flagArgument(flags.a)},
                                   {"transpose_b", ops::flagArgument(flags.b)},
                                   {"transpose_out", ops::flagArgument(flags.out)}});
  return supersedeByNode(graph, old, added);
}

/// Transposes of the operands. A transpose that has other readers stays, but the product need not wait for it.
bool absorbOperands(OpenGraph& graph, NodeId id) {
  auto flags = flagsOf(graph, graph.node(id));
  if (!flags) return false;
  std::vector<ValueId> inputs = graph.node(id).inputs;
  bool any = false;
  for (const size_t i : {0, 1}) {
    const OpenNode* writer = graph.writerOf(inputs[i]);
    if (writer == nullptr || !swapsMatrices(graph, *writer)) continue;
    bool& flag = i == 0 ? flags->a : flags->b;
    flag = !flag;
    inputs[i] = writer->inputs[0];
    any = true;
  }
  return any && multiply(graph, id, std::move(inputs), *flags, graph.node(id).outputs[0]);
}

/// The transpose of a product that nobody else reads.
bool absorbInto(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  if (!swapsMatrices(graph, node)) return false;
  const OpenNode* product = onlyReadWriterOf(graph, node.inputs[0]);
  auto flags = product == nullptr ? std::nullopt : flagsOf(graph, *product);
  if (!flags) return false;
  flags->out = !flags->out;
  return multiply(graph, graph.value(node.inputs[0]).writer, product->inputs, *flags, node.outputs[0]);
}

}  // namespace

int absorbTransposes(OpenGraph& graph) {
  int absorbed = 0;
  const NodeId count = graph.nodes();
  for (NodeId id = 0; id < count; id++)
    if (!graph.node(id).removed && absorbOperands(graph, id)) absorbed++;
  // Products that were added stand after the nodes that were there.
  for (NodeId id = 0; id < count; id++)
    if (!graph.node(id).removed && absorbInto(graph, id)) absorbed++;
  if (absorbed > 0) graph.sort();
  return absorbed;
}

}  // namespace sd::graph
