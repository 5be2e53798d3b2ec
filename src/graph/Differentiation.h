// Gradients as nodes of an open graph.
#ifndef NDFORGE_SRC_GRAPH_DIFFERENTIATION_H
#define NDFORGE_SRC_GRAPH_DIFFERENTIATION_H

#include <utility>
#include <vector>

#include "graph/ControlChanges.h"

namespace sd::graph {

/// Adds the nodes that compute the gradients of a value with respect to the parameters. Some of the nodes may not be
/// needed; nodes are not put into order. @throws std::invalid_argument, as addGradients() does
std::vector<ValueId> differentiate(OpenGraph& graph, ValueId value, const std::vector<ValueId>& parameters,
                                   ControlChanges& changes);

/// The same for several values, from their gradients. @returns -1 for parameters without a gradient
std::vector<ValueId> pullBackGradients(OpenGraph& graph, const std::vector<std::pair<ValueId, ValueId>>& heads,
                                       const std::vector<ValueId>& parameters, ControlChanges& changes);

/// For each value, whether a parameter influences it.
std::vector<char> dependentValues(OpenGraph& graph, const std::vector<ValueId>& parameters);

}  // namespace sd::graph

#endif
