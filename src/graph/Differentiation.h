// Gradients as nodes of an open graph.
#ifndef NDFORGE_SRC_GRAPH_DIFFERENTIATION_H
#define NDFORGE_SRC_GRAPH_DIFFERENTIATION_H

#include <string>
#include <utility>
#include <vector>

#include "graph/ControlChanges.h"

namespace sd::graph {

/// A value that is differentiated, and the gradient that starts there.
struct Head {
  ValueId value;
  ValueId gradient;  ///< -1: ones
};

/// In place of a gradient: integers lie on every way from the parameter.
inline constexpr ValueId BY_INTEGERS = -2;

/// Adds the nodes that compute the gradients of the sum of all heads with respect to the parameters; -1
/// where a parameter does not influence them. Some of the nodes may not be needed; nodes are not put into order.
/// `caller`: messages begin with it, as in "[gradients] ". @throws std::invalid_argument, as addGradients() does
std::vector<ValueId> differentiate(OpenGraph& graph, const std::vector<Head>& heads,
                                   const std::vector<ValueId>& parameters, ControlChanges& changes, const char* caller);

/// The same without errors for parameters, from pairs of a value and its gradient. @returns -1 for parameters without a
/// gradient
std::vector<ValueId> pullBackGradients(OpenGraph& graph, const std::vector<std::pair<ValueId, ValueId>>& heads,
                                       const std::vector<ValueId>& parameters, ControlChanges& changes);

/// For each value, whether a parameter influences it.
std::vector<char> dependentValues(OpenGraph& graph, const std::vector<ValueId>& parameters);

/// Whether values of this type have gradients. A value of unknown type is taken for one.
bool isReal(const ops::PartialShape& shape);
/// @throws std::invalid_argument for a type that has no gradients
void requireReal(const OpenGraph& graph, ValueId value, const char* caller);
/// "[gradients] ", and where the graph is from.
std::string placeText(const OpenGraph& graph, const char* caller);

}  // namespace sd::graph

#endif
