// Gradients of operations that compute gradients, NAME_bp and NAME_grad. Inputs and outputs are matched by their names
// unless a BackwardCall is given, as they are when the gradient of NAME is computed: gradZ is the gradient of z.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BACKWARD_RULES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BACKWARD_RULES_H

#include <ops/declarable/Gradient.h>

#include <vector>

namespace sd::ops {

/// How a call of an operation that computes gradients belongs to a call of NAME. An index of -1: there is none.
struct BackwardCall {
  DeclarableOp& forward;
  CallArguments arguments;     ///< of NAME
  std::vector<int> inputs;     ///< for each input of NAME the input that is its value
  std::vector<int> gradients;  ///< for each output of NAME the input that is its gradient
  std::vector<int> results;    ///< for each input of NAME the output that is its gradient
};

/// What `rule` of NAME computes is differentiated.
void differentiateRule(Gradient& g, const BackwardCall& call, GradientFunction rule);
/// The same for operations whose inputs and outputs have names that belong together.
void differentiateRule(Gradient& g, GradientFunction rule);

/// The same with the rule that NAME states.
void backwardRule(Gradient& g);
/// The same with RULE, where NAME states an operation alone.
template <GradientFunction RULE>
void backwardOf(Gradient& g) {
  differentiateRule(g, RULE);
}

/// NAME is linear in all inputs that have gradients together, as a slice or a sum are.
void linearBackwardRule(Gradient& g);
/// NAME is linear in input 0 and in input 1, as a product or a convolution are. Input 2, if there is one besides the
/// gradient, is added.
void bilinearBackwardRule(Gradient& g);
/// Where NAME chooses elements by their values, as a maximum does: the elements of the gradients of the outputs that
/// were chosen, with their factors, 0 elsewhere. `gradient`: the input that is the gradient of the result.
Symbol chosenElements(Gradient& g, int gradient);

}  // namespace sd::ops

#endif
