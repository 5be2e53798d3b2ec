// The contracts of nodes.
#ifndef NDFORGE_SRC_GRAPH_NODECONTRACT_H
#define NDFORGE_SRC_GRAPH_NODECONTRACT_H

#include <graph/Node.h>
#include <graph/Operation.h>

#include <memory>

namespace sd::graph {

/// The contract of a node whose operation is a class; nullptr for other operations, and when an argument may be an
/// input.
std::unique_ptr<Operation> classContractOf(const Node& node);

}  // namespace sd::graph

#endif
