// The classes with which graphs are executed.
#ifndef NDFORGE_GRAPH_GRAPHEXECUTIONER_H
#define NDFORGE_GRAPH_GRAPHEXECUTIONER_H

#include <graph/Graph.h>
#include <graph/RandomGenerator.h>
#include <graph/VariableProxy.h>
#include <graph/VariablesSet.h>

#endif
