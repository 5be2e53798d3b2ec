// What a plan means for steps that run side by side, and whether it is right.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/MemoryPlan.h"
#include "graph/StepGraph.h"

namespace sd::graph {

namespace {

/// Which buffer lies in which bytes of the arena.
class Occupants {
 public:
  /// Calls found(buffer) for the buffers that have bytes of the range, possibly repeatedly.
  template <typename F>
  void forEach(int64_t begin, int64_t end, F&& found) const {
    auto part = _parts.upper_bound(begin);
    if (part != _parts.begin()) --part;
    for (; part != _parts.end() && part->first < end; ++part)
      if (part->second.end > begin) found(part->second.buffer);
  }

  void put(int64_t begin, int64_t end, int buffer) {
    remove(begin, end);
    _parts[begin] = {end, buffer};
  }

  /// Removes what the range has of one buffer.
  void removeOf(int buffer, int64_t begin, int64_t end) {
    for (auto part = _parts.lower_bound(begin); part != _parts.end() && part->first < end;)
      part = part->second.buffer == buffer ? _parts.erase(part) : std::next(part);
  }

  void remove(int64_t begin, int64_t end) {
    cutAt(begin);
    cutAt(end);
    _parts.erase(_parts.lower_bound(begin), _parts.lower_bound(end));
  }

 private:
  struct Part {
    int64_t end;
    int buffer;
  };

  void cutAt(int64_t offset) {
    auto part = _parts.lower_bound(offset);
    if (part == _parts.begin()) return;
    --part;
    if (part->second.end <= offset) return;
    const Part upper = part->second;
    part->second.end = offset;
    _parts.emplace_hint(std::next(part), offset, upper);
  }

  std::map<int64_t, Part> _parts;
};

/// Finds dependencies that do not follow from others.
class EdgeFinder {
 public:
  EdgeFinder(const StepGraph& graph, std::span<const int> order)
      : _graph(graph),
        _rank(order.size()),
        _added(order.size()),
        _seen(order.size(), -1),
        _gate(static_cast<size_t>(graph.storages()), -1) {
    for (size_t i = 0; i < order.size(); ++i) _rank[static_cast<size_t>(order[i])] = static_cast<int>(i);
  }

  /// `step` writes over the memory of `storage`.
  void replace(int storage, int step) {
    int& gate = _gate[static_cast<size_t>(storage)];
    const std::span<const int> readers = _graph.readers(storage);
    // A buffer with many readers may be replaced piece by piece: one step waits for all of them, the others for it.
    if (gate >= 0 && readers.size() > 4) return _wanted.push_back(gate);
    gate = step;
    if (readers.empty()) return _wanted.push_back(_graph.writer(storage));
    _wanted.insert(_wanted.end(), readers.begin(), readers.end());
  }

  /// Adds the edges to `step` that replace() asked for.
  void finish(int step, std::vector<StepEdge>& edges) {
    std::erase(_wanted, step);
    if (_wanted.empty()) return;
    // Later steps first: they may depend on the earlier ones.
    std::sort(_wanted.begin(), _wanted.end(), [this](int a, int b) { return rank(a) > rank(b); });
    _wanted.erase(std::unique(_wanted.begin(), _wanted.end()), _wanted.end());
    _least = rank(_wanted.back());
    _looksLeft = MOST_LOOKS;
    look(step, step);
    for (const int before : _wanted) {
      if (_seen[static_cast<size_t>(before)] == step) continue;
      edges.push_back({before, step});
      _added[static_cast<size_t>(step)].push_back(before);
      _seen[static_cast<size_t>(before)] = step;
      look(before, step);
    }
    _wanted.clear();
  }

 private:
  static constexpr int MOST_LOOKS = 64;

  int rank(int step) const { return _rank[static_cast<size_t>(step)]; }

  /// Marks steps on which `from` depends as seen for `step`.
  void look(int from, int step) {
    _stack.assign(1, from);
    while (!_stack.empty() && _looksLeft > 0) {
      const int at = _stack.back();
      _stack.pop_back();
      for (const int before : _graph.predecessors(at)) push(before, step);
      for (const int before : _added[static_cast<size_t>(at)]) push(before, step);
    }
  }

  void push(int before, int step) {
    if (rank(before) < _least || _seen[static_cast<size_t>(before)] == step || --_looksLeft < 0) return;
    _seen[static_cast<size_t>(before)] = step;
    _stack.push_back(before);
  }

