// Gradients of a value of a graph, as further nodes of the graph.
#ifndef NDFORGE_GRAPH_GRADIENTS_H
#define NDFORGE_GRAPH_GRADIENTS_H

#include <symbol/Symbol.h>
#include <system/common.h>

#include <string>
#include <utility>
#include <vector>

namespace sd::graph {

class Graph;

/// Where the backward pass of a loop or a condition gets the values of its nodes from.
enum class LoopValues {
  Keep,       ///< each iteration keeps those that the gradient reads
  Recompute,  ///< each iteration keeps the values of the loop with which it begins, and computes the others again
};

struct GradientOptions {
  /// Of `While` and `Conditional` nodes. What draws random numbers or has side effects is kept in any case.
  LoopValues loops = LoopValues::Keep;
  /// Names or numbers of values. If there are any, the backward pass finds these, variables, what was drawn at random
  /// and what loops and conditions computed in memory, and computes all other values again from them, part by part.
  std::vector<std::string> checkpoints = {};
};

/// Adds nodes that compute the gradients of a value with respect to others, from the rules in the schemas of the
/// operations. Where the value is no scalar, they are the gradients of its sum.
///
/// `value` and `parameters` are names or numbers, as in SessionOptions::results; parameters are variables, placeholders
/// or outputs of nodes, of real types. The shapes of placeholders need not be known, but some rules need ranks or
/// sizes.
/// @return the node and the output of each gradient, which has the shape and the type of its parameter; a variable if
/// the gradient is constant
/// @throws std::invalid_argument for unknown names, when the value does not depend on a parameter, and for operations
/// without a gradient on the way, with the way; the graph is then as before
SD_LIB_EXPORT std::vector<std::pair<int, int>> addGradients(Graph& graph, const std::string& value,
                                                            const std::vector<std::string>& parameters);
SD_LIB_EXPORT std::vector<std::pair<int, int>> addGradients(Graph& graph, const std::string& value,
                                                            const std::vector<std::string>& parameters,
                                                            const GradientOptions& options);

}  // namespace sd::graph

namespace sd::nd {

/// The gradients of a value with respect to others, as symbols: see graph::addGradients().
SD_LIB_EXPORT std::vector<Symbol> grad(const Symbol& value, const std::vector<Symbol>& parameters);

}  // namespace sd::nd

#endif
