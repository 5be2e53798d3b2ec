// Places blocks of memory that live for a time in one arena.
#ifndef NDFORGE_SRC_GRAPH_ARENAPACKING_H
#define NDFORGE_SRC_GRAPH_ARENAPACKING_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sd::graph {

/// Blocks that live from position `first` to position `last` (both included). A block may become smaller while it
/// lives, never larger.
class ArenaBlocks {
 public:
  /// Positions are 0..positions-1.
  explicit ArenaBlocks(int positions) : _positions(positions) {}

  void add(int first, int last, int64_t bytes) { _blocks.push_back({first, last, bytes, drops(), drops()}); }
  /// From `position` on, the block added last has only `bytes`.
  void shrink(int position, int64_t bytes) {
    _drops.push_back({position, bytes});
    _blocks.back().dropsEnd = drops();
  }

  int size() const { return static_cast<int>(_blocks.size()); }
  int positions() const { return _positions; }
  int first(int block) const { return at(block).first; }
  int last(int block) const { return at(block).last; }
  int64_t bytes(int block) const { return at(block).bytes; }
  int64_t bytesAt(int block, int position) const;
  bool hasDrops() const { return !_drops.empty(); }

  /// The largest sum of bytes that live at once: no arena is smaller.
  int64_t liveBytes() const;

  struct Drop {
    int position;
    int64_t bytes;
  };
  int dropsBegin(int block) const { return at(block).dropsBegin; }
  int dropsEnd(int block) const { return at(block).dropsEnd; }
  const Drop& drop(int number) const { return _drops[static_cast<size_t>(number)]; }

 private:
  struct Block {
    int first, last;
    int64_t bytes;
    int dropsBegin, dropsEnd;
  };
  const Block& at(int block) const { return _blocks[static_cast<size_t>(block)]; }
  int drops() const { return static_cast<int>(_drops.size()); }

  int _positions;
  std::vector<Block> _blocks;
  std::vector<Drop> _drops;
};

struct Packing {
  std::vector<int64_t> offsets;
  /// The size of the arena.
  int64_t bytes = 0;
};

/// Tries several ways until one needs no more than the bytes that live at once, and returns the best. For up to 16
/// blocks the result is the best that exists, unless the search is stopped (after a fixed number of tries).
/// Takes O(n log n) time for n blocks.
Packing packBlocks(const ArenaBlocks& blocks);

/// Blocks as they come in time, each in the smallest gap into which it fits.
Packing packByTime(const ArenaBlocks& blocks);

/// Blocks in the order in which packOneByOne() may take them: largest first by the key.
enum class PackingKey { Bytes, BytesAndTime, Time, Start };
std::vector<int> packingOrder(const ArenaBlocks& blocks, PackingKey key);

/// Each block as low as the blocks before it allow. Looks at up to `budget` pairs of blocks and positions; then it
/// gives up and returns no offsets.
Packing packOneByOne(const ArenaBlocks& blocks, std::span<const int> order, int64_t& budget);

/// The best packing if it is smaller than `bound`, or the best one that was found until `budget` pairs of blocks were
/// looked at; no offsets if there is none.
Packing packBySearch(const ArenaBlocks& blocks, int64_t bound, int64_t budget);

}  // namespace sd::graph

#endif
