// The state of a frame, which is a loop of a graph, during an execution.
#ifndef NDFORGE_GRAPH_FRAMESTATE_H
#define NDFORGE_GRAPH_FRAMESTATE_H

#include <system/common.h>

#include <string>

namespace sd::graph {

/// Not thread-safe.
class FrameState {
 public:
  FrameState(LongType id = 0) : _id(id) {}

  LongType id() const { return _id; }

  bool wasActivated() const { return _activated; }
  void markActivated(bool activated) { _activated = activated; }

  LongType getNumberOfCycles() const { return _cycles; }
  void incrementNumberOfCycles() { _cycles++; }

  bool isRewindPlanned() const { return _rewindPlanned; }
  void planRewind(bool reallyPlan) { _rewindPlanned = reallyPlan; }
  /// The layer to go back to; -1 before it was set.
  int getRewindPosition() const { return _rewindPosition; }
  void setRewindPosition(int position) { _rewindPosition = position; }
  /// Sets the position only if none is set.
  void setRewindPositionOnce(int position) {
    if (_rewindPosition < 0) _rewindPosition = position;
  }

 private:
  // Unused, but the first member: ND4J's JNI library destroys frames as libnd4j lays them out, inline.
  std::string _name;
  LongType _id;
  LongType _cycles = 0;
  int _rewindPosition = -1;
  bool _activated = false;
  bool _rewindPlanned = false;
};

}  // namespace sd::graph

#endif
