// Values of the iterations of a loop, kept for its gradient: what the columns of LoopNode.h hold.
//
// A layout is a vector of INT64: the number of iterations, the number of columns, and then, for each iteration and each
// column, the rank of the value, -1 if nobody reads it, and its sizes. A column is a vector of the elements.
#ifndef NDFORGE_SRC_GRAPH_KEPTVALUES_H
#define NDFORGE_SRC_GRAPH_KEPTVALUES_H

#include <array/NDArray.h>

#include <vector>

#include "graph/LoopNode.h"

namespace sd::graph {

/// Collects the values of a run. The memory stays for the next one.
class KeptValues {
 public:
  /// `needed`: which values somebody reads; nothing is kept of the others.
  explicit KeptValues(std::vector<bool> needed);

  size_t columns() const { return _columns.size(); }
  bool isNeeded(size_t column) const { return _columns[column].isNeeded; }
  /// Forgets what there is.
  void start();
  /// Where the next value of the column may be written before it is added; nullptr when it has to be copied.
  NDArray* place(size_t column, const LongType* shapeInfo);
  /// Adds the value of the next column. @throws std::invalid_argument for texts
  void add(const NDArray& value);
  /// Appends the layout and the elements of each column. The arrays stay until the next start.
  void finish(std::vector<NDArray*>& outputs);

 private:
  struct Column {
    bool isNeeded = false;
    LongType length = 0;
    NDArray memory, place, elements;
  };
  std::vector<Column> _columns;
  std::vector<LongType> _layout;
  NDArray _layoutArray;
  size_t _next = 0;  // column

  void reserve(Column& column, DataType type, LongType length);
};

/// Reads the columns of one layout.
class KeptReader {
 public:
  /// Nothing is copied if the elements of each column lie side by side.
  /// @throws std::invalid_argument when the arrays do not fit together
  KeptReader(const NDArray& layout, const std::vector<const NDArray*>& elements, const std::vector<LongType>& columns);

  struct Entry {
    const LongType* shapeInfo;
    LongType offset;
  };

  LongType iterations() const { return _iterations; }
  const Entry& entry(LongType iteration, size_t k) const {
    return _entries[static_cast<size_t>(iteration) * _elements.size() + k];
  }
  /// A view of the kept value of an iteration.
  NDArray value(LongType iteration, size_t k) const;

 private:
  std::vector<NDArray> _elements;  // views or copies
  LongType _iterations = 0;
  std::vector<Entry> _entries;  // by iteration and column
};

/// What an Unwind reads in its iterations, and the gradients of it that it puts together.
class LoopColumns {
 public:
  explicit LoopColumns(const LoopNode& loop);

  /// Begins a run. `inputs`: those that the node lists. @throws std::invalid_argument when they do not fit together
  void start(const std::vector<NDArray*>& inputs);
  LongType iterations() const { return _readers.empty() ? 0 : _readers[0].iterations(); }
  /// A view of column k in an iteration of the Unwind.
  NDArray value(LongType iteration, size_t column) const;
  /// Where gradient j of an iteration may be written before it is set; nullptr when it has to be copied.
  NDArray* place(LongType iteration, size_t gradient, const LongType* shapeInfo);
  /// @throws std::invalid_argument when it does not have the shape of the value in the column
  void setGradient(LongType iteration, size_t gradient, const NDArray& value);
  /// They stay until the next start.
  NDArray& gradient(size_t j) { return _gradients[j].elements; }

 private:
  struct Gradient {
    NDArray elements, place;
  };
  const LoopNode _loop;
  std::vector<size_t> _places;  // of each column among those of its group
  std::vector<KeptReader> _readers;
  std::vector<Gradient> _gradients;

  const KeptReader& readerOf(size_t column) const { return _readers[_loop.columns[column].group]; }
  /// The number of an iteration of the Unwind in a group.
  LongType numberIn(size_t group, LongType iteration) const;
  const KeptReader::Entry& entryOf(LongType iteration, size_t gradient) const;
};

}  // namespace sd::graph

#endif
