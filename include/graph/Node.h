// The parts of graph nodes: an operation, its variables and its context.
#ifndef NDFORGE_GRAPH_NODE_H
#define NDFORGE_GRAPH_NODE_H

#include <graph/Context.h>
#include <graph/ContextPrototype.h>
#include <graph/Variable.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpDescriptor.h>

#endif
