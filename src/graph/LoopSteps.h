// Loops as steps of plans.
#ifndef NDFORGE_SRC_GRAPH_LOOPSTEPS_H
#define NDFORGE_SRC_GRAPH_LOOPSTEPS_H

#include <graph/Session.h>

#include <memory>

#include "graph/OpenGraph.h"
#include "graph/Plan.h"

namespace sd::graph {

/// The step of a While or an Unwind. `options`: of the plans of its scopes.
std::unique_ptr<ControlStep> loopStep(const OpenGraph& graph, const OpenNode& node, const SessionOptions& options);

}  // namespace sd::graph

#endif
