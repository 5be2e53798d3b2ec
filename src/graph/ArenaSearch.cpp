#include <algorithm>

#include "graph/ArenaPacking.h"

namespace sd::graph {

namespace {

// In a best packing, take the blocks in the order of their offsets and move each down onto the highest block below it
// that lives with it: none moves up. So it is enough to try orders, and to put each block on top of those before it.
// Of orders that give the same packing, only the one is tried whose offsets rise.
class PackingSearch {
 public:
  PackingSearch(const ArenaBlocks& blocks, int64_t bound, int64_t budget)
      : _blocks(blocks),
        _least(blocks.liveBytes()),
        _bound(bound),
        _budget(budget),
        _isPlaced(static_cast<size_t>(blocks.size())),
        _offsets(static_cast<size_t>(blocks.size())) {}

  Packing run() {
    place(0, 0, -1, 0);
    return std::move(_best);
  }

 private:
  int64_t top(int block) const {
    int64_t result = 0;
    for (int other = 0; other < _blocks.size(); ++other) {
      if (_isPlaced[static_cast<size_t>(other)] == 0) continue;
      const int from = std::max(_blocks.first(block), _blocks.first(other));
      if (from > std::min(_blocks.last(block), _blocks.last(other))) continue;
      result = std::max(result, _offsets[static_cast<size_t>(other)] + _blocks.bytesAt(other, from));
    }
    return result;
  }

  bool isDone() const { return _bound <= _least || _budget <= 0; }

  void place(int count, int64_t lastOffset, int lastBlock, int64_t bytes) {
    if (count == _blocks.size()) {
      _bound = bytes;
      _best = {_offsets, bytes};
      return;
    }
    _budget -= static_cast<int64_t>(_blocks.size()) * _blocks.size();
    // Every block that is left will lie at least where it would lie now.
    for (int b = 0; b < _blocks.size(); ++b)
      if (_isPlaced[static_cast<size_t>(b)] == 0 && std::max(top(b), lastOffset) + _blocks.bytes(b) >= _bound) return;
    for (int b = 0; b < _blocks.size() && !isDone(); ++b) {
      if (_isPlaced[static_cast<size_t>(b)] != 0) continue;
      const int64_t offset = top(b);
      if (offset < lastOffset || (offset == lastOffset && b < lastBlock)) continue;
      _isPlaced[static_cast<size_t>(b)] = 1;
      _offsets[static_cast<size_t>(b)] = offset;
      place(count + 1, offset, b, std::max(bytes, offset + _blocks.bytes(b)));
      _isPlaced[static_cast<size_t>(b)] = 0;
    }
  }

  const ArenaBlocks& _blocks;
  const int64_t _least;
  int64_t _bound, _budget;
  std::vector<char> _isPlaced;
  std::vector<int64_t> _offsets;
  Packing _best;
};

}  // namespace

Packing packBySearch(const ArenaBlocks& blocks, int64_t bound, int64_t budget) {
  return PackingSearch(blocks, bound, budget).run();
}

}  // namespace sd::graph
