// What passes share: questions about nodes, and nodes put in the place of others.
#ifndef NDFORGE_SRC_GRAPH_PASSES_REWRITE_H
#define NDFORGE_SRC_GRAPH_PASSES_REWRITE_H

#include <ops/declarable/DeclarableOp.h>

#include <initializer_list>
#include <optional>
#include <string_view>

#include "call/argument_values.h"
#include "graph/NodeCall.h"
#include "graph/OpenGraph.h"

namespace sd::graph {

// ---- questions

bool isOneOf(const OpenNode& node, std::initializer_list<const char*> operations);
/// "Add" for pairwise.Add, scalar.Add and broadcast.Add; empty for nodes that are none of these.
std::string_view elementOperation(const OpenNode& node);

/// The call of a node with its arguments read; nullptr when some are in inputs whose values are not known.
std::unique_ptr<Context> readCall(const OpenGraph& graph, const OpenNode& node);

/// The arguments of a node; nothing when they are not known, or those of another operation.
template <typename S>
std::optional<S> argumentsOf(const OpenGraph& graph, const OpenNode& node) {
  const auto block = readCall(graph, node);
  if (block == nullptr || !block->argumentBlock().holds(ops::argumentStruct<S>)) return std::nullopt;
  return ops::arguments<S>(*block);
}

/// Dimension k of the result is dimension [k] of the input. Nothing unless the node is permute or transpose and its
/// permutation is known.
std::optional<std::vector<int>> permutationOf(const OpenGraph& graph, const OpenNode& node);
bool isIdentity(const std::vector<int>& permutation);
/// The node that writes the value, if it is pure, has one output and nobody but one input reads it; else nullptr.
const OpenNode* onlyReadWriterOf(const OpenGraph& graph, ValueId value);
/// Whether types, sizes and memory orders are known and equal.
bool isSameShape(const OpenGraph& graph, ValueId a, ValueId b);

// ---- changes

/// A node like `like`, with other inputs and these arguments.
NodeId addVariant(OpenGraph& graph, NodeId like, std::vector<ValueId> inputs, const NamedArguments& arguments);
/// Removes the writer of a value that nobody reads, and then those whose values it alone has read, if they are pure.
void removeUnreadWriters(OpenGraph& graph, ValueId value);
/// Whoever read `old` reads `replacement` from then on, and the nodes that are not needed for it any more are removed.
void supersede(OpenGraph& graph, ValueId old, ValueId replacement);
/// The same with the output of a node that was added for it. Where its type, shape or memory order differ, the new node
/// and what was added for it are removed instead. Returns whether it stayed.
bool supersedeByNode(OpenGraph& graph, ValueId old, NodeId added);

/// Calls change(graph, id) for each node that is there now, and puts nodes in order. Returns how often it was true.
template <typename F>
int forEachNode(OpenGraph& graph, F&& change) {
  int changes = 0;
  for (NodeId id = 0, count = graph.nodes(); id < count; id++)
    if (!graph.node(id).removed && change(graph, id)) changes++;
  if (changes > 0) graph.sort();
  return changes;
}

}  // namespace sd::graph

#endif
