// The variable space of a call whose arrays were set directly.
#ifndef NDFORGE_SRC_CALL_OWNSPACE_H
#define NDFORGE_SRC_CALL_OWNSPACE_H

#include <graph/Context.h>
#include <graph/FlowPath.h>

#include <utility>
#include <vector>

namespace sd::graph {

/// Its variables of inputs and outputs hold the arrays of the call and do not delete them. What operations put there
/// besides, or in place of an output, belongs to the space as in others.
struct Context::OwnSpace {
  FlowPath flow;
  VariableSpace space;
  std::vector<std::pair<int, int>> inputs;
  int node = 0;
  // The arrays of the call, by index, when its variables were last updated. An output's variable with another array
  // was changed by the operation.
  std::vector<NDArray*> shownInputs, shownOutputs;

  OwnSpace() { space.setFlowPath(&flow); }

  /// `keepPushed`: outputs that the operation has put here stay.
  void update(const std::vector<NDArray*>& inputArrays, const std::vector<NDArray*>& outputArrays, int nodeId,
              bool keepPushed);
};

}  // namespace sd::graph

#endif
