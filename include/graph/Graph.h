// The parts of graphs: nodes, and the variables between them.
#ifndef NDFORGE_GRAPH_GRAPH_H
#define NDFORGE_GRAPH_GRAPH_H

#include <graph/FlowPath.h>
#include <graph/Node.h>
#include <graph/Stash.h>
#include <graph/VariableSpace.h>

#endif
