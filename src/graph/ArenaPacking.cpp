#include "graph/ArenaPacking.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace sd::graph {

namespace {

constexpr int MOST_SEARCHED_BLOCKS = 24;
constexpr int64_t SEARCH_BUDGET = 3000000, PLACING_BUDGET = 1000000;
constexpr int MOST_ROUNDS = 50;

/// Blocks that have been placed, found by the positions at which they live.
class PlacedBlocks {
 public:
  explicit PlacedBlocks(const ArenaBlocks& blocks) : _blocks(blocks) {
    while (_leaves < blocks.positions()) _leaves *= 2;
    _covers.assign(2 * static_cast<size_t>(_leaves), -1);
    _starts.assign(static_cast<size_t>(blocks.positions()), -1);
  }

  void add(int block) {
    push(_starts[static_cast<size_t>(_blocks.first(block))], block);
    // The nodes of a binary tree over positions whose ranges together are the life of the block.
    int low = _blocks.first(block) + _leaves, high = _blocks.last(block) + _leaves + 1;
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) push(_covers[static_cast<size_t>(low++)], block);
      if (high % 2 == 1) push(_covers[static_cast<size_t>(--high)], block);
    }
  }

  /// Calls found(other) for all blocks that live together with `block`: those that live at its first position, and
  /// those that begin later while it lives. Returns false when the budget is used up.
  template <typename F>
  bool forEachNeighbour(int block, int64_t& budget, F&& found) const {
    const int first = _blocks.first(block), last = _blocks.last(block);
    for (int node = first + _leaves; node > 0; node /= 2) visit(_covers[static_cast<size_t>(node)], budget, found);
    for (int position = first + 1; position <= last && budget > 0; ++position) {
      --budget;
      visit(_starts[static_cast<size_t>(position)], budget, found);
    }
    return budget > 0;
  }

 private:
  struct Entry {
    int block, next;
  };

  void push(int& head, int block) {
    _entries.push_back({block, head});
    head = static_cast<int>(_entries.size()) - 1;
  }

  template <typename F>
  void visit(int entry, int64_t& budget, F& found) const {
    for (; entry >= 0 && budget > 0; entry = _entries[static_cast<size_t>(entry)].next) {
      --budget;
      found(_entries[static_cast<size_t>(entry)].block);
    }
  }

  const ArenaBlocks& _blocks;
  int _leaves = 1;
  std::vector<int> _covers, _starts;  // heads of lists in _entries
  std::vector<Entry> _entries;
};

/// Free parts of the arena below its top.
class Gaps {
 public:
  int64_t top() const { return _top; }

  int64_t take(int64_t bytes) {
    if (bytes == 0) return 0;
    const auto fit = _bySize.lower_bound({bytes, 0});
    if (fit != _bySize.end()) {
      const auto [size, offset] = *fit;
      erase(_byOffset.find(offset));
      if (size > bytes) insert(offset + bytes, size - bytes);
      return offset;
    }
    int64_t offset = _top;
    if (!_byOffset.empty()) {
      const auto highest = std::prev(_byOffset.end());
      if (highest->first + highest->second == _top) {
        offset = highest->first;
        erase(highest);
      }
    }
    _top = offset + bytes;
    return offset;
  }

  void give(int64_t offset, int64_t bytes) {
    if (bytes == 0) return;
    auto next = _byOffset.lower_bound(offset);
    if (next != _byOffset.end() && offset + bytes == next->first) {
      bytes += next->second;
      next = erase(next);
    }
    if (next != _byOffset.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        erase(before);
      }
    }
    insert(offset, bytes);
  }

 private:
  using ByOffset = std::map<int64_t, int64_t>;

  void insert(int64_t offset, int64_t bytes) {
    _byOffset.emplace(offset, bytes);
    _bySize.emplace(bytes, offset);
  }
  ByOffset::iterator erase(ByOffset::iterator gap) {
    _bySize.erase({gap->second, gap->first});
    return _byOffset.erase(gap);
  }

  ByOffset _byOffset;
  std::set<std::pair<int64_t, int64_t>> _bySize;
  int64_t _top = 0;
};

std::vector<int> numbers(int count) {
  std::vector<int> result(static_cast<size_t>(count));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// The same blocks in reversed time; only for blocks that keep their sizes.
ArenaBlocks reversed(const ArenaBlocks& blocks) {
  ArenaBlocks result(blocks.positions());
  const int end = blocks.positions() - 1;
  for (int b = 0; b < blocks.size(); ++b) result.add(end - blocks.last(b), end - blocks.first(b), blocks.bytes(b));
  return result;
}

}  // namespace

int64_t ArenaBlocks::bytesAt(int block, int position) const {
  const auto begin = _drops.begin() + dropsBegin(block), end = _drops.begin() + dropsEnd(block);
  const auto after = std::upper_bound(begin, end, position, [](int p, const Drop& drop) { return p < drop.position; });
  return after == begin ? bytes(block) : std::prev(after)->bytes;
}

int64_t ArenaBlocks::liveBytes() const {
  std::vector<int64_t> change(static_cast<size_t>(_positions) + 1);
  for (const Block& block : _blocks) {
    change[static_cast<size_t>(block.first)] += block.bytes;
    int64_t bytes = block.bytes;
    for (int d = block.dropsBegin; d < block.dropsEnd; ++d) {
      change[static_cast<size_t>(drop(d).position)] += drop(d).bytes - bytes;
      bytes = drop(d).bytes;
    }
    change[static_cast<size_t>(block.last) + 1] -= bytes;
  }
  int64_t live = 0, most = 0;
  for (const int64_t c : change) most = std::max(most, live += c);
  return most;
}

