// The parts of orderSteps(): heuristic orders of all steps, and the best order of few.
#ifndef NDFORGE_SRC_GRAPH_STEPORDERPARTS_H
#define NDFORGE_SRC_GRAPH_STEPORDERPARTS_H

#include <cstdint>
#include <span>
#include <vector>

#include "graph/StepGraph.h"

namespace sd::graph {

/// Every step as early as its dependencies allow, the smallest number first. Shorter than the number of steps when
/// there is a cycle.
std::vector<int> earliestOrder(const StepGraph& graph);

/// Steps of one cycle of a graph that has one.
std::vector<int> findCycle(const StepGraph& graph);

/// Depth first from the results. Of two inputs that are both still to be computed, the one comes first that needs much
/// more memory while it is computed than it leaves behind. Best for trees. `topological` is any valid order.
std::vector<int> depthFirstOrder(const StepGraph& graph, std::span<const int> topological);

/// Always the step that frees most or allocates least.
std::vector<int> forwardOrder(const StepGraph& graph);

/// As forwardOrder(), from the end: chooses the last step first.
std::vector<int> backwardOrder(const StepGraph& graph);

/// Live bytes along an order, in which nothing lives at first: while each step runs and after it.
struct Profile {
  std::vector<int64_t> during, after;

  void measure(LiveMemory& memory, std::span<const int> order);
  int64_t before(int position) const { return position == 0 ? 0 : after[static_cast<size_t>(position) - 1]; }
};

/// Finds the best order of a few consecutive steps by a search over the sets of finished steps.
class OrderSearch {
 public:
  static constexpr int MOST_STEPS = 16;

  explicit OrderSearch(const StepGraph& graph);

  /// Reorders steps[begin..begin+count), which is a part of a valid order; rank[s] is the position of step s in it.
  /// Returns true and changes `steps`, `rank` and `profile` if their peak can be
  /// lower than `bound`. A state of the search takes 1 from `budget`; at 0 the search ends without a result.
  bool improve(std::vector<int>& steps, int begin, int count, std::vector<int>& rank, Profile& profile, int64_t bound,
               int64_t& budget);

 private:
  struct Storage {
    int64_t bytes;
    uint32_t readers;  // set of steps of the window
    bool isPinned;     // lives on after the window
  };
  struct Step {
    uint32_t predecessors;
    int64_t written, unread;  // bytes of all outputs, and of those that nobody reads
    std::vector<int> reads;   // numbers in _storages
  };
  struct Cost {
    int64_t during, after;  // relative to the memory before the step
  };

  void prepare(std::span<const int> window, int begin, const std::vector<int>& rank);
  Cost cost(std::span<const int> window, int step, uint32_t finished) const;
  void expand(std::span<const int> window, uint32_t finished, int64_t bound);
  void visit(uint32_t finished, int step, Cost cost);
  void take(std::span<int> window, int begin, std::vector<int>& rank, Profile& profile);

  const StepGraph& _graph;
  std::vector<Step> _steps;
  std::vector<Storage> _storages;
  std::vector<int> _local;  // of a storage of the graph: its number in _storages, or -1
  int64_t _floor = 0;       // no order has a smaller peak

  // For each set of finished steps: the smallest peak so far, the live bytes, the step that came last.
  std::vector<int64_t> _peak, _live;
  std::vector<uint8_t> _last;
  std::vector<uint32_t> _visit;  // number of the search that visited the set
  uint32_t _search = 0;
  std::vector<uint32_t> _level, _next;
};

}  // namespace sd::graph

#endif
