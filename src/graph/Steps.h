// Steps and the buffers that they read and write: what StepOrder and MemoryPlan start from.
//
// A step is one call of a plan; a buffer is the memory of one array. Neither knows of graphs, nodes or operations.
#ifndef NDFORGE_SRC_GRAPH_STEPS_H
#define NDFORGE_SRC_GRAPH_STEPS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sd::graph {

/// Buffers in an arena begin at multiples of this many bytes, and their sizes are rounded up to it.
inline constexpr int64_t ARENA_ALIGNMENT = 64;

/// Step `before` must end before step `after` begins.
struct StepEdge {
  int before, after;
  bool operator==(const StepEdge&) const = default;
};

/// A list of numbers for each of 0..size()-1, one after another in one array.
class NumberLists {
 public:
  NumberLists() = default;
  /// List `before` of an edge gets the number `after`, in the order of the edges.
  NumberLists(int lists, std::span<const StepEdge> edges);

  int size() const { return static_cast<int>(_begins.size()) - 1; }
  std::span<const int> operator[](int list) const {
    const auto begin = static_cast<size_t>(_begins[static_cast<size_t>(list)]);
    return {_items.data() + begin, static_cast<size_t>(_begins[static_cast<size_t>(list) + 1]) - begin};
  }
  std::span<int> operator[](int list) {
    const std::span<const int> items = static_cast<const NumberLists&>(*this)[list];
    return {const_cast<int*>(items.data()), items.size()};
  }
  /// Appends a list.
  void add(std::span<const int> items);
  /// Adds a number to the last list.
  void extend(int item);

 private:
  std::vector<int> _begins{0}, _items;
};

/// Steps, buffers and what is known about them. Steps and buffers are numbered from 0 in the order in which they are
/// added; a step may read a buffer whose writer is added later. Wrong numbers, negative sizes and a second writer of a
/// buffer are errors (std::invalid_argument), and leave everything as it was.
class Steps {
 public:
  enum Flag : unsigned {
    PLAIN = 0,
    /// The buffer lives to the end: it is a result.
    KEPT = 1,
    /// The memory belongs to somebody else: it takes no place in the arena and is never written over. Buffers that no
    /// step writes are always of this kind.
    OUTSIDE = 2,
  };

  int addBuffer(int64_t bytes, unsigned flags = PLAIN);

  /// Adds a buffer that shares the memory of `buffer`, which therefore lives as long as the view is read. `whole` says
  /// that the view has exactly the bytes of `buffer` in the same order, as after a reshape.
  int addView(int buffer, bool whole = false, unsigned flags = PLAIN);

  /// A step that writes a view also reads what it is a view of.
  int addStep(std::span<const int> reads, std::span<const int> writes);

  /// A dependency without a buffer.
  void addControl(int before, int after);

  /// Output number `output` of the step may be written over input number `input` (positions in the lists of the step).
  /// That is done if the input is not needed afterwards, is large enough and is read in no other way by this step. Of
  /// several inputs, the one that was named first is preferred.
  void allowInPlace(int step, int output, int input);

  int steps() const { return _reads.size(); }
  int buffers() const { return static_cast<int>(_buffers.size()); }
  std::span<const int> reads(int step) const { return _reads[step]; }
  std::span<const int> writes(int step) const { return _writes[step]; }
  std::span<const StepEdge> controls() const { return _controls; }

  struct Buffer {
    int64_t bytes;
    unsigned flags;
    /// What it is a view of, or -1.
    int viewOf;
    /// The buffer whose memory it has: itself, unless it is a view.
    int storage;
    bool whole;
    /// The step that writes it, or -1.
    int writer;
  };
  const Buffer& buffer(int number) const { return _buffers[static_cast<size_t>(number)]; }

  struct InPlace {
    int step, output, input;
  };
  std::span<const InPlace> inPlace() const { return _inPlace; }

 private:
  void checkBuffer(int number) const;
  void checkStep(int number) const;

  NumberLists _reads, _writes;
  std::vector<Buffer> _buffers;
  std::vector<StepEdge> _controls;
  std::vector<InPlace> _inPlace;
};

}  // namespace sd::graph

#endif
