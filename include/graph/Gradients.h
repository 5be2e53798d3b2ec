// Gradients and tangents of a value of a graph, as further nodes of the graph.
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
  /// The name or number of a value of the shape and type of the differentiated one: the gradients are those of the sum
  /// of its products with it. Empty: ones.
  std::string headGradient{};
  /// Parameters that do not influence the value have the gradient 0. Otherwise they are an error.
  bool allowUnused = false;
  /// Of `While` and `Conditional` nodes. What draws random numbers or has side effects is kept in any case.
  LoopValues loops = LoopValues::Keep;
  /// Names or numbers of values. If there are any, the backward pass finds these, variables, what was drawn at random
  /// and what loops and conditions computed in memory, and computes all other values again from them, part by part.
  std::vector<std::string> checkpoints = {};
};

/// Adds nodes that compute the gradients of a value with respect to others, from the rules in the schemas of the
/// operations. Where the value is no scalar, they are the gradients of its sum. The gradients can be differentiated
/// again; docs/gradients.md lists the operations that have second derivatives.
///
/// `value` and `parameters` are names or numbers, as in SessionOptions::results; parameters are variables, placeholders
/// or outputs of nodes, of real types. The shapes of placeholders need not be known, but some rules need ranks or
/// sizes.
/// @return the node and the output of each gradient, which has the shape and the type of its parameter; a variable if
/// the gradient is constant
/// @throws std::invalid_argument for unknown names, when the value does not depend on a parameter, and for operations
/// without a gradient on the way, with the way; the graph is then as before
SD_LIB_EXPORT std::vector<std::pair<int, int>> addGradients(Graph& graph, const std::string& value,
                                                            const std::vector<std::string>& parameters,
                                                            const GradientOptions& options = {});

/// Adds nodes that compute how a value changes when others do, to the first order: the product of its Jacobian matrix
/// with the tangents. It takes about as long as one more evaluation, however many elements the value has.
///
/// `tangents`: pairs of a parameter and its change, which has its shape and type; names or numbers as above. `value`
/// depends on at least one of the parameters.
/// @return the node and the output of the change of the value
/// @throws std::invalid_argument as addGradients() does, and where the gradient of an operation on the way cannot be
/// differentiated with respect to the gradient that comes in; the graph is then as before
SD_LIB_EXPORT std::pair<int, int> addTangents(Graph& graph,
                                              const std::vector<std::pair<std::string, std::string>>& tangents,
                                              const std::string& value);

}  // namespace sd::graph

namespace sd::nd {

/// The gradients of a value with respect to others, as symbols: see graph::addGradients(). Options name values by
/// symbols as well: {.checkpoints = {h1, h2}}.
SD_LIB_EXPORT std::vector<Symbol> grad(const Symbol& value, const std::vector<Symbol>& parameters,
                                       const graph::GradientOptions& options = {});

/// Marks a value: grad() of values of its graph keeps marked values, and computes the others again when the gradient
/// needs them (GradientOptions::checkpoints). Returns the symbol.
SD_LIB_EXPORT Symbol checkpoint(const Symbol& value);

/// How a value changes, to the first order, when others change by their tangents: pairs of a symbol and its change. See
/// graph::addTangents().
SD_LIB_EXPORT Symbol jvp(const Symbol& value, const std::vector<std::pair<Symbol, Symbol>>& tangents);

}  // namespace sd::nd

#endif
