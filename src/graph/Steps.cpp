#include "graph/Steps.h"

#include "system/Error.h"

namespace sd::graph {

namespace {

// Sums of sizes stay far from overflow.
constexpr int64_t LARGEST_BUFFER = int64_t{1} << 48;

}  // namespace

NumberLists::NumberLists(int lists, std::span<const StepEdge> edges)
    : _begins(static_cast<size_t>(lists) + 1), _items(edges.size()) {
  for (const StepEdge& edge : edges) ++_begins[static_cast<size_t>(edge.before) + 1];
  for (size_t i = 1; i < _begins.size(); ++i) _begins[i] += _begins[i - 1];
  std::vector<int> next(_begins.begin(), _begins.end() - 1);
  for (const StepEdge& edge : edges) _items[static_cast<size_t>(next[static_cast<size_t>(edge.before)]++)] = edge.after;
}

void NumberLists::add(std::span<const int> items) {
  _items.insert(_items.end(), items.begin(), items.end());
  _begins.push_back(static_cast<int>(_items.size()));
}

void NumberLists::extend(int item) {
  _items.push_back(item);
  ++_begins.back();
}

void Steps::checkBuffer(int number) const {
  if (number < 0 || number >= buffers())
    invalidArgument("[steps] there is no buffer {}: there are {}", number, buffers());
}

void Steps::checkStep(int number) const {
  if (number < 0 || number >= steps()) invalidArgument("[steps] there is no step {}: there are {}", number, steps());
}

int Steps::addBuffer(int64_t bytes, unsigned flags) {
  if (bytes < 0 || bytes > LARGEST_BUFFER)
    invalidArgument("[steps] buffer {}: the size {} is outside 0..{}", buffers(), bytes, LARGEST_BUFFER);
  _buffers.push_back({bytes, flags, -1, buffers(), true, -1});
  return buffers() - 1;
}

int Steps::addView(int number, bool whole, unsigned flags) {
  checkBuffer(number);
  const Buffer& of = buffer(number);
  _buffers.push_back({of.bytes, flags, number, of.storage, whole && of.whole, -1});
  return buffers() - 1;
}

int Steps::addStep(std::span<const int> reads, std::span<const int> writes) {
  const int step = steps();
  for (const int number : reads) checkBuffer(number);
  for (size_t i = 0; i < writes.size(); ++i) {
    checkBuffer(writes[i]);
    int other = buffer(writes[i]).writer;
    for (size_t j = 0; j < i; ++j)
      if (writes[j] == writes[i]) other = step;
    if (other >= 0) invalidArgument("[steps] buffer {} is written by step {} and by step {}", writes[i], other, step);
  }
  _reads.add(reads);
  _writes.add(writes);
  for (const int number : writes) _buffers[static_cast<size_t>(number)].writer = step;
  return step;
}

void Steps::addControl(int before, int after) {
  checkStep(before);
  checkStep(after);
  _controls.push_back({before, after});
}

void Steps::allowInPlace(int step, int output, int input) {
  checkStep(step);
  if (output < 0 || static_cast<size_t>(output) >= writes(step).size())
    invalidArgument("[steps] step {} has no output {}: it has {}", step, output, writes(step).size());
  if (input < 0 || static_cast<size_t>(input) >= reads(step).size())
    invalidArgument("[steps] step {} has no input {}: it has {}", step, input, reads(step).size());
  _inPlace.push_back({step, output, input});
}

}  // namespace sd::graph
