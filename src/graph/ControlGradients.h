// Gradients through loops and conditions.
//
// That of a While is an Unwind: it goes through the iterations once more, from the last to the first, with the
// gradients of the loop's values as its values, and adds up those of what the body reads from outside. Its scope
// computes the gradient of the body from the values that the While has kept (KeptValues.h). That of a Conditional is a
// Conditional that takes the same branch; both branches of the first one return further values, with which the second
// one works.
#ifndef NDFORGE_SRC_GRAPH_CONTROLGRADIENTS_H
#define NDFORGE_SRC_GRAPH_CONTROLGRADIENTS_H

#include <functional>
#include <utility>
#include <vector>

#include "graph/ControlChanges.h"

namespace sd::graph {

/// Adds the node that computes the gradients of what a control node and its scopes read. `gradients`: of its outputs,
/// -1 where there is none. @returns values with gradients that are to be added to them
/// @throws std::invalid_argument for other nodes than While and Conditional
std::vector<std::pair<ValueId, ValueId>> controlGradients(OpenGraph& graph, NodeId id,
                                                          const std::vector<ValueId>& gradients,
                                                          const std::function<bool(ValueId)>& isDependent,
                                                          ControlChanges& changes);

}  // namespace sd::graph

#endif
