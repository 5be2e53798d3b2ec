// Loops as nodes: which of their inputs and outputs are what, by their integer arguments.
//
// A While keeps values of its body, or of its own, in each iteration for the sake of its gradient: its integer
// arguments are pairs (node, output). After its values it has an output that says how many iterations there were and
// which shapes the kept values had, the layout, and then a column for each of them: its elements of all iterations, one
// iteration after another.
//
// An Unwind goes through the iterations of another loop once more. Its inputs are values of its own, which its scope
// changes as the body of a While does, layouts, columns and the scope. The columns of one layout are a group, which is
// read from the last iteration to the first or the other way round. The nodes of the scope read the columns of an
// iteration as outputs of the Unwind after its values. It can keep values, as a While does, and it can give gradients
// of columns: arrays like those, which are put together from values that the Return of its scope gives after the
// others. Outputs of an Unwind: values, one for each column (which nobody reads), gradients of columns, what it keeps.
//
// Its integer arguments are
//   -1, the numbers of groups, columns and gradients of columns, and how many values have known shapes (all or none);
//   for each group whether it is read from the first iteration to the last;
//   for each column its group, its number among the kept values of the layout, and what is known of its shape: type,
//   rank (-1: unknown, -2: empty without dimensions) and sizes (-1: unknown);
//   for each gradient the column; for each value what is known of its shape; pairs, as of a While.
// Other arguments, all of them 0 or more, are the numbers of columns of a single group that is read from the last
// iteration to the first.
#ifndef NDFORGE_SRC_GRAPH_LOOPNODE_H
#define NDFORGE_SRC_GRAPH_LOOPNODE_H

#include <graph/Node.h>
#include <ops/declarable/PartialShape.h>

#include <utility>
#include <vector>

namespace sd::graph {

/// The number of Unwind among the logic operations. libnd4j has no such node.
inline constexpr LongType UNWIND = 110;

inline bool isLoop(const Node& node) { return node.isLogic(logic::While) || node.isLogic(UNWIND); }

/// The scopes that a logic node lists.
std::vector<int> scopesOf(const Graph& graph, const Node& node);

struct LoopNode {
  using Name = std::pair<int, int>;
  enum class Order : char { ToFirst, ToLast };
  struct Column {
    size_t group;
    LongType number;
    ops::PartialShape shape;  ///< in all iterations
  };

  size_t values = 0;
  std::vector<Order> groups;
  std::vector<Column> columns;
  std::vector<size_t> columnGradients;    ///< of which columns
  std::vector<ops::PartialShape> shapes;  ///< of the values in all iterations; empty when nothing is known
  std::vector<Name> kept;

  /// `inputs`: how many inputs the node has without its scopes. @throws std::invalid_argument when the arguments do not
  /// fit them; the message does not name the node
  LoopNode(const Node& node, size_t inputs);
  LoopNode() = default;
  /// Sets the arguments of a node.
  void writeTo(Node& node) const;

  // ---- inputs

  size_t layoutInput(size_t group) const { return values + group; }
  size_t columnInput(size_t column) const { return values + groups.size() + column; }

  // ---- outputs

  size_t columnGradientOutput(size_t gradient) const { return values + columns.size() + gradient; }
  size_t layoutOutput() const { return columnGradientOutput(columnGradients.size()); }
  size_t keptOutput(size_t k) const { return layoutOutput() + 1 + k; }
  size_t outputs() const;
};

/// What a loop keeps. @throws std::invalid_argument as LoopNode does
std::vector<LoopNode::Name> keptBy(const Node& loop);
void setKept(Node& loop, const std::vector<LoopNode::Name>& values);

}  // namespace sd::graph

#endif
