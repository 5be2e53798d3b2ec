// Steps as algorithms want them: views replaced by the memory they share, each list without repetitions.
#ifndef NDFORGE_SRC_GRAPH_STEPGRAPH_H
#define NDFORGE_SRC_GRAPH_STEPGRAPH_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/Steps.h"

namespace sd::graph {

/// A storage is the memory of a buffer and of all its views, and has the number of that buffer. Only storages of the
/// arena are listed: those that a step writes and that do not belong to somebody else.
class StepGraph {
 public:
  explicit StepGraph(const Steps& steps);

  int steps() const { return _successors.size(); }
  int storages() const { return static_cast<int>(_bytes.size()); }

  bool inArena(int storage) const { return _writer[static_cast<size_t>(storage)] >= 0; }
  /// Rounded up to ARENA_ALIGNMENT; 0 outside the arena.
  int64_t bytes(int storage) const { return _bytes[static_cast<size_t>(storage)]; }
  bool isKept(int storage) const { return _kept[static_cast<size_t>(storage)] != 0; }
  /// -1 outside the arena.
  int writer(int storage) const { return _writer[static_cast<size_t>(storage)]; }

  /// Storages of the arena, each once.
  std::span<const int> reads(int step) const { return _reads[step]; }
  std::span<const int> writes(int step) const { return _writes[step]; }
  /// The steps that read a storage, each once.
  std::span<const int> readers(int storage) const { return _readers[storage]; }

  /// By buffers, of the arena or not, and by controls. A step may occur repeatedly.
  std::span<const int> successors(int step) const { return _successors[step]; }
  std::span<const int> predecessors(int step) const { return _predecessors[step]; }

  /// Output over input (storages), if the input dies in the step. Best pairs first: equal sizes, then large ones.
  struct Pair {
    int output, input;
  };
  std::span<const Pair> pairs(int step) const {
    const auto begin = static_cast<size_t>(_pairBegins[static_cast<size_t>(step)]);
    return {_pairs.data() + begin, static_cast<size_t>(_pairBegins[static_cast<size_t>(step) + 1]) - begin};
  }

  /// Calls take(pair) for the pairs of a step that are used together; dies(input) says if an input dies in the step.
  template <typename Dies, typename Take>
  void usePairs(int step, Dies&& dies, Take&& take) const {
    const std::span<const Pair> all = pairs(step);
    // One or two in practice; more than fit into a set of bits are left.
    uint64_t used = 0;
    for (size_t i = 0; i < all.size() && i < 64; ++i) {
      bool isFree = dies(all[i].input);
      for (size_t j = 0; isFree && j < i; ++j)
        isFree = (used >> j & 1) == 0 || (all[j].input != all[i].input && all[j].output != all[i].output);
      if (!isFree) continue;
      used |= uint64_t{1} << i;
      take(all[i]);
    }
  }

 private:
  void findUses(const Steps& steps);
  void findEdges(const Steps& steps);
  void findPairs(const Steps& steps);

  std::vector<int64_t> _bytes;
  std::vector<char> _kept;
  std::vector<int> _writer;
  NumberLists _reads, _writes, _readers, _successors, _predecessors;
  std::vector<int> _pairBegins;
  std::vector<Pair> _pairs;
};

/// The sum of live bytes while steps run one after another.
class LiveMemory {
 public:
  explicit LiveMemory(const StepGraph& graph);

  /// Bytes more than before the step: while it runs (inputs and outputs are live), and after it.
  struct Change {
    int64_t during, after;
  };
  Change run(int step);

  /// Makes the steps ready to run again.
  void reset(std::span<const int> steps);

 private:
  bool dies(int storage) const { return _readersLeft[static_cast<size_t>(storage)] == 0 && !_graph.isKept(storage); }

  const StepGraph& _graph;
  std::vector<int> _readersLeft;
};

}  // namespace sd::graph

#endif
