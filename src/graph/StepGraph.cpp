#include "graph/StepGraph.h"

#include <algorithm>

namespace sd::graph {

StepGraph::StepGraph(const Steps& steps)
    : _bytes(static_cast<size_t>(steps.buffers())),
      _kept(static_cast<size_t>(steps.buffers())),
      _writer(static_cast<size_t>(steps.buffers()), -1) {
  for (int b = 0; b < steps.buffers(); ++b) {
    const Steps::Buffer& buffer = steps.buffer(b);
    if ((buffer.flags & Steps::KEPT) != 0) _kept[static_cast<size_t>(buffer.storage)] = 1;
    if (buffer.storage != b || buffer.writer < 0 || (buffer.flags & Steps::OUTSIDE) != 0) continue;
    _writer[static_cast<size_t>(b)] = buffer.writer;
    _bytes[static_cast<size_t>(b)] = (buffer.bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
  }
  findUses(steps);
  findEdges(steps);
  findPairs(steps);
}

void StepGraph::findUses(const Steps& steps) {
  std::vector<StepEdge> readers;
  std::vector<int> lastReader(static_cast<size_t>(steps.buffers()), -1);
  for (int step = 0; step < steps.steps(); ++step) {
    _reads.add({});
    _writes.add({});
    const auto read = [&](int storage) {
      int& last = lastReader[static_cast<size_t>(storage)];
      if (last == step || !inArena(storage)) return;
      last = step;
      _reads.extend(storage);
      readers.push_back({storage, step});
    };
    for (const int b : steps.reads(step)) read(steps.buffer(b).storage);
    for (const int b : steps.writes(step)) {
      const Steps::Buffer& buffer = steps.buffer(b);
      if (buffer.viewOf < 0) {
        if (inArena(b)) _writes.extend(b);
      } else if (writer(buffer.storage) != step) {
        read(buffer.storage);
      }
    }
  }
  _readers = NumberLists(steps.buffers(), readers);
}

void StepGraph::findEdges(const Steps& steps) {
  std::vector<StepEdge> edges(steps.controls().begin(), steps.controls().end());
  const auto depend = [&](int step, int buffer) {
    // A view that nobody writes is there as soon as what it is a view of.
    while (buffer >= 0 && steps.buffer(buffer).writer < 0) buffer = steps.buffer(buffer).viewOf;
    if (buffer >= 0) edges.push_back({steps.buffer(buffer).writer, step});
  };
  for (int step = 0; step < steps.steps(); ++step) {
    for (const int b : steps.reads(step)) depend(step, b);
    for (const int b : steps.writes(step)) {
      const int of = steps.buffer(b).viewOf;
      // A step may write a buffer and a view of it at once.
      if (of >= 0 && steps.buffer(of).writer != step) depend(step, of);
    }
  }
  _successors = NumberLists(steps.steps(), edges);
  for (StepEdge& edge : edges) std::swap(edge.before, edge.after);
  _predecessors = NumberLists(steps.steps(), edges);
}

void StepGraph::findPairs(const Steps& steps) {
  std::vector<Steps::InPlace> hints(steps.inPlace().begin(), steps.inPlace().end());
  // Of the inputs in whose place an output may lie, the one that was named first is preferred.
  std::stable_sort(hints.begin(), hints.end(), [](const Steps::InPlace& a, const Steps::InPlace& b) {
    return a.step != b.step ? a.step < b.step : a.output < b.output;
  });
  const auto isHinted = [&](size_t begin, const Steps::InPlace& like, int input) {
    for (size_t i = begin; i < hints.size() && hints[i].step == like.step; ++i)
      if (hints[i].output == like.output && hints[i].input == input) return true;
    return false;
  };
  size_t next = 0;
  _pairBegins.push_back(0);
  for (int step = 0; step < steps.steps(); ++step) {
    const size_t begin = next, firstPair = _pairs.size();
    for (; next < hints.size() && hints[next].step == step; ++next) {
      const Steps::InPlace& hint = hints[next];
      const int output = steps.writes(step)[static_cast<size_t>(hint.output)];
      const int input = steps.buffer(steps.reads(step)[static_cast<size_t>(hint.input)]).storage;
      if (steps.buffer(output).viewOf >= 0 || !inArena(output) || !inArena(input) || isKept(input)) continue;
      if (bytes(output) > bytes(input) || bytes(output) == 0) continue;
      // Another way to read the input, a transposed view for example, would see what has been written already.
      bool isSafe = true;
      for (size_t i = 0; i < steps.reads(step).size() && isSafe; ++i) {
        const Steps::Buffer& read = steps.buffer(steps.reads(step)[i]);
        if (read.storage == input) isSafe = read.whole && isHinted(begin, hint, static_cast<int>(i));
      }
      for (const int b : steps.writes(step)) isSafe = isSafe && steps.buffer(b).storage != input;
      for (size_t i = firstPair; i < _pairs.size() && isSafe; ++i)
        isSafe = _pairs[i].output != output || _pairs[i].input != input;
      if (isSafe) _pairs.push_back({output, input});
    }
    std::stable_sort(_pairs.begin() + static_cast<std::ptrdiff_t>(firstPair), _pairs.end(),
                     [this](const Pair& a, const Pair& b) {
                       const int64_t lostA = bytes(a.input) - bytes(a.output), lostB = bytes(b.input) - bytes(b.output);
                       if ((lostA == 0) != (lostB == 0)) return lostA == 0;
                       return bytes(a.output) != bytes(b.output) ? bytes(a.output) > bytes(b.output) : lostA < lostB;
                     });
    _pairBegins.push_back(static_cast<int>(_pairs.size()));
  }
}

LiveMemory::LiveMemory(const StepGraph& graph) : _graph(graph), _readersLeft(static_cast<size_t>(graph.storages())) {
  for (int s = 0; s < graph.storages(); ++s)
    _readersLeft[static_cast<size_t>(s)] = static_cast<int>(graph.readers(s).size());
}

LiveMemory::Change LiveMemory::run(int step) {
  int64_t written = 0, freed = 0, saved = 0;
  for (const int s : _graph.reads(step)) {
    --_readersLeft[static_cast<size_t>(s)];
    if (dies(s)) freed += _graph.bytes(s);
  }
  for (const int s : _graph.writes(step)) {
    written += _graph.bytes(s);
    // Nobody reads it.
    if (dies(s)) freed += _graph.bytes(s);
  }
  _graph.usePairs(
      step, [this](int input) { return dies(input); },
      [&](const StepGraph::Pair& pair) { saved += _graph.bytes(pair.output); });
  return {written - saved, written - freed};
}

void LiveMemory::reset(std::span<const int> steps) {
  for (const int step : steps)
    for (const int s : _graph.writes(step))
      _readersLeft[static_cast<size_t>(s)] = static_cast<int>(_graph.readers(s).size());
}

}  // namespace sd::graph
