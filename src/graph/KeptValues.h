// Values of the iterations of a loop, kept for its gradient, and the node that reads them.
//
// A While whose integer arguments are pairs (node, output) keeps these values of its body, or of its own, in each
// iteration. After its values it has an output that says how many iterations there were and which shapes the kept
// values had, and then one for each kept value: its elements of all iterations, one iteration after another.
//
// An Unwind runs its scope once for each of these iterations, from the last to the first. Its inputs are the values of
// its own, which the scope changes as that of a While does, then that output of the While, then outputs with elements,
// and the scope. Its integer arguments say which kept values they are. Nodes of the scope read the values of the
// iteration as its outputs after those of its own.
#ifndef NDFORGE_SRC_GRAPH_KEPTVALUES_H
#define NDFORGE_SRC_GRAPH_KEPTVALUES_H

#include <array/NDArray.h>
#include <graph/Node.h>

#include <memory>
#include <utility>
#include <vector>

namespace sd::graph {

/// The number of Unwind among the logic operations. libnd4j has no such node.
inline constexpr LongType UNWIND = 110;

/// What a While keeps.
std::vector<std::pair<int, int>> keptBy(const Node& loop);
void setKept(Node& loop, const std::vector<std::pair<int, int>>& values);
/// The number of outputs that a While has because of that.
int keptOutputs(const Node& loop);
/// Which of the kept values an Unwind reads.
std::vector<LongType> columnsOf(const Node& unwind);

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

/// Reads what KeptValues has collected.
class KeptReader {
 public:
  /// Nothing is copied. `where`: for messages. @throws std::invalid_argument when the arrays do not fit together
  KeptReader(const NDArray& layout, std::vector<const NDArray*> elements, const std::vector<LongType>& columns,
             const std::string& where);

  LongType iterations() const { return _iterations; }
  /// A view of the kept value of an iteration.
  NDArray value(LongType iteration, size_t k) const;

 private:
  struct Entry {
    const LongType* shapeInfo;
    LongType offset;
  };
  std::vector<const NDArray*> _elements;
  LongType _iterations = 0;
  std::vector<Entry> _entries;  // by iteration and column
};

}  // namespace sd::graph

#endif
