#include "graph/MemoryPlan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "graph/ArenaPacking.h"
#include "graph/StepGraph.h"
#include "system/Error.h"

namespace sd::graph {

namespace {

/// The position of each step.
std::vector<int> ranks(const StepGraph& graph, std::span<const int> order) {
  std::vector<int> rank(static_cast<size_t>(graph.steps()), -1);
  if (order.size() != rank.size())
    invalidArgument("[memory plan] the order has {} steps instead of {}", order.size(), rank.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || order[i] >= graph.steps() || rank[static_cast<size_t>(order[i])] >= 0)
      invalidArgument("[memory plan] step {} at position {} of the order does not exist or is there already", order[i],
                      i);
    rank[static_cast<size_t>(order[i])] = static_cast<int>(i);
  }
  for (const int step : order)
    for (const int before : graph.predecessors(step))
      if (rank[static_cast<size_t>(before)] >= rank[static_cast<size_t>(step)])
        invalidArgument("[memory plan] step {} depends on step {}, which comes later in the order", step, before);
  return rank;
}

}  // namespace

MemoryPlan::MemoryPlan(const Steps& steps, std::span<const int> order) : _places(static_cast<size_t>(steps.buffers())) {
  const StepGraph graph(steps);
  const std::vector<int> rank = ranks(graph, order);
  const int end = graph.steps() - 1;
  for (int s = 0; s < graph.storages(); ++s) {
    if (!graph.inArena(s)) continue;
    Lifetime& life = _places[static_cast<size_t>(s)].life;
    life.first = life.last = rank[static_cast<size_t>(graph.writer(s))];
    for (const int reader : graph.readers(s)) life.last = std::max(life.last, rank[static_cast<size_t>(reader)]);
    if (graph.isKept(s)) life.last = end;
    _total += graph.bytes(s);
  }

  std::vector<int> successor(_places.size(), -1);
  for (int position = 0; position <= end; ++position)
    graph.usePairs(
        order[static_cast<size_t>(position)],
        [&](int input) { return lifetime(input).last == position && !graph.isKept(input); },
        [&](const StepGraph::Pair& pair) {
          _places[static_cast<size_t>(pair.output)].inPlaceOf = pair.input;
          successor[static_cast<size_t>(pair.input)] = pair.output;
        });

  // Buffers in place of each other are one block, which becomes smaller when an output is smaller than its input.
  ArenaBlocks blocks(std::max(1, graph.steps()));
  std::vector<int> heads;
  for (int s = 0; s < graph.storages(); ++s) {
    if (!graph.inArena(s) || graph.bytes(s) == 0 || inPlaceOf(s) >= 0) continue;
    int last = s;
    while (successor[static_cast<size_t>(last)] >= 0) last = successor[static_cast<size_t>(last)];
    blocks.add(lifetime(s).first, lifetime(last).last, graph.bytes(s));
    heads.push_back(s);
    for (int at = s; at != last;) {
      const int next = successor[static_cast<size_t>(at)];
      // A kept buffer cannot die in the last step, but an output of the last step may lie over an input.
      if (graph.bytes(next) < graph.bytes(at) && lifetime(next).first < end)
        blocks.shrink(lifetime(next).first + 1, graph.bytes(next));
      at = next;
    }
  }
  const Packing packing = packBlocks(blocks);
  for (int b = 0; b < blocks.size(); ++b)
    for (int s = heads[static_cast<size_t>(b)]; s >= 0; s = successor[static_cast<size_t>(s)])
      _places[static_cast<size_t>(s)].offset = packing.offsets[static_cast<size_t>(b)];
  for (int b = 0; b < steps.buffers(); ++b) {
    Place& place = _places[static_cast<size_t>(b)];
    const int storage = steps.buffer(b).storage;
    if (storage != b) {
      place.offset = offset(storage);
      place.life = lifetime(storage);
    } else if (graph.inArena(b) && graph.bytes(b) == 0) {
      place.offset = 0;
    }
  }
  _arena = packing.bytes;
  _live = blocks.liveBytes();
}

std::string MemoryPlan::text(const Steps& steps, std::span<const int> order,
                             const std::function<std::string(int)>& bufferName,
                             const std::function<std::string(int)>& stepName) const {
  const auto named = [](const std::function<std::string(int)>& name, int number) {
    return name ? name(number) : fmt::format("{}", number);
  };
  std::string result =
      fmt::format("{:>12} {:>12}  {:<20} {:<20} {}\n", "offset", "bytes", "written by", "last read by", "buffer");
  for (const int step : order)
    for (const int b : steps.writes(step)) {
      if (offset(b) < 0) continue;
      const Steps::Buffer& buffer = steps.buffer(b);
      const Lifetime life = lifetime(b);
      const bool isKept = (buffer.flags & Steps::KEPT) != 0;
      fmt::format_to(std::back_inserter(result), "{:>12} {:>12}  {:<20} {:<20} {}", offset(b), buffer.bytes,
                     named(stepName, step), isKept ? "kept" : named(stepName, order[static_cast<size_t>(life.last)]),
                     named(bufferName, b));
      if (buffer.viewOf >= 0) result += ", a view of " + named(bufferName, buffer.viewOf);
      if (inPlaceOf(b) >= 0) result += ", in place of " + named(bufferName, inPlaceOf(b));
      result += '\n';
    }
  fmt::format_to(std::back_inserter(result), "arena {} bytes, live at once {}, without sharing {}\n", _arena, _live,
                 _total);
  return result;
}

}  // namespace sd::graph
