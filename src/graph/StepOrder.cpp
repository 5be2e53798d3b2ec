#include "graph/StepOrder.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "graph/StepOrderParts.h"
#include "system/Error.h"

namespace sd::graph {

namespace {

// States of the searches for best orders, altogether: some milliseconds. A part of 16 steps has at most 65,536.
constexpr int64_t SEARCH_STATES = 200000;
// Improvements around the peak of a part that is too large for a whole search.
constexpr int MOST_WINDOWS = 64, WINDOW = 12;

/// Independent parts: steps of different parts share no memory of the arena and do not depend on each other.
struct Parts {
  explicit Parts(const StepGraph& graph) : of(static_cast<size_t>(graph.steps())) {
    std::iota(of.begin(), of.end(), 0);
    for (int step = 0; step < graph.steps(); ++step)
      for (const int after : graph.successors(step)) join(step, after);
    std::vector<int> number(of.size(), -1);
    for (int step = 0; step < graph.steps(); ++step) {
      int& root = number[static_cast<size_t>(find(step))];
      if (root < 0) root = count++;
    }
    for (int step = 0; step < graph.steps(); ++step) _numbers.push_back(number[static_cast<size_t>(find(step))]);
    of.swap(_numbers);
  }

  /// The part of each step.
  std::vector<int> of;
  int count = 0;

 private:
  int find(int step) {
    while (of[static_cast<size_t>(step)] != step) {
      int& above = of[static_cast<size_t>(step)];
      above = of[static_cast<size_t>(above)];
      step = above;
    }
    return step;
  }
  void join(int a, int b) {
    a = find(a);
    b = find(b);
    of[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
  }
  std::vector<int> _numbers;
};

/// Memory that cannot be saved: what the most expensive step needs.
int64_t leastPeak(const StepGraph& graph) {
  int64_t result = 0;
  for (int step = 0; step < graph.steps(); ++step) {
    int64_t bytes = 0;
    for (const int s : graph.reads(step)) bytes += graph.bytes(s);
    for (const int s : graph.writes(step)) bytes += graph.bytes(s);
    for (const StepGraph::Pair& pair : graph.pairs(step)) bytes -= graph.bytes(pair.output);
    result = std::max(result, bytes);
  }
  return result;
}

/// The peaks of parts, each alone, in an order of all steps.
std::vector<int64_t> peaksOfParts(LiveMemory& memory, std::span<const int> order, const Parts& parts) {
  std::vector<int64_t> live(static_cast<size_t>(parts.count)), peaks(static_cast<size_t>(parts.count));
  for (const int step : order) {
    const auto part = static_cast<size_t>(parts.of[static_cast<size_t>(step)]);
    const LiveMemory::Change change = memory.run(step);
    peaks[part] = std::max(peaks[part], live[part] + change.during);
    live[part] += change.after;
  }
  memory.reset(order);
  return peaks;
}

/// Finds and improves an order of each part, and merges them.
class Planner {
 public:
  Planner(const StepGraph& graph, const std::vector<int>& given)
      : _graph(graph), _given(given), _parts(graph), _memory(graph), _search(graph) {}

  std::vector<int> order() {
    chooseCandidates();
    improveParts();
    return merged();
  }

  LiveMemory& memory() { return _memory; }

 private:
  void chooseCandidates() {
    const std::vector<int> candidates[] = {_given, depthFirstOrder(_graph, _given), forwardOrder(_graph),
                                           backwardOrder(_graph)};
    const auto count = static_cast<size_t>(_parts.count);
    std::vector<int> best(count);
    _peaks = peaksOfParts(_memory, _given, _parts);
    for (int c = 1; c < 4; ++c) {
      const std::vector<int64_t> peaks = peaksOfParts(_memory, candidates[c], _parts);
      for (size_t part = 0; part < count; ++part) {
        if (peaks[part] >= _peaks[part]) continue;
        _peaks[part] = peaks[part];
        best[part] = c;
      }
    }
    _orders.resize(count);
    for (int c = 0; c < 4; ++c)
      for (const int step : candidates[c]) {
        const auto part = static_cast<size_t>(_parts.of[static_cast<size_t>(step)]);
        if (best[part] == c) _orders[part].push_back(step);
      }
  }

