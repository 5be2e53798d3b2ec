// What the nodes of a file may not do.
#ifndef NDFORGE_SRC_GRAPH_GRAPHCHECKS_H
#define NDFORGE_SRC_GRAPH_GRAPHCHECKS_H

#include <graph/Graph.h>

#include <memory>
#include <vector>

namespace sd::graph {

/// The largest number of a node and of a variable, apart from its sign: others can be added without an overflow.
inline constexpr int LARGEST_NUMBER = 1 << 30;

/// @throws std::runtime_error for numbers that are taken or out of range, and for inputs that name outputs far beyond
/// those that a graph of this size can have
void checkNumbers(const std::vector<std::unique_ptr<Node>>& nodes, const std::string& origin);

/// Checks which scopes run which. @throws sd::graph_exception for scopes that run each other in a circle, too deep, or
/// so many times that the graph cannot be compiled
void checkNesting(const Graph& graph);

/// Checks the scopes of a graph that has all of its nodes. @throws sd::unresolved_input_exception for inputs of nodes
/// in scopes that are neither nodes nor variables, and what checkNesting() throws
void checkScopes(const Graph& graph);

}  // namespace sd::graph

#endif
