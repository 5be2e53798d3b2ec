// The body of a While or an Unwind, opened with what is known of the values in every iteration.
#ifndef NDFORGE_SRC_GRAPH_LOOPBODY_H
#define NDFORGE_SRC_GRAPH_LOOPBODY_H

#include <memory>
#include <vector>

#include "graph/LoopNode.h"
#include "graph/ScopeGradient.h"

namespace sd::graph {

/// What is known of a value that has one shape or the other.
ops::PartialShape either(const ops::PartialShape& a, const ops::PartialShape& b);

/// A vector of unknown size.
ops::PartialShape vectorOf(DataType type);

class LoopBody {
 public:
  /// @throws std::invalid_argument for scopes that do not fit the node
  LoopBody(OpenGraph& graph, NodeId id, ControlChanges& changes);

  const LoopNode& loop() const { return _loop; }
  ScopeGradient& scope() const { return *_scope; }
  /// Of the values and the columns, in all iterations.
  const std::vector<ops::PartialShape>& shapes() const { return _shapes; }
  /// Value e after an iteration, in the body.
  ValueId next(size_t e) const { return _next[e]; }
  /// The gradient of a column which the loop puts together, in the body.
  ValueId columnGradient(size_t gradient) const;

 private:
  const LoopNode _loop;
  std::unique_ptr<ScopeGradient> _scope;
  std::vector<ops::PartialShape> _shapes;
  std::vector<ValueId> _next;
};

}  // namespace sd::graph

#endif
