// Steps for the tests of plans: shapes that are known, and random ones.
#ifndef NDFORGE_TESTS_RANDOMSTEPS_H
#define NDFORGE_TESTS_RANDOMSTEPS_H

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "graph/Steps.h"

namespace random_steps {

using sd::graph::Steps;

struct Choice {
  int steps = 6;
  /// Sizes are 64..64*sizes bytes, in steps of 64.
  int sizes = 4;
  /// Inputs are outputs of the last `reach` steps.
  int reach = 1000;
  bool hasViews = true, hasInPlace = true, hasKept = true;
};

/// A pseudo-random number 0..below-1, the same on every machine.
inline int below(std::mt19937& random, int number) {
  return static_cast<int>(random() % static_cast<unsigned>(number));
}

/// Each step has one output, seldom two, and up to three inputs. The steps are in a valid order.
inline Steps make(std::mt19937& random, const Choice& choice) {
  Steps steps;
  std::vector<int> outputs{steps.addBuffer(64 * choice.sizes)};
  for (int i = 0; i < choice.steps; ++i) {
    std::vector<int> reads, writes;
    const int inputs = below(random, 4);
    for (int j = 0; j < inputs; ++j) {
      const int count = static_cast<int>(outputs.size()), reach = std::min(choice.reach, count);
      reads.push_back(outputs[static_cast<size_t>(count - 1 - below(random, reach))]);
    }
    const bool isView = choice.hasViews && inputs > 0 && below(random, 6) == 0;
    const unsigned kept = choice.hasKept && below(random, 8) == 0 ? Steps::KEPT : Steps::PLAIN;
    const unsigned outside = choice.hasKept && below(random, 12) == 0 ? Steps::OUTSIDE : Steps::PLAIN;
    const int size = 64 * (1 + below(random, choice.sizes));
    writes.push_back(isView ? steps.addView(reads[0], below(random, 2) == 0, kept)
                            : steps.addBuffer(size, kept | outside));
    if (below(random, 8) == 0) writes.push_back(steps.addBuffer(64 * (1 + below(random, choice.sizes))));
    const int step = steps.addStep(reads, writes);
    for (int j = 0; choice.hasInPlace && j < inputs; ++j)
      if (below(random, 2) == 0) steps.allowInPlace(step, 0, j);
    if (step > 1 && below(random, 10) == 0) steps.addControl(below(random, step), step);
    outputs.insert(outputs.end(), writes.begin(), writes.end());
  }
  return steps;
}

/// The same steps in another order of addition, which need not be a valid order.
inline Steps shuffled(std::mt19937& random, const Steps& steps) {
  std::vector<int> order, number(static_cast<size_t>(steps.steps()));
  for (int i = 0; i < steps.steps(); ++i) order.insert(order.begin() + below(random, i + 1), i);
  Steps result;
  for (int b = 0; b < steps.buffers(); ++b) {
    const Steps::Buffer& buffer = steps.buffer(b);
    if (buffer.viewOf >= 0)
      result.addView(buffer.viewOf, buffer.whole, buffer.flags);
    else
      result.addBuffer(buffer.bytes, buffer.flags);
  }
  for (const int step : order)
    number[static_cast<size_t>(step)] = result.addStep(steps.reads(step), steps.writes(step));
  for (const auto& [before, after] : steps.controls())
    result.addControl(number[static_cast<size_t>(before)], number[static_cast<size_t>(after)]);
  for (const Steps::InPlace& hint : steps.inPlace())
    result.allowInPlace(number[static_cast<size_t>(hint.step)], hint.output, hint.input);
  return result;
}

/// Layers that each read what the one before wrote.
inline Steps chain(int layers, int64_t bytes, bool isInPlace) {
  Steps steps;
  int last = steps.addBuffer(bytes);
  for (int i = 0; i < layers; ++i) {
    const int reads[] = {last};
    last = steps.addBuffer(bytes);
    const int writes[] = {last};
    const int step = steps.addStep(reads, writes);
    if (isInPlace) steps.allowInPlace(step, 0, 0);
  }
  return steps;
}

/// The steps on which each step depends directly, found from buffers and controls.
inline std::vector<std::vector<int>> dependencies(const Steps& steps) {
  std::vector<std::vector<int>> result(static_cast<size_t>(steps.steps()));
  for (int step = 0; step < steps.steps(); ++step) {
    const auto depend = [&](int buffer) {
      for (; buffer >= 0; buffer = steps.buffer(buffer).viewOf) {
        const int writer = steps.buffer(buffer).writer;
        if (writer >= 0 && writer != step) result[static_cast<size_t>(step)].push_back(writer);
      }
    };
    for (const int b : steps.reads(step)) depend(b);
    for (const int b : steps.writes(step)) depend(steps.buffer(b).viewOf);
  }
  for (const auto& [before, after] : steps.controls()) result[static_cast<size_t>(after)].push_back(before);
  return result;
}

/// Adds a step with one output.
inline int add(Steps& steps, std::vector<int> reads, int64_t bytes, unsigned flags = Steps::PLAIN) {
  const int writes[] = {steps.addBuffer(bytes, flags)};
  steps.addStep(reads, writes);
  return writes[0];
}

inline bool isValid(const Steps& steps, const std::vector<int>& order) {
  std::vector<int> rank(static_cast<size_t>(steps.steps()), -1);
  if (order.size() != rank.size()) return false;
  for (size_t i = 0; i < order.size(); ++i) rank.at(static_cast<size_t>(order[i])) = static_cast<int>(i);
  const auto before = dependencies(steps);
  for (size_t step = 0; step < before.size(); ++step)
    for (const int other : before[step])
      if (rank[static_cast<size_t>(other)] >= rank[step]) return false;
  return std::count(rank.begin(), rank.end(), -1) == 0;
}

struct Life {
  int64_t bytes = 0;
  int first = -1, last = -1;
  bool isKept = false;
};

/// Lifetimes of the memory of the arena in an order, by buffers; no bytes for others. Written without a thought of
/// speed.
inline std::vector<Life> lives(const Steps& steps, const std::vector<int>& order) {
  std::vector<Life> result(static_cast<size_t>(steps.buffers()));
  for (int i = 0; i < static_cast<int>(order.size()); ++i) {
    for (const int b : steps.writes(order[static_cast<size_t>(i)])) {
      Life& life = result[static_cast<size_t>(steps.buffer(b).storage)];
      life.last = i;
      if (steps.buffer(b).viewOf >= 0 || (steps.buffer(b).flags & Steps::OUTSIDE) != 0) continue;
      life.first = i;
      life.bytes = (steps.buffer(b).bytes + 63) / 64 * 64;
    }
    for (const int b : steps.reads(order[static_cast<size_t>(i)]))
      result[static_cast<size_t>(steps.buffer(b).storage)].last = i;
  }
  for (int b = 0; b < steps.buffers(); ++b)
    if ((steps.buffer(b).flags & Steps::KEPT) != 0) result[static_cast<size_t>(steps.buffer(b).storage)].isKept = true;
  for (Life& life : result)
    if (life.isKept) life.last = static_cast<int>(order.size()) - 1;
  return result;
}

/// The largest sum of live bytes. Hints in place are for output 0 only, so the output may take any input that dies.
inline int64_t peak(const Steps& steps, const std::vector<int>& order) {
  const std::vector<Life> all = lives(steps, order);
  int64_t most = 0;
  for (int i = 0; i < static_cast<int>(order.size()); ++i) {
    int64_t live = 0;
    for (const Life& life : all)
      if (life.bytes > 0 && life.first <= i && i <= life.last) live += life.bytes;
    const int step = order[static_cast<size_t>(i)], output = steps.writes(step)[0];
    int64_t saved = 0;
    for (const Steps::InPlace& hint : steps.inPlace()) {
      if (hint.step != step || steps.buffer(output).viewOf >= 0) continue;
      const int input = steps.buffer(steps.reads(step)[static_cast<size_t>(hint.input)]).storage;
      const Life& life = all[static_cast<size_t>(input)];
      const int64_t bytes = all[static_cast<size_t>(output)].bytes;
      if (life.last != i || life.isKept || life.bytes < bytes) continue;
      bool isOnlyUse = true;
      for (int j = 0; j < static_cast<int>(steps.reads(step).size()); ++j) {
        const Steps::Buffer& read = steps.buffer(steps.reads(step)[static_cast<size_t>(j)]);
        if (read.storage != input) continue;
        bool isHinted = false;
        for (const Steps::InPlace& other : steps.inPlace()) isHinted |= other.step == step && other.input == j;
        isOnlyUse = isOnlyUse && isHinted && read.whole;
      }
      for (const int b : steps.writes(step)) isOnlyUse = isOnlyUse && steps.buffer(b).storage != input;
      if (isOnlyUse) saved = bytes;
    }
    most = std::max(most, live - saved);
  }
  return most;
}

/// Calls f(order) for every valid order.
template <typename F>
void forEachOrder(const Steps& steps, F&& f) {
  const auto before = dependencies(steps);
  std::vector<int> order;
  std::vector<char> isDone(before.size());
  const auto go = [&](auto& self) -> void {
    if (order.size() == before.size()) return f(order);
    for (size_t s = 0; s < before.size(); ++s) {
      if (isDone[s] != 0) continue;
      bool isReady = true;
      for (const int other : before[s]) isReady = isReady && isDone[static_cast<size_t>(other)] != 0;
      if (!isReady) continue;
      isDone[s] = 1;
      order.push_back(static_cast<int>(s));
      self(self);
      order.pop_back();
      isDone[s] = 0;
    }
  };
  go(go);
}

inline int64_t bestPeak(const Steps& steps) {
  int64_t best = std::numeric_limits<int64_t>::max();
  forEachOrder(steps, [&](const std::vector<int>& order) { best = std::min(best, peak(steps, order)); });
  return best;
}

}  // namespace random_steps

#endif
