// Loops, conditions and embedded graphs as steps of plans.
#ifndef NDFORGE_SRC_GRAPH_CONTROLSTEPS_H
#define NDFORGE_SRC_GRAPH_CONTROLSTEPS_H

#include <memory>

#include "graph/OpenGraph.h"
#include "graph/Plan.h"

namespace sd::graph {

/// Whether plans can run the graph: lists of arrays need an Interpreter, and so do frames and branches of Switch and
/// Merge unless structuredFlow() finds another form for them.
bool isPlannable(const Graph& graph);

/// The step of a node that is no operation, which makes plans with the same settings; nullptr for kinds that plans do
/// not run.
std::unique_ptr<ControlStep> controlStep(const OpenGraph& graph, const OpenNode& node, const PlanSettings& settings);

}  // namespace sd::graph

#endif
