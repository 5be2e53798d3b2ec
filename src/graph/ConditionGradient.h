// The gradient of a Conditional: a Conditional that takes the same branch. Both branches of the first one return
// further values, with which the second one works.
#ifndef NDFORGE_SRC_GRAPH_CONDITIONGRADIENT_H
#define NDFORGE_SRC_GRAPH_CONDITIONGRADIENT_H

#include <map>
#include <memory>

#include "graph/ControlGradient.h"
#include "graph/ScopeGradient.h"

namespace sd::graph {

class ConditionGradient final : public ControlGradient {
 public:
  using ControlGradient::ControlGradient;

  Pairs add(const std::vector<ValueId>& gradients) override;

 private:
  struct Branch {
    int scope = 0;
    std::unique_ptr<ScopeGradient> gradient;
    std::map<ValueId, ValueId> found;  // by value of the graph: its gradient in the branch
    std::vector<Name> returned;        // what the branch gives in the end
  };

  Branch _branches[2];

  void pullBack(Branch& branch, const std::vector<ValueId>& gradients);
  void listReturned(Branch& branch) const;
  Name constant(NDArray array);
  /// The value from outside that alone decides which branch is taken; ABSENT_INPUT when the condition computes.
  Name decision(int test) const;
};

}  // namespace sd::graph

#endif