  const StepGraph& _graph;
  std::vector<int> _rank;
  std::vector<std::vector<int>> _added;  // steps before each step
  std::vector<int> _seen;                // the step for which a step was seen last
  std::vector<int> _gate;                // of a storage: the first step that waits for all its readers
  std::vector<int> _wanted, _stack;
  int _least = 0, _looksLeft = 0;
};

/// Whether output `output` of a step may lie in place of `input`, by the hints and the other inputs of the step.
bool mayShare(const Steps& steps, std::span<const Steps::InPlace> hints, int step, int output, int input) {
  bool isHinted = false;
  for (size_t i = 0; i < steps.reads(step).size(); ++i) {
    if (steps.buffer(steps.reads(step)[i]).storage != input) continue;
    const bool isThis = std::any_of(hints.begin(), hints.end(), [&](const Steps::InPlace& hint) {
      return steps.writes(step)[static_cast<size_t>(hint.output)] == output && static_cast<size_t>(hint.input) == i;
    });
    if (!isThis) return false;
    isHinted = true;
  }
  return isHinted;
}

}  // namespace

std::vector<StepEdge> sharingEdges(const Steps& steps, std::span<const int> order, const MemoryPlan& plan) {
  const StepGraph graph(steps);
  EdgeFinder finder(graph, order);
  Occupants occupants;
  std::vector<StepEdge> edges;
  for (const int step : order) {
    for (const int s : graph.writes(step)) {
      if (graph.bytes(s) == 0) continue;
      const int64_t begin = plan.offset(s), end = begin + graph.bytes(s);
      occupants.forEach(begin, end, [&](int old) { finder.replace(old, step); });
      occupants.put(begin, end, s);
    }
    finder.finish(step, edges);
  }
  return edges;
}

std::string findFault(const Steps& steps, std::span<const int> order, const MemoryPlan& plan) {
  const auto count = static_cast<size_t>(steps.buffers());
  // Found from the steps themselves, not from what the plan was made of.
  std::vector<int> first(count, -1), last(count, -1);
  for (size_t i = 0; i < order.size(); ++i) {
    const auto use = [&](int b) {
      const auto storage = static_cast<size_t>(steps.buffer(b).storage);
      last[storage] = static_cast<int>(i);
      if (first[storage] < 0) first[storage] = static_cast<int>(i);
    };
    for (const int b : steps.reads(order[i])) use(b);
    for (const int b : steps.writes(order[i])) use(b);
  }
  std::vector<std::vector<int>> ending(order.size());
  for (size_t b = 0; b < count; ++b) {
    const Steps::Buffer& buffer = steps.buffer(static_cast<int>(b));
    const auto storage = static_cast<size_t>(buffer.storage);
    if ((buffer.flags & Steps::KEPT) != 0) last[storage] = static_cast<int>(order.size());
    const Steps::Buffer& owner = steps.buffer(buffer.storage);
    const bool isOutside = (owner.flags & Steps::OUTSIDE) != 0 || owner.writer < 0;
    const int64_t offset = plan.offset(static_cast<int>(b));
    if (offset != plan.offset(buffer.storage)) return fmt::format("view {} is not where {} is", b, storage);
    if (isOutside != (offset < 0)) return fmt::format("buffer {} has the offset {}", b, offset);
    if (offset % ARENA_ALIGNMENT != 0 && !isOutside) return fmt::format("buffer {} is not aligned: {}", b, offset);
    if (!isOutside && offset + owner.bytes > plan.arenaBytes()) return fmt::format("buffer {} is not in the arena", b);
  }
  for (size_t b = 0; b < count; ++b)
    if (last[b] >= 0 && static_cast<size_t>(last[b]) < order.size())
      ending[static_cast<size_t>(last[b])].push_back(static_cast<int>(b));

  std::vector<std::vector<Steps::InPlace>> hints(order.size());
  for (const Steps::InPlace& hint : steps.inPlace()) hints[static_cast<size_t>(hint.step)].push_back(hint);
  Occupants live;
  for (size_t i = 0; i < order.size(); ++i) {
    const int step = order[i];
    // Inputs make place for outputs that lie over them.
    for (const int b : steps.writes(step)) {
      const int input = plan.inPlaceOf(b);
      if (input < 0) continue;
      const bool isRight = steps.buffer(b).viewOf < 0 && plan.offset(input) == plan.offset(b) &&
                           last[static_cast<size_t>(input)] == static_cast<int>(i) &&
                           mayShare(steps, hints[static_cast<size_t>(step)], step, b, input);
      if (!isRight) return fmt::format("buffer {} may not lie in place of {}", b, input);
      live.remove(plan.offset(b), plan.offset(b) + steps.buffer(b).bytes);
    }
    std::string fault;
    for (const int b : steps.writes(step)) {
      const Steps::Buffer& buffer = steps.buffer(b);
      if (buffer.viewOf >= 0 || plan.offset(b) < 0 || buffer.bytes == 0) continue;
      const int64_t begin = plan.offset(b), end = begin + buffer.bytes;
      live.forEach(begin, end, [&](int other) { fault = fmt::format("buffers {} and {} overlap", b, other); });
      if (!fault.empty()) return fault;
      live.put(begin, end, b);
    }
    for (const int b : ending[i]) {
      // A buffer over which another one lies has left already, at least in part.
      if (plan.offset(b) < 0 || steps.buffer(b).bytes == 0) continue;
      live.removeOf(b, plan.offset(b), plan.offset(b) + steps.buffer(b).bytes);
    }
  }
  return {};
}

}  // namespace sd::graph
