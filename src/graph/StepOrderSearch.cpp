#include <algorithm>

#include "graph/StepOrderParts.h"

namespace sd::graph {

OrderSearch::OrderSearch(const StepGraph& graph) : _graph(graph), _local(static_cast<size_t>(graph.storages()), -1) {}

void OrderSearch::prepare(std::span<const int> window, int begin, const std::vector<int>& rank) {
  const int end = begin + static_cast<int>(window.size());
  const auto rankOf = [&rank](int step) { return rank[static_cast<size_t>(step)]; };
  const auto localOf = [&](int storage) {
    int& local = _local[static_cast<size_t>(storage)];
    if (local >= 0) return local;
    local = static_cast<int>(_storages.size());
    Storage added{_graph.bytes(storage), 0, _graph.isKept(storage)};
    for (const int reader : _graph.readers(storage)) {
      const int at = rankOf(reader);
      if (at >= end) added.isPinned = true;
      if (at >= begin && at < end) added.readers |= uint32_t{1} << (at - begin);
    }
    _storages.push_back(added);
    return local;
  };
  _steps.resize(window.size());
  _storages.clear();
  _floor = 0;
  for (size_t i = 0; i < window.size(); ++i) {
    Step& step = _steps[i];
    step = {0, 0, 0, std::move(step.reads)};
    step.reads.clear();
    for (const int before : _graph.predecessors(window[i]))
      if (rankOf(before) >= begin) step.predecessors |= uint32_t{1} << (rankOf(before) - begin);
    int64_t least = 0;
    for (const int s : _graph.reads(window[i])) {
      step.reads.push_back(localOf(s));
      least += _graph.bytes(s);
    }
    for (const int s : _graph.writes(window[i])) {
      step.written += _graph.bytes(s);
      if (_graph.readers(s).empty() && !_graph.isKept(s)) step.unread += _graph.bytes(s);
    }
    least += step.written;
    _graph.usePairs(
        window[i], [](int) { return true; }, [&](const StepGraph::Pair& pair) { least -= _graph.bytes(pair.output); });
    // With several pairs, other inputs may die, and then others are used: a smaller sum is possible.
    if (_graph.pairs(window[i]).size() > 1)
      for (const StepGraph::Pair& pair : _graph.pairs(window[i])) least -= _graph.bytes(pair.output);
    _floor = std::max(_floor, least);
  }
}

OrderSearch::Cost OrderSearch::cost(std::span<const int> window, int number, uint32_t finished) const {
  const Step& step = _steps[static_cast<size_t>(number)];
  const uint32_t with = finished | uint32_t{1} << number;
  int64_t freed = step.unread, saved = 0;
  const auto dies = [&](const Storage& storage) { return !storage.isPinned && (storage.readers & ~with) == 0; };
  for (const int s : step.reads) {
    const Storage& storage = _storages[static_cast<size_t>(s)];
    if (dies(storage)) freed += storage.bytes;
  }
  const int original = window[static_cast<size_t>(number)];
  _graph.usePairs(
      original, [&](int input) { return dies(_storages[static_cast<size_t>(_local[static_cast<size_t>(input)])]); },
      [&](const StepGraph::Pair& pair) { saved += _graph.bytes(pair.output); });
  return {step.written - saved, step.written - freed};
}

void OrderSearch::visit(uint32_t finished, int step, Cost cost) {
  const uint32_t with = finished | uint32_t{1} << step;
  const int64_t peak = std::max(_peak[finished], _live[finished] + cost.during);
  if (_visit[with] != _search) {
    _visit[with] = _search;
    _next.push_back(with);
  } else if (peak >= _peak[with]) {
    return;
  }
  _peak[with] = peak;
  _live[with] = _live[finished] + cost.after;
  _last[with] = static_cast<uint8_t>(step);
}

void OrderSearch::expand(std::span<const int> window, uint32_t finished, int64_t bound) {
  const int count = static_cast<int>(_steps.size());
  Cost costs[MOST_STEPS];
  uint32_t possible = 0;
  for (int s = 0; s < count; ++s) {
    const uint32_t bit = uint32_t{1} << s;
    if ((finished & bit) != 0 || (_steps[static_cast<size_t>(s)].predecessors & ~finished) != 0) continue;
    costs[s] = cost(window, s, finished);
    const int64_t during = _live[finished] + costs[s].during;
    // A step that raises neither the peak nor the memory may always run at once: everything else then needs no more.
    if (costs[s].after <= 0 && during <= _peak[finished]) return visit(finished, s, costs[s]);
    if (during < bound) possible |= bit;
  }
  for (int s = 0; s < count; ++s)
    if ((possible >> s & 1) != 0) visit(finished, s, costs[s]);
}

bool OrderSearch::improve(std::vector<int>& steps, int begin, int count, std::vector<int>& rank, Profile& profile,
                          int64_t bound, int64_t& budget) {
  const std::span<int> window(steps.data() + begin, static_cast<size_t>(count));
  prepare(window, begin, rank);
  const size_t sets = size_t{1} << count;
  if (_visit.size() < sets) {
    _peak.resize(sets);
    _live.resize(sets);
    _last.resize(sets);
    _visit.resize(sets, 0);
  }
  ++_search;
  _live[0] = profile.before(begin);
  _peak[0] = std::max(_live[0], _floor);
  _level.assign(1, 0);
  bool isFound = _peak[0] < bound;
  for (int level = 0; level < count && isFound; ++level) {
    _next.clear();
    for (const uint32_t finished : _level) {
      if (--budget < 0) break;
      expand(window, finished, bound);
    }
    _level.swap(_next);
    isFound = budget >= 0 && !_level.empty();
  }
  if (isFound) take(window, begin, rank, profile);
  for (const int step : window)
    for (const int s : _graph.reads(step)) _local[static_cast<size_t>(s)] = -1;
  return isFound;
}

void OrderSearch::take(std::span<int> window, int begin, std::vector<int>& rank, Profile& profile) {
  const std::vector<int> old(window.begin(), window.end());
  uint32_t finished = static_cast<uint32_t>((size_t{1} << window.size()) - 1);
  std::vector<int> numbers(window.size());
  for (size_t position = window.size(); position-- > 0;) {
    numbers[position] = _last[finished];
    finished &= ~(uint32_t{1} << numbers[position]);
  }
  int64_t live = _live[0];
  for (size_t position = 0; position < window.size(); ++position) {
    const Cost change = cost(old, numbers[position], finished);
    finished |= uint32_t{1} << numbers[position];
    const auto at = static_cast<size_t>(begin) + position;
    profile.during[at] = live + change.during;
    profile.after[at] = live += change.after;
    window[position] = old[static_cast<size_t>(numbers[position])];
    rank[static_cast<size_t>(window[position])] = static_cast<int>(at);
  }
}

}  // namespace sd::graph
