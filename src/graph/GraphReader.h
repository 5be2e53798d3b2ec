// Reads graphs from FlatBuffers.
#ifndef NDFORGE_SRC_GRAPH_GRAPHREADER_H
#define NDFORGE_SRC_GRAPH_GRAPHREADER_H

#include <graph/Graph.h>

namespace sd::graph {

/// Adds the nodes, variables, results and settings of `flat` to `graph`, which is empty.
void readGraph(const FlatGraph& flat, Graph& graph);

}  // namespace sd::graph

#endif
