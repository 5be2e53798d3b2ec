// Gradients that take less memory: values between checkpoints are not kept but computed again.
//
// Nodes of the backward pass that read such a value read it from a copy of the node that computes it. The copies read
// checkpoints through an `identity_n` whose second input is the gradient that has been computed last. So they are other
// nodes than the first ones, which no pass merges with them, and they run when the gradient arrives, not earlier. Plans
// make no copy for an identity_n (PlanMemory.cpp).
#ifndef NDFORGE_SRC_GRAPH_CHECKPOINTS_H
#define NDFORGE_SRC_GRAPH_CHECKPOINTS_H

#include <vector>

#include "graph/OpenGraph.h"

namespace sd::graph {

/// Lets the nodes from `first` on, which compute `gradients` of `value`, read values between the checkpoints from nodes
/// that compute them once more. Kept are checkpoints, variables, the results of nodes that draw random numbers, have
/// side effects, or are loops and conditions, and what is computed after the last checkpoint.
void recomputeBetween(OpenGraph& graph, NodeId first, ValueId value, const std::vector<ValueId>& checkpoints,
                      const std::vector<ValueId>& gradients);

/// The nodes from `first` on whose outputs are needed for these values.
std::vector<bool> neededNodes(const OpenGraph& graph, NodeId first, const std::vector<ValueId>& values);

}  // namespace sd::graph

#endif
