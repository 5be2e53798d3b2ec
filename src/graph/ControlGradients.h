// Gradients through loops and conditions: LoopGradient.h and ConditionGradient.h.
#ifndef NDFORGE_SRC_GRAPH_CONTROLGRADIENTS_H
#define NDFORGE_SRC_GRAPH_CONTROLGRADIENTS_H

#include <functional>
#include <utility>
#include <vector>

#include "graph/ControlChanges.h"

namespace sd::graph {

/// Adds the node that computes the gradients of what a control node and its scopes read. `gradients`: of its outputs,
/// -1 where there is none. @returns values with gradients that are to be added to them
/// @throws std::invalid_argument for other nodes than While, Unwind and Conditional
std::vector<std::pair<ValueId, ValueId>> controlGradients(OpenGraph& graph, NodeId id,
                                                          const std::vector<ValueId>& gradients,
                                                          const std::function<bool(ValueId)>& isDependent,
                                                          ControlChanges& changes);

/// For each output of a node with dependent inputs, whether parameters may influence it. Columns of loops are told
/// apart; of all other nodes it is every output.
std::vector<char> dependentOutputs(OpenGraph& graph, NodeId id, const std::function<bool(ValueId)>& isDependent);

}  // namespace sd::graph

#endif
