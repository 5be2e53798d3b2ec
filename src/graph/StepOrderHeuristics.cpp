#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "graph/StepOrderParts.h"

namespace sd::graph {

namespace {

// Steps whose predecessors (or successors) have all been placed, the smallest key first. A key that falls is added once
// more; the older entry is skipped.
class ReadySteps {
 public:
  enum class Ties { FirstStep, LastStep };

  explicit ReadySteps(int steps, Ties ties = Ties::FirstStep)
      : _isPlaced(static_cast<size_t>(steps)), _sign(ties == Ties::FirstStep ? 1 : -1) {}

  void add(int64_t key, int step) { _queue.push({key, _sign * step}); }

  /// The step to place next, or -1.
  int take() {
    while (!_queue.empty()) {
      const int step = _sign * _queue.top().second;
      _queue.pop();
      if (_isPlaced[static_cast<size_t>(step)] != 0) continue;
      _isPlaced[static_cast<size_t>(step)] = 1;
      return step;
    }
    return -1;
  }

 private:
  using Entry = std::pair<int64_t, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> _queue;
  std::vector<char> _isPlaced;
  const int _sign;
};

std::vector<int> counts(const StepGraph& graph, std::span<const int> (StepGraph::*list)(int) const) {
  std::vector<int> result(static_cast<size_t>(graph.steps()));
  for (int s = 0; s < graph.steps(); ++s) result[static_cast<size_t>(s)] = static_cast<int>((graph.*list)(s).size());
  return result;
}

// Bytes that a step leaves behind if nothing else has run.
int64_t leftBytes(const StepGraph& graph, int step) {
  int64_t bytes = 0;
  for (const int s : graph.writes(step))
    if (graph.isKept(s) || !graph.readers(s).empty()) bytes += graph.bytes(s);
  return bytes;
}

}  // namespace

std::vector<int> earliestOrder(const StepGraph& graph) {
  std::vector<int> order(static_cast<size_t>(graph.steps()));
  std::iota(order.begin(), order.end(), 0);
  bool isGivenValid = true;
  for (const int step : order)
    for (const int before : graph.predecessors(step)) isGivenValid = isGivenValid && before < step;
  if (isGivenValid) return order;

  order.clear();
  std::vector<int> waiting = counts(graph, &StepGraph::predecessors);
  ReadySteps ready(graph.steps());
  for (int step = 0; step < graph.steps(); ++step)
    if (waiting[static_cast<size_t>(step)] == 0) ready.add(step, step);
  for (int step = ready.take(); step >= 0; step = ready.take()) {
    order.push_back(step);
    for (const int after : graph.successors(step))
      if (--waiting[static_cast<size_t>(after)] == 0) ready.add(after, after);
  }
  return order;
}

std::vector<int> findCycle(const StepGraph& graph) {
  const std::vector<int> order = earliestOrder(graph);
  std::vector<char> isPlaced(static_cast<size_t>(graph.steps()));
  for (const int step : order) isPlaced[static_cast<size_t>(step)] = 1;
  int step = 0;
  while (isPlaced[static_cast<size_t>(step)] != 0) ++step;
  // Each step that is left waits for another one that is left; going back through them repeats a step.
  std::vector<int> path, position(static_cast<size_t>(graph.steps()), -1);
  while (position[static_cast<size_t>(step)] < 0) {
    position[static_cast<size_t>(step)] = static_cast<int>(path.size());
    path.push_back(step);
    for (const int before : graph.predecessors(step)) {
      if (isPlaced[static_cast<size_t>(before)] != 0) continue;
      step = before;
      break;
    }
  }
  path.erase(path.begin(), path.begin() + position[static_cast<size_t>(step)]);
  std::reverse(path.begin(), path.end());
  std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
  return path;
}

std::vector<int> depthFirstOrder(const StepGraph& graph, std::span<const int> topological) {
  const auto count = static_cast<size_t>(graph.steps());
  // As if the steps were a tree: the memory that is needed to compute a step and everything before it, less what stays.
  std::vector<int64_t> surplus(count), left(count);
  NumberLists before;
  std::vector<int> place(count), roots, inputs;
  const auto moreSurplus = [&surplus](int a, int b) {
    const int64_t atA = surplus[static_cast<size_t>(a)], atB = surplus[static_cast<size_t>(b)];
    return atA != atB ? atA > atB : a < b;
  };
  for (const int step : topological) {
    const std::span<const int> all = graph.predecessors(step);
    inputs.assign(all.begin(), all.end());
    std::sort(inputs.begin(), inputs.end(), moreSurplus);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    place[static_cast<size_t>(step)] = before.size();
    before.add(inputs);
    int64_t live = 0, peak = 0;
    for (const int input : inputs) {
      const auto i = static_cast<size_t>(input);
      peak = std::max(peak, live + surplus[i] + left[i]);
      live += left[i];
    }
    left[static_cast<size_t>(step)] = leftBytes(graph, step);
    for (const int s : graph.writes(step)) live += graph.bytes(s);
    surplus[static_cast<size_t>(step)] = std::max(peak, live) - left[static_cast<size_t>(step)];
    if (graph.successors(step).empty()) roots.push_back(step);
  }
  std::sort(roots.begin(), roots.end(), moreSurplus);

  std::vector<int> order;
  order.reserve(count);
  std::vector<size_t> next(count);
  std::vector<char> isSeen(count);
  std::vector<int> stack;
  for (const int root : roots) {
    stack.push_back(root);
    isSeen[static_cast<size_t>(root)] = 1;
    while (!stack.empty()) {
      const int step = stack.back();
      const std::span<const int> all = std::as_const(before)[place[static_cast<size_t>(step)]];
      size_t& i = next[static_cast<size_t>(step)];
      while (i < all.size() && isSeen[static_cast<size_t>(all[i])] != 0) ++i;
      if (i == all.size()) {
        order.push_back(step);
        stack.pop_back();
        continue;
      }
      isSeen[static_cast<size_t>(all[i])] = 1;
      stack.push_back(all[i]);
    }
  }
  return order;
}

std::vector<int> forwardOrder(const StepGraph& graph) {
  const auto count = static_cast<size_t>(graph.steps());
  std::vector<int> order, waiting = counts(graph, &StepGraph::predecessors);
  order.reserve(count);
  std::vector<int> readersLeft(static_cast<size_t>(graph.storages()));
  // How much the memory grows if the step runs now.
  std::vector<int64_t> growth(count);
  std::vector<char> isDone(count);
  for (int s = 0; s < graph.storages(); ++s) {
    readersLeft[static_cast<size_t>(s)] = static_cast<int>(graph.readers(s).size());
    if (graph.readers(s).size() == 1 && !graph.isKept(s))
      growth[static_cast<size_t>(graph.readers(s)[0])] -= graph.bytes(s);
  }
  ReadySteps ready(graph.steps());
  for (int step = 0; step < graph.steps(); ++step) {
    growth[static_cast<size_t>(step)] += leftBytes(graph, step);
    if (waiting[static_cast<size_t>(step)] == 0) ready.add(growth[static_cast<size_t>(step)], step);
  }
  for (int step = ready.take(); step >= 0; step = ready.take()) {
    order.push_back(step);
    isDone[static_cast<size_t>(step)] = 1;
    for (const int s : graph.reads(step)) {
      if (--readersLeft[static_cast<size_t>(s)] != 1 || graph.isKept(s)) continue;
      // The last reader will free it. Each storage is looked through once.
      for (const int reader : graph.readers(s)) {
        if (isDone[static_cast<size_t>(reader)] != 0) continue;
        growth[static_cast<size_t>(reader)] -= graph.bytes(s);
        if (waiting[static_cast<size_t>(reader)] == 0) ready.add(growth[static_cast<size_t>(reader)], reader);
        break;
      }
    }
    for (const int after : graph.successors(step))
      if (--waiting[static_cast<size_t>(after)] == 0) ready.add(growth[static_cast<size_t>(after)], after);
  }
  return order;
}

std::vector<int> backwardOrder(const StepGraph& graph) {
  const auto count = static_cast<size_t>(graph.steps());
  std::vector<int> order, waiting = counts(graph, &StepGraph::successors);
  order.reserve(count);
  // Going back in time, a step frees its outputs, and its inputs live from here on unless a later reader has them.
  std::vector<int64_t> growth(count);
  std::vector<char> isLive(static_cast<size_t>(graph.storages()));
  ReadySteps ready(graph.steps(), ReadySteps::Ties::LastStep);
  for (int s = 0; s < graph.storages(); ++s) isLive[static_cast<size_t>(s)] = graph.isKept(s) ? 1 : 0;
  for (int step = 0; step < graph.steps(); ++step) {
    int64_t& bytes = growth[static_cast<size_t>(step)];
    bytes = -leftBytes(graph, step);
    for (const int s : graph.reads(step))
      if (isLive[static_cast<size_t>(s)] == 0) bytes += graph.bytes(s);
    if (waiting[static_cast<size_t>(step)] == 0) ready.add(bytes, step);
  }
  for (int step = ready.take(); step >= 0; step = ready.take()) {
    order.push_back(step);
    for (const int s : graph.reads(step)) {
      if (isLive[static_cast<size_t>(s)] != 0) continue;
      isLive[static_cast<size_t>(s)] = 1;
      for (const int reader : graph.readers(s)) {
        growth[static_cast<size_t>(reader)] -= graph.bytes(s);
        if (waiting[static_cast<size_t>(reader)] == 0) ready.add(growth[static_cast<size_t>(reader)], reader);
      }
    }
    for (const int before : graph.predecessors(step))
      if (--waiting[static_cast<size_t>(before)] == 0) ready.add(growth[static_cast<size_t>(before)], before);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace sd::graph