  void improveParts() {
    std::vector<int> byPeak(_orders.size());
    std::iota(byPeak.begin(), byPeak.end(), 0);
    std::stable_sort(byPeak.begin(), byPeak.end(),
                     [this](int a, int b) { return _peaks[static_cast<size_t>(a)] > _peaks[static_cast<size_t>(b)]; });
    bool isKept = false;
    for (int s = 0; s < _graph.storages(); ++s) isKept = isKept || (_graph.inArena(s) && _graph.isKept(s));
    std::vector<int> rank(static_cast<size_t>(_graph.steps()));
    int64_t budget = SEARCH_STATES, highest = 0;
    for (const int p : byPeak) {
      const auto part = static_cast<size_t>(p);
      // Parts that leave nothing behind run one after another: the highest peak decides.
      if (budget <= 0 || (!isKept && _peaks[part] <= highest)) break;
      std::vector<int>& order = _orders[part];
      for (size_t i = 0; i < order.size(); ++i) rank[static_cast<size_t>(order[i])] = static_cast<int>(i);
      _profile.measure(_memory, order);
      if (order.size() <= OrderSearch::MOST_STEPS) {
        _search.improve(order, 0, static_cast<int>(order.size()), rank, _profile, _peaks[part], budget);
      } else {
        improveWindows(order, rank, budget);
      }
      _peaks[part] = *std::max_element(_profile.during.begin(), _profile.during.end());
      highest = std::max(highest, _peaks[part]);
    }
  }

  /// Lowers one highest position after the other until one cannot be lowered.
  void improveWindows(std::vector<int>& order, std::vector<int>& rank, int64_t& budget) {
    const int count = static_cast<int>(order.size());
    for (int i = 0; i < MOST_WINDOWS; ++i) {
      const auto highest = std::max_element(_profile.during.begin(), _profile.during.end());
      const int at = static_cast<int>(highest - _profile.during.begin());
      bool isLower = false;
      // The step may have to move to either side.
      for (const int shift : {WINDOW / 2, WINDOW - 2, 1}) {
        const int begin = std::clamp(at - shift, 0, count - WINDOW);
        isLower = _search.improve(order, begin, WINDOW, rank, _profile, *highest, budget);
        if (isLower) break;
      }
      budget -= count / 100;
      if (!isLower || budget <= 0) return;
    }
  }

  /// Each part is cut at its valleys: from each to the next, memory rises by a hill. Running the piece first that
  /// climbs highest above the valley behind it is best for fixed orders of independent parts.
  std::vector<int> merged() {
    if (_orders.size() == 1) return _orders[0];
    std::vector<size_t> done(_orders.size());
    std::vector<std::vector<Piece>> pieces;
    std::priority_queue<std::pair<int64_t, int>> next;  // of equal pieces the one of the first part, by its sign
    for (size_t part = 0; part < _orders.size(); ++part) {
      pieces.push_back(cut(_orders[part]));
      next.push({pieces[part][0].fall, -static_cast<int>(part)});
    }
    std::vector<int> result;
    result.reserve(static_cast<size_t>(_graph.steps()));
    std::vector<size_t> nextPiece(_orders.size());
    while (!next.empty()) {
      const auto part = static_cast<size_t>(-next.top().second);
      next.pop();
      const size_t end = pieces[part][nextPiece[part]].end;
      result.insert(result.end(), _orders[part].begin() + static_cast<std::ptrdiff_t>(done[part]),
                    _orders[part].begin() + static_cast<std::ptrdiff_t>(end));
      done[part] = end;
      if (++nextPiece[part] < pieces[part].size())
        next.push({pieces[part][nextPiece[part]].fall, -static_cast<int>(part)});
    }
    return result;
  }

  struct Piece {
    size_t end;
    int64_t fall;  // from the hill to the valley at the end
  };

