// The gradient of a While or an Unwind: an Unwind.
//
// It goes through the iterations of the loop once more, the other way round. Its values are the gradients of the loop's
// values and the sums of the gradients of what the body reads from outside. Its scope computes the gradient of the body
// from columns: those that the loop itself reads, those that it keeps, and the gradients of these. The gradient of a
// column that the loop reads is put together from those of its values, so that it is an array like the column, and the
// gradients of several readers can be added up.
#ifndef NDFORGE_SRC_GRAPH_LOOPGRADIENT_H
#define NDFORGE_SRC_GRAPH_LOOPGRADIENT_H

#include "graph/ControlGradient.h"
#include "graph/LoopBody.h"

namespace sd::graph {

class LoopGradient final : public ControlGradient {
 public:
  LoopGradient(OpenGraph& graph, NodeId id, const IsDependent& isDependent, ControlChanges& changes);

  Pairs add(const std::vector<ValueId>& gradients) override;
  /// For each output, whether parameters influence it. Of the values only columns are told apart.
  std::vector<char> dependentOutputs();

 private:
  const LoopBody _body;
  const LoopNode& _loop;
  ScopeGradient& _scope;
  const std::vector<ops::PartialShape>& _shapes;
  std::vector<char> _dependent;  // by value of the body

  /// The gradient of something that each iteration gives to a column.
  struct ColumnHead {
    ValueId value, placeholder;  // in the body
    ValueId elements;            // the gradients of all iterations
    size_t group;                // of the loop; their number stands for what it keeps
    LongType number;
  };
  std::vector<ColumnHead> _columnHeads;
  std::vector<size_t> _states;                           // the values that have gradients
  std::vector<std::pair<ValueId, ValueId>> _parameters;  // from outside, with gradients: in the body, in the graph
  std::vector<size_t> _gradedColumns;                    // those of the loop that have gradients

  // ---- the new node

  LoopNode _made;
  std::vector<ValueId> _layouts, _columns;  // its inputs
  std::vector<size_t> _groups;              // of the loop, as above: what the groups of the new node are

  std::vector<char> findDependent(bool realOnly);
  void findColumnHeads(const std::vector<ValueId>& gradients);
  void findStates(const std::vector<ValueId>& gradients);
  std::vector<ValueId> pullBack(int unwind);
  size_t groupOf(size_t group);
  Name addColumn(int unwind, ValueId id);
};

}  // namespace sd::graph

#endif