Packing packByTime(const ArenaBlocks& blocks) {
  struct Event {
    int position;
    bool isAllocation;  // after what is freed behind the position before
    int64_t bytes;      // to allocate, or bytes that stay
    int block;
  };
  std::vector<Event> events;
  for (int b = 0; b < blocks.size(); ++b) {
    events.push_back({blocks.first(b), true, blocks.bytes(b), b});
    for (int d = blocks.dropsBegin(b); d < blocks.dropsEnd(b); ++d)
      events.push_back({blocks.drop(d).position, false, blocks.drop(d).bytes, b});
    events.push_back({blocks.last(b) + 1, false, 0, b});
  }
  std::sort(events.begin(), events.end(), [](const Event& x, const Event& y) {
    if (x.position != y.position) return x.position < y.position;
    if (x.isAllocation != y.isAllocation) return y.isAllocation;
    return x.bytes != y.bytes ? x.bytes > y.bytes : x.block < y.block;
  });
  Gaps gaps;
  Packing result{std::vector<int64_t>(static_cast<size_t>(blocks.size())), 0};
  std::vector<int64_t> held(static_cast<size_t>(blocks.size()));
  for (const Event& event : events) {
    const auto b = static_cast<size_t>(event.block);
    if (event.isAllocation) {
      result.offsets[b] = gaps.take(event.bytes);
    } else {
      gaps.give(result.offsets[b] + event.bytes, held[b] - event.bytes);
    }
    held[b] = event.bytes;
  }
  result.bytes = gaps.top();
  return result;
}

std::vector<int> packingOrder(const ArenaBlocks& blocks, PackingKey key) {
  const auto keyOf = [&](int b) {
    const int64_t time = blocks.last(b) - blocks.first(b) + 1;
    switch (key) {
      case PackingKey::Bytes:
        return static_cast<double>(blocks.bytes(b));
      case PackingKey::BytesAndTime:
        return static_cast<double>(blocks.bytes(b)) * static_cast<double>(time);
      case PackingKey::Time:
        return static_cast<double>(time);
      case PackingKey::Start:
        break;
    }
    return -static_cast<double>(blocks.first(b));
  };
  std::vector<int> order = numbers(blocks.size());
  std::vector<double> keys;
  for (const int b : order) keys.push_back(keyOf(b));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const double keyA = keys[static_cast<size_t>(a)], keyB = keys[static_cast<size_t>(b)];
    return keyA != keyB ? keyA > keyB : blocks.bytes(a) > blocks.bytes(b);
  });
  return order;
}

Packing packOneByOne(const ArenaBlocks& blocks, std::span<const int> order, int64_t& budget) {
  PlacedBlocks placed(blocks);
  Packing result{std::vector<int64_t>(static_cast<size_t>(blocks.size())), 0};
  std::vector<std::pair<int64_t, int64_t>> forbidden;  // offsets between these two would overlap a neighbour
  for (const int b : order) {
    if (blocks.bytes(b) == 0) continue;
    forbidden.clear();
    const bool isDone = placed.forEachNeighbour(b, budget, [&](int other) {
      // Blocks only become smaller: they touch first where the later one begins.
      const int from = std::max(blocks.first(b), blocks.first(other));
      const int64_t offset = result.offsets[static_cast<size_t>(other)];
      forbidden.emplace_back(offset - blocks.bytesAt(b, from), offset + blocks.bytesAt(other, from));
    });
    if (!isDone) return {};
    std::sort(forbidden.begin(), forbidden.end());
    int64_t offset = 0;
    for (const auto& [low, high] : forbidden) {
      if (low >= offset) break;
      offset = std::max(offset, high);
    }
    result.offsets[static_cast<size_t>(b)] = offset;
    result.bytes = std::max(result.bytes, offset + blocks.bytes(b));
    placed.add(b);
  }
  return result;
}

Packing packBlocks(const ArenaBlocks& blocks) {
  const int64_t least = blocks.liveBytes();
  Packing best = packByTime(blocks);
  const auto consider = [&](Packing&& other) {
    if (!other.offsets.empty() && other.bytes < best.bytes) best = std::move(other);
    return best.bytes == least;
  };
  if (best.bytes == least) return best;
  if (!blocks.hasDrops() && consider(packByTime(reversed(blocks)))) return best;
  int64_t budget = PLACING_BUDGET;
  std::vector<int> bestOrder;
  for (const PackingKey key : {PackingKey::Bytes, PackingKey::BytesAndTime, PackingKey::Time, PackingKey::Start}) {
    std::vector<int> order = packingOrder(blocks, key);
    Packing packing = packOneByOne(blocks, order, budget);
    if (packing.offsets.empty()) return best;
    const bool isBetter = packing.bytes < best.bytes;
    if (consider(std::move(packing))) return best;
    if (isBetter || bestOrder.empty()) bestOrder = std::move(order);
  }
  if (blocks.size() <= MOST_SEARCHED_BLOCKS && consider(packBySearch(blocks, best.bytes, SEARCH_BUDGET))) return best;
  // Blocks that end up too high come earlier in the next round.
  std::vector<int> order = std::move(bestOrder);
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    Packing packing = packOneByOne(blocks, order, budget);
    if (packing.offsets.empty()) break;
    for (size_t i = 1; i < order.size(); ++i) {
      const int b = order[i];
      if (packing.offsets[static_cast<size_t>(b)] + blocks.bytes(b) <= least) continue;
      const auto end = order.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      std::rotate(order.begin() + static_cast<std::ptrdiff_t>(i / 2), end - 1, end);
    }
    if (consider(std::move(packing))) break;
  }
  return best;
}

}  // namespace sd::graph
