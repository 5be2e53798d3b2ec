// Times and memory of an execution of a graph.
#ifndef NDFORGE_GRAPH_PROFILING_GRAPHPROFILE_H
#define NDFORGE_GRAPH_PROFILING_GRAPHPROFILE_H

#include <graph/profiling/NodeProfile.h>
#include <system/common.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace sd::graph {

/// Times are in nanoseconds, sizes in bytes. A profile of one execution has the times of each node; merging adds those
/// of other executions. Not thread-safe.
class SD_LIB_EXPORT GraphProfile {
 public:
  GraphProfile();

  // ---- the graph

  void addToTotal(LongType bytes) { _total += bytes; }
  void addToActivations(LongType bytes) { _activations += bytes; }
  void addToTemporary(LongType bytes) { _temporary += bytes; }
  void addToObjects(LongType bytes) { _objects += bytes; }
  LongType getTotalSize() const { return _total; }
  LongType getActivationsSize() const { return _activations; }
  LongType getTemporarySize() const { return _temporary; }
  LongType getObjectsSize() const { return _objects; }
  void setBuildTime(LongType time) { _buildTime = time; }
  void setExecutionTime(LongType time) { _executionTime = time; }
  LongType getBuildTime() const { return _buildTime; }
  LongType getExecutionTime() const { return _executionTime; }
  /// How many executions are in this profile.
  LongType merges() const { return _merges; }

  // ---- nodes

  /// The profile of a node, which is made if there is none. A name replaces the former one. The pointer is valid until
  /// the next assign().
  NodeProfile* nodeById(int id, const char* name = nullptr);
  bool nodeExists(int id) const { return _nodes.count(id) != 0; }
  /// In the order in which they first ran.
  std::vector<const NodeProfile*> nodes() const;

  // ---- named spans of time

  void startEvent(const char* name);
  /// Ends the span and keeps its length. Does nothing when it was not started.
  void recordEvent(const char* name);
  void deleteEvent(const char* name);
  /// Keeps the time since the last spot, or since this profile was made.
  void spotEvent(const char* name);
  bool hasEvent(const char* name) const;
  /// @throws std::out_of_range when nothing was recorded under the name
  LongType eventTime(const char* name) const;

  /// A clock that only goes forward.
  static LongType currentTime();
  /// The time since `time`.
  static LongType relativeTime(LongType time) { return currentTime() - time; }

  // ---- the course of the execution

  /// A call of a node for chromeTrace(), and the number of the thread. Only the first 100,000 are kept.
  void addStep(int node, LongType start, LongType duration, int thread = 1);
  LongType droppedSteps() const { return _dropped; }

  // ---- the whole

  /// Adds times, sizes and nodes; the course of `other` is appended. nullptr adds nothing.
  void merge(const GraphProfile* other);
  /// Becomes a copy of `other`. nullptr changes nothing.
  void assign(const GraphProfile* other);
  void printOut() const;
  /// A table of the nodes, the slowest first; averages of an execution when profiles were merged.
  std::string text() const;
  /// The course of the execution as JSON, which chrome://tracing and ui.perfetto.dev draw.
  std::string chromeTrace() const;
  /// Writes chromeTrace() to a file. @throws std::runtime_error when it cannot be written
  void toChromeTrace(const std::string& path) const;

 private:
  static constexpr LongType NEVER = -1;
  struct Event {
    LongType started = NEVER, recorded = NEVER;
  };
  struct Step {
    int node, thread;
    LongType start, duration;
  };

  LongType _total = 0, _activations = 0, _temporary = 0, _objects = 0;
  LongType _buildTime = 0, _executionTime = 0, _merges = 1, _dropped = 0, _last;
  std::unordered_map<int, NodeProfile> _nodes;
  std::vector<int> _order;
  std::vector<Step> _steps;
  std::unordered_map<std::string, Event> _events;
};

}  // namespace sd::graph

#endif
