// The places of buffers in one arena, for steps that run in a given order.
#ifndef NDFORGE_SRC_GRAPH_MEMORYPLAN_H
#define NDFORGE_SRC_GRAPH_MEMORYPLAN_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/Steps.h"

namespace sd::graph {

/// A buffer lives from the step that writes it to the last step that reads it or a view of it, or to the end if it is
/// kept. Buffers that do not live at the same time may share memory, and so do views and what they are views of.
/// An output lies in place of an input where that is allowed and the input dies in the step. Then the input's other
/// readers come before in the order; sharingEdges() says what that means for steps that run side by side.
/// Takes O(n log n) time; equal steps get equal plans.
class MemoryPlan {
 public:
  MemoryPlan() = default;
  /// `order` has each step once, after those on which it depends (std::invalid_argument otherwise).
  MemoryPlan(const Steps& steps, std::span<const int> order);

  /// Bytes from the beginning of the arena, a multiple of ARENA_ALIGNMENT; -1 for memory outside the arena. A view has
  /// the offset of what it is a view of: where in it the view begins is known to the caller.
  int64_t offset(int buffer) const { return _places[static_cast<size_t>(buffer)].offset; }

  /// The buffer over which this one is written, or -1.
  int inPlaceOf(int buffer) const { return _places[static_cast<size_t>(buffer)].inPlaceOf; }

  /// Positions in the order. -1, -1 for memory outside the arena; a view has those of what it is a view of.
  struct Lifetime {
    int first, last;
    bool operator==(const Lifetime&) const = default;
  };
  Lifetime lifetime(int buffer) const { return _places[static_cast<size_t>(buffer)].life; }

  /// The size of the arena.
  int64_t arenaBytes() const { return _arena; }
  /// The largest sum of bytes that live at once: a lower bound of the arena in this order.
  int64_t liveBytes() const { return _live; }
  /// The sum of all sizes: what the buffers would take without sharing.
  int64_t totalBytes() const { return _total; }

  /// A table of the buffers of the arena, and the three sums. `name` gives the names of buffers and of steps; without
  /// it, they are numbers.
  std::string text(const Steps& steps, std::span<const int> order,
                   const std::function<std::string(int)>& bufferName = {},
                   const std::function<std::string(int)>& stepName = {}) const;

 private:
  struct Place {
    int64_t offset = -1;
    int inPlaceOf = -1;
    Lifetime life{-1, -1};
  };
  std::vector<Place> _places;
  int64_t _arena = 0, _live = 0, _total = 0;
};

/// What is wrong with a plan, or nothing: buffers that live at the same time and overlap, buffers outside the arena or
/// not aligned, outputs in place of inputs where that is not allowed.
std::string findFault(const Steps& steps, std::span<const int> order, const MemoryPlan& plan);

/// The dependencies that steps need in addition if they do not run one after another but as soon as the steps before
/// them have ended: the last readers of a buffer come before the step that writes over its memory. They only lead
/// forward in the order. Dependencies that follow from others are left out as far as a short look finds them.
std::vector<StepEdge> sharingEdges(const Steps& steps, std::span<const int> order, const MemoryPlan& plan);

}  // namespace sd::graph

#endif
