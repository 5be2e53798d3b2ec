// Reads graphs from FlatBuffers.
#ifndef NDFORGE_SRC_GRAPH_GRAPHREADER_H
#define NDFORGE_SRC_GRAPH_GRAPHREADER_H

#include <graph/Graph.h>

namespace sd::graph {

/// Adds the nodes, variables, results and settings of `flat` to `graph`, which has no nodes, and puts the nodes into
/// layers. Nothing is expected of the graph but what verifiedGraph() has checked.
/// @throws sd::unresolved_input_exception, sd::graph_exception and std::runtime_error; the messages begin with the
/// graph's origin
void readGraph(const FlatGraph& flat, Graph& graph);

}  // namespace sd::graph

#endif
