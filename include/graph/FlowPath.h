// The path of an execution through a graph: which nodes ran, which branches and loops were taken, and how long it took.
#ifndef NDFORGE_GRAPH_FLOWPATH_H
#define NDFORGE_GRAPH_FLOWPATH_H

#include <graph/FrameState.h>
#include <graph/NodeState.h>
#include <graph/profiling/GraphProfile.h>
#include <system/common.h>

#include <unordered_map>

namespace sd::graph {

/// Nodes and frames that were not mentioned before are in their initial state: nodes are active, not executed and on
/// branch 0; frames are not active, with no rewind planned, position -1 and no cycles. Each execution has its own path,
/// which is not thread-safe.
class SD_LIB_EXPORT FlowPath {
 public:
  bool isNodeActive(int nodeId) const { return node(nodeId).isActive(); }
  void markNodeActive(int nodeId, bool isActive) { nodeState(nodeId).markActive(isActive); }
  bool wasExecuted(int nodeId) const { return node(nodeId).wasExecuted(); }
  void markExecuted(int nodeId, bool wasExecuted) { nodeState(nodeId).markExecuted(wasExecuted); }
  int branch(int nodeId) const { return node(nodeId).branch(); }
  void markBranch(int nodeId, int index) { nodeState(nodeId).markBranch(index); }

  LongType innerTime(int nodeId) const { return node(nodeId).innerTime(); }
  void setInnerTime(int nodeId, LongType time) { nodeState(nodeId).setInnerTime(time); }
  LongType outerTime(int nodeId) const { return node(nodeId).outerTime(); }
  void setOuterTime(int nodeId, LongType time) { nodeState(nodeId).setOuterTime(time); }

  /// Does not change the state of a frame that is already registered.
  void registerFrame(LongType frameId) { frameState(frameId); }
  /// Resets the frame to its initial state.
  void forgetFrame(LongType frameId) { _frames.erase(frameId); }
  bool isFrameActive(LongType frameId) const { return frame(frameId).wasActivated(); }
  void markFrameActive(LongType frameId, bool isActive) { frameState(frameId).markActivated(isActive); }

  bool isRewindPlanned(LongType frameId) const { return frame(frameId).isRewindPlanned(); }
  void planRewind(LongType frameId, bool reallyRewind) { frameState(frameId).planRewind(reallyRewind); }
  int getRewindPosition(LongType frameId) const { return frame(frameId).getRewindPosition(); }
  void setRewindPosition(LongType frameId, int position) { frameState(frameId).setRewindPosition(position); }
  void setRewindPositionOnce(LongType frameId, int position) { frameState(frameId).setRewindPositionOnce(position); }

  void incrementNumberOfCycles(LongType frameId) { frameState(frameId).incrementNumberOfCycles(); }
  LongType getNumberOfCycles(LongType frameId) const { return frame(frameId).getNumberOfCycles(); }

  /// Filled by executions when Environment::isProfiling() or the graph's _timestats is set.
  GraphProfile* profile() { return &_profile; }

 private:
  NodeState& nodeState(int nodeId) { return _nodes.try_emplace(nodeId, nodeId).first->second; }
  FrameState& frameState(LongType frameId) { return _frames.try_emplace(frameId, frameId).first->second; }
  NodeState node(int nodeId) const {
    const auto found = _nodes.find(nodeId);
    return found == _nodes.end() ? NodeState(nodeId) : found->second;
  }
  FrameState frame(LongType frameId) const {
    const auto found = _frames.find(frameId);
    return found == _frames.end() ? FrameState(frameId) : found->second;
  }

  std::unordered_map<int, NodeState> _nodes;
  std::unordered_map<LongType, FrameState> _frames;
  GraphProfile _profile;
};

}  // namespace sd::graph

#endif
