// Branches of Switch and Merge, and loops of frames, as conditions and loops with scopes, which plans can run.
#ifndef NDFORGE_SRC_GRAPH_STRUCTUREDFLOW_H
#define NDFORGE_SRC_GRAPH_STRUCTUREDFLOW_H

#include <graph/Graph.h>

#include <memory>
#include <utility>
#include <vector>

namespace sd::graph {

/// A graph with the same results, in which
/// - nodes between Switch nodes of one condition and the Merge nodes that join their outputs are scopes of a
///   Conditional: each Merge has one input of either branch, and nobody else reads what the branches compute;
/// - a loop of frames is a While: Merge nodes of an Enter and a NextIteration, all of whose Switch nodes have the same
///   condition, and whose values leave the loop through Exit nodes alone.
/// Merge, Enter and Exit nodes stay, as identities. Its variables are on top of those of `graph`, which must outlive
/// it. Returns nullptr when something is left that is neither, when a result is computed within a loop or branch, and
/// when nodes there are random, have side effects or write variables.
std::unique_ptr<Graph> structuredFlow(const Graph& graph, const std::vector<std::pair<int, int>>& results);

}  // namespace sd::graph

#endif
