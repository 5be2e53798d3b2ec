// Gradients as nodes of an open graph.
#ifndef NDFORGE_SRC_GRAPH_DIFFERENTIATION_H
#define NDFORGE_SRC_GRAPH_DIFFERENTIATION_H

#include <vector>

#include "graph/OpenGraph.h"

namespace sd::graph {

/// Adds the nodes that compute the gradients of a value with respect to the parameters. Some of the nodes may not be
/// needed; nodes are not put into order. @throws std::invalid_argument, as addGradients() does
std::vector<ValueId> differentiate(OpenGraph& graph, ValueId value, const std::vector<ValueId>& parameters);

}  // namespace sd::graph

#endif
