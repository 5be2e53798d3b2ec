// Times of the nodes of an execution.
#ifndef NDFORGE_GRAPH_TIMEHOLDER_H
#define NDFORGE_GRAPH_TIMEHOLDER_H

#include <system/common.h>

#include <unordered_map>

namespace sd::graph {

/// Nanoseconds by number of the node; 0 for nodes without a time. Not thread-safe.
class TimeHolder {
 public:
  /// Time spent inside the operation.
  void setInnerTime(int nodeId, LongType time) { _inner[nodeId] = time; }
  LongType innerTime(int nodeId) const { return timeOf(_inner, nodeId); }
  /// The same, including the executor's own work.
  void setOuterTime(int nodeId, LongType time) { _outer[nodeId] = time; }
  LongType outerTime(int nodeId) const { return timeOf(_outer, nodeId); }

 private:
  using Times = std::unordered_map<int, LongType>;

  static LongType timeOf(const Times& times, int nodeId) {
    const auto found = times.find(nodeId);
    return found == times.end() ? 0 : found->second;
  }

  Times _inner, _outer;
};

}  // namespace sd::graph

#endif