  std::vector<Piece> cut(const std::vector<int>& order) {
    _profile.measure(_memory, order);
    const std::vector<int64_t>&during = _profile.during, &after = _profile.after;
    // For each position, the highest and the lowest one from there on; the last of equal ones.
    std::vector<size_t> hill(order.size()), valley(order.size());
    for (size_t i = order.size(); i-- > 0;) {
      const bool isLast = i + 1 == order.size();
      hill[i] = isLast || during[i] > during[hill[i + 1]] ? i : hill[i + 1];
      valley[i] = isLast || after[i] < after[valley[i + 1]] ? i : valley[i + 1];
    }
    std::vector<Piece> pieces;
    for (size_t i = 0; i < order.size();) {
      const size_t top = hill[i], bottom = valley[top];
      pieces.push_back({bottom + 1, during[top] - after[bottom]});
      i = bottom + 1;
    }
    return pieces;
  }

  const StepGraph& _graph;
  const std::vector<int>& _given;
  Parts _parts;
  LiveMemory _memory;
  OrderSearch _search;
  Profile _profile;
  std::vector<std::vector<int>> _orders;
  std::vector<int64_t> _peaks;
};

int64_t peakOf(LiveMemory& memory, std::span<const int> order) {
  int64_t live = 0, peak = 0;
  for (const int step : order) {
    const LiveMemory::Change change = memory.run(step);
    peak = std::max(peak, live + change.during);
    live += change.after;
  }
  memory.reset(order);
  return peak;
}

StepOrder givenOrder(const StepGraph& graph) {
  StepOrder result;
  result.order = earliestOrder(graph);
  if (static_cast<int>(result.order.size()) < graph.steps()) {
    result.order.clear();
    result.cycle = findCycle(graph);
    return result;
  }
  LiveMemory memory(graph);
  result.peak = peakOf(memory, result.order);
  return result;
}

}  // namespace

StepOrder givenOrder(const Steps& steps) { return givenOrder(StepGraph(steps)); }

StepOrder orderSteps(const Steps& steps) {
  const StepGraph graph(steps);
  StepOrder result = givenOrder(graph);
  if (!result.cycle.empty() || result.peak <= leastPeak(graph)) return result;
  Planner planner(graph, result.order);
  std::vector<int> better = planner.order();
  const auto consider = [&](std::vector<int>& order) {
    const int64_t peak = peakOf(planner.memory(), order);
    if (peak >= result.peak) return;
    result.peak = peak;
    result.order = std::move(order);
  };
  consider(better);
  if (graph.steps() > OrderSearch::MOST_STEPS) return result;
  // Parts that keep results compete for memory, so few steps are searched as a whole.
  std::vector<int> whole = result.order, rank(whole.size());
  for (size_t i = 0; i < whole.size(); ++i) rank[static_cast<size_t>(whole[i])] = static_cast<int>(i);
  int64_t budget = SEARCH_STATES;
  Profile profile;
  profile.measure(planner.memory(), whole);
  if (OrderSearch(graph).improve(whole, 0, graph.steps(), rank, profile, result.peak, budget)) consider(whole);
  return result;
}

int64_t peakOfOrder(const Steps& steps, std::span<const int> order) {
  std::vector<char> isSeen(static_cast<size_t>(steps.steps()));
  bool isValid = order.size() == isSeen.size();
  for (const int step : order) {
    if (step < 0 || step >= steps.steps() || isSeen[static_cast<size_t>(step)] != 0) {
      isValid = false;
      break;
    }
    isSeen[static_cast<size_t>(step)] = 1;
  }
  if (!isValid) invalidArgument("[steps] an order of {} steps must have each of them once", steps.steps());
  const StepGraph graph(steps);
  LiveMemory memory(graph);
  return peakOf(memory, order);
}

void Profile::measure(LiveMemory& memory, std::span<const int> order) {
  int64_t live = 0;
  during.clear();
  after.clear();
  for (const int step : order) {
    const LiveMemory::Change change = memory.run(step);
    during.push_back(live + change.during);
    after.push_back(live += change.after);
  }
  memory.reset(order);
}

}  // namespace sd::graph
