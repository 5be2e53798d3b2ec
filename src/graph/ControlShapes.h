// What is known of the outputs of control nodes, from their scopes.
#ifndef NDFORGE_SRC_GRAPH_CONTROLSHAPES_H
#define NDFORGE_SRC_GRAPH_CONTROLSHAPES_H

#include <vector>

#include "graph/OpenGraph.h"

namespace sd::graph {

/// What a branch returns in place of a value that it does not have and that only the gradient of the other branch
/// reads: an array without elements, of a shape that programs do not use.
NDArray nothing();

/// Types and shapes of the outputs of a While, an Unwind or a Conditional, for gradients: where one branch
/// returns nothing(), it is what the other one returns. Empty for other nodes and for scopes that do not fit together.
std::vector<ops::PartialShape> inferControl(OpenGraph& graph, NodeId id);

}  // namespace sd::graph

#endif
