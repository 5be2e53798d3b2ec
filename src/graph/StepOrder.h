// An order of steps that needs little memory.
#ifndef NDFORGE_SRC_GRAPH_STEPORDER_H
#define NDFORGE_SRC_GRAPH_STEPORDER_H

#include <cstdint>
#include <span>
#include <vector>

#include "graph/Steps.h"

namespace sd::graph {

struct StepOrder {
  /// Every step after the steps that it depends on. Empty when steps depend on each other in a cycle.
  std::vector<int> order;
  /// The steps of one cycle, each before the next and the last one before the first; empty when there is none.
  std::vector<int> cycle;
  /// The largest sum of bytes that live at once: while a step runs, its inputs and outputs live, except for an output
  /// that lies in place of an input.
  int64_t peak = 0;
};

/// The order in which the steps were added, as far as dependencies allow it; `peak` is set.
StepOrder givenOrder(const Steps& steps);

/// An order with a small peak. It is the given order if no better one is found. The peak is the smallest possible one
/// for up to 16 steps, and for any number of independent parts of up to 16 steps that keep nothing, unless the search
/// is stopped (at a fixed number of tries, so that equal steps always get equal orders). For other steps it is the best
/// of several heuristic orders, improved around its peak. Takes O(n log n) time for n steps, buffers and dependencies.
StepOrder orderSteps(const Steps& steps);

/// The peak of a given order, which has every step once (std::invalid_argument otherwise).
int64_t peakOfOrder(const Steps& steps, std::span<const int> order);

}  // namespace sd::graph

#endif
