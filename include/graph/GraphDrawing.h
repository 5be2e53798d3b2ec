// Graphs as pictures and tables.
#ifndef NDFORGE_GRAPH_GRAPHDRAWING_H
#define NDFORGE_GRAPH_GRAPHDRAWING_H

#include <graph/Graph.h>
#include <ops/declarable/PartialShape.h>
#include <system/common.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sd::graph {

struct DrawingOptions {
  /// Types and shapes of placeholders, by name or number; those that are left out are what the graph says. Types and
  /// shapes of results are inferred from them.
  std::vector<std::pair<std::string, ops::PartialShape>> inputs = {};
};

/// Types and shapes of values by the number of their node or variable, and that of the output. What is not known is
/// left out, or unknown in the shape.
using ValueShapes = std::map<std::pair<int, int>, ops::PartialShape>;

/// The types and shapes of inputs, variables and what nodes compute, as far as they can be inferred; those of nodes in
/// scopes are left out. Where inference fails, as in loops made of frames, only those of inputs and variables remain.
/// @throws std::invalid_argument for unknown inputs, and for given shapes that do not fit the operations
SD_LIB_EXPORT ValueShapes shapesOf(const Graph& graph, const DrawingOptions& options = {});

/// The nodes with their operations, names and arguments that differ from the defaults; the types and shapes of values
/// where they are known; placeholders, variables, constants and results; scopes and embedded graphs as frames.
/// All throw std::invalid_argument for unknown inputs and for given shapes that do not fit the operations, and what
/// Graph::buildGraph throws.

/// A graph in the language of Graphviz.
SD_LIB_EXPORT std::string dotOf(const Graph& graph, const DrawingOptions& options = {});

/// A picture that needs no further program: layers of nodes from top to bottom.
SD_LIB_EXPORT std::string svgOf(const Graph& graph, const DrawingOptions& options = {});

/// Tables of inputs, variables, results and nodes.
SD_LIB_EXPORT std::string tableOf(const Graph& graph, const DrawingOptions& options = {});

}  // namespace sd::graph

#endif
