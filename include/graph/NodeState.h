// The state of a node during an execution.
#ifndef NDFORGE_GRAPH_NODESTATE_H
#define NDFORGE_GRAPH_NODESTATE_H

#include <system/common.h>

namespace sd::graph {

/// Not thread-safe. Times are in nanoseconds.
class NodeState {
 public:
  NodeState(int id = 0) : _id(id) {}

  int id() const { return _id; }

  /// Time spent inside the operation.
  LongType innerTime() const { return _innerTime; }
  void setInnerTime(LongType time) { _innerTime = time; }
  /// The same, including the executor's own work.
  LongType outerTime() const { return _outerTime; }
  void setOuterTime(LongType time) { _outerTime = time; }

  bool isActive() const { return _active; }
  void markActive(bool active) { _active = active; }
  bool wasExecuted() const { return _executed; }
  void markExecuted(bool executed) { _executed = executed; }
  /// The output along which a diverging node continues.
  int branch() const { return _branch; }
  void markBranch(int index) { _branch = index; }

 private:
  LongType _innerTime = 0;
  LongType _outerTime = 0;
  int _id;
  int _branch = 0;
  bool _active = true;
  bool _executed = false;
};

}  // namespace sd::graph

#endif
