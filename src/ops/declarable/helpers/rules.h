// Gradient rules that operations share.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RULES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RULES_H

#include <ops/declarable/Gradient.h>

#include <initializer_list>

namespace sd::ops {

/// Output i is a copy of input i.
void copyRule(Gradient& g);
/// The output has the elements of input 0, in their c order.
void reshapeRule(Gradient& g);
/// The operation is linear in input 0 and its own transpose, as a projection is: the gradient goes the same way.
void symmetricRule(Gradient& g);
/// Every element of the outputs is an element of one of the inputs `inputs`, and which one does not depend on their
/// values; elements that the operation adds itself have to be 0. The operation is called once for each of these inputs,
/// on the positions of its elements. `type`: of the positions, INT64 or, for operations on floats, DOUBLE.
void moves(Gradient& g, std::initializer_list<int> inputs, DataType type = INT64);
template <int... INPUTS>
void movingRule(Gradient& g) {
  moves(g, {INPUTS...});
}

/// x, or its conjugate when it is complex.
Symbol conjugate(Gradient& g, Symbol x);

/// z = f(x) element by element: the gradient is of(0) * SLOPE(g, x, z).
template <Symbol (*SLOPE)(Gradient& g, Symbol x, Symbol z)>
void elementRule(Gradient& g) {
  g.set(0, g.of() * SLOPE(g, g.input(0), g.output()));
}

/// z = f(x, y) element by element, broadcast: BY_X and BY_Y are the terms that are summed to the shapes of x and y. A
/// null function: none.
template <Symbol (*BY_X)(Gradient& g, Symbol x, Symbol y, Symbol z),
          Symbol (*BY_Y)(Gradient& g, Symbol x, Symbol y, Symbol z)>
void pairRule(Gradient& g) {
  const Symbol x = g.input(0), y = g.input(1), z = g.output();
  if constexpr (BY_X != nullptr) g.set(0, g.sumTo(BY_X(g, x, y, z), x));
  if constexpr (BY_Y != nullptr) g.set(1, g.sumTo(BY_Y(g, x, y, z), y));
}

}  // namespace sd::ops

#endif
