// Joins two nodes in a row that move, reshape or convert elements, and removes them when the second undoes the first.
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <optional>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

/// The pure node that writes input 0, if it has one output and is one of these operations.
const OpenNode* writerOf(const OpenGraph& graph, const OpenNode& node, std::initializer_list<const char*> operations) {
  const OpenNode* writer = graph.writerOf(node.inputs[0]);
  if (writer == nullptr || !writer->isPure || writer->outputs.size() != 1 || writer->inputs.empty() ||
      writer->inputs[0] < 0 || !isOneOf(*writer, operations))
    return nullptr;
  return writer;
}

/// Puts `value` in the place of the output of `node` if it has the same type, shape and memory order.
bool undo(OpenGraph& graph, const OpenNode& node, ValueId value) {
  if (!isSameShape(graph, value, node.outputs[0])) return false;
  supersede(graph, node.outputs[0], value);
  return true;
}

// ---- shapes

constexpr std::initializer_list<const char*> RESHAPES = {"reshape", "reshapeas", "expand_dims", "squeeze",
                                                         "flatten_2d"};

bool reshapeTo(OpenGraph& graph, ValueId old, ValueId source) {
  const ops::PartialShape& shape = graph.value(old).shape;
  if (!shape.isComplete() || shape.length() < 1 || shape.rank() < 1) return false;
  const NodeId added = graph.addCall("reshape", {source},
                                     {{"shape", ops::integersArgument(shape.sizes())},
                                      {"order", ops::choiceArgument(shape.order() == 'c' ? "c" : "fortran")}});
  return supersedeByNode(graph, old, added);
}

bool joinReshapes(OpenGraph& graph, const OpenNode& node) {
  const OpenNode* first = writerOf(graph, node, RESHAPES);
  if (first == nullptr) return false;
  const ValueId source = first->inputs[0];
  return undo(graph, node, source) || reshapeTo(graph, node.outputs[0], source);
}

// ---- permutations

/// Whether the dimensions other than those of size 1 keep their order.
bool movesOnes(const ops::PartialShape& x, const std::vector<int>& permutation) {
  int last = -1;
  for (const int axis : permutation) {
    if (x[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

bool joinPermutations(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  const auto second = permutationOf(graph, node);
  if (!second) return false;
  const ops::PartialShape& x = graph.value(node.inputs[0]).shape;
  // A reshape is no work inside of a plan.
  if (x.isComplete() && x.order() == 'c' && movesOnes(x, *second))
    return reshapeTo(graph, node.outputs[0], node.inputs[0]);
  const OpenNode* before = writerOf(graph, node, {"permute", "transpose"});
  const auto first = before == nullptr ? std::nullopt : permutationOf(graph, *before);
  if (!first) return false;
  std::vector<LongType> both;
  for (const int axis : *second) both.push_back((*first)[static_cast<size_t>(axis)]);
  const ValueId source = before->inputs[0], old = node.outputs[0];
  if (std::is_sorted(both.begin(), both.end())) return undo(graph, node, source);
  return supersedeByNode(graph, old,
                         graph.addCall("permute", {source}, {{"permutation", ops::integersArgument(both)}}));
}

// ---- types

constexpr std::initializer_list<const char*> CASTS = {"cast",     "to_double", "to_float16", "to_float32",
                                                      "to_int32", "to_int64",  "to_uint32",  "to_uint64"};

/// The bits of integers, and of the significands of floats, with their hidden bit.
int bitsOf(DataType type) {
  switch (type) {
    case HALF:
      return 11;
    case BFLOAT16:
      return 8;
    case FLOAT32:
      return 24;
    case DOUBLE:
      return 53;
    default:
      return static_cast<int>(DataTypeUtils::sizeOf(type)) * 8;
  }
}

bool isSigned(DataType type) { return type == INT8 || type == INT16 || type == INT32 || type == INT64; }

/// Whether `wide` has every value of `narrow`.
bool contains(DataType wide, DataType narrow) {
  if (wide == narrow) return true;
  const bool fromReal = DataTypeUtils::isR(narrow), toReal = DataTypeUtils::isR(wide);
  if (fromReal) return toReal && bitsOf(wide) >= 24 && bitsOf(narrow) < bitsOf(wide);
  if (!DataTypeUtils::isZ(narrow) || !(toReal || DataTypeUtils::isZ(wide))) return false;
  const int needed = bitsOf(narrow) - (isSigned(narrow) ? 1 : 0);
  if (toReal) return needed <= bitsOf(wide);
  if (isSigned(narrow) && !isSigned(wide)) return false;
  return needed <= bitsOf(wide) - (isSigned(wide) ? 1 : 0);
}

bool joinCasts(OpenGraph& graph, const OpenNode& node) {
  const OpenNode* first = writerOf(graph, node, CASTS);
  if (first == nullptr) return false;
  const ValueId source = first->inputs[0], old = node.outputs[0];
  const DataType from = graph.value(source).shape.type(), by = graph.value(node.inputs[0]).shape.type(),
                 to = graph.value(old).shape.type();
  if (from == INHERIT || by == INHERIT || to == INHERIT || !contains(by, from)) return false;
  if (to == from) return undo(graph, node, source);
  // Values that the last type does not have are rounded or cut by the rules of the type before it.
  if (!contains(to, by)) return false;
  return supersedeByNode(graph, old, graph.addCall("cast", {source}, {{"dtype", ops::typeArgument(to)}}));
}

// ---- operations that undo themselves

std::optional<std::vector<int>> reversedAxes(const OpenGraph& graph, const OpenNode& node) {
  const int rank = graph.value(node.inputs[0]).shape.rank();
  const auto given = rank < 0 ? std::nullopt : argumentsOf<ops::Reverse>(graph, node);
  if (!given) return std::nullopt;
  std::vector<int> axes = given->axis;
  for (int axis = 0; given->axis.empty() && axis < rank; axis++) axes.push_back(axis);
  for (int& axis : axes)
    if (axis < 0) axis += rank;
  std::sort(axes.begin(), axes.end());
  return axes;
}

bool undoReversal(OpenGraph& graph, const OpenNode& node) {
  const OpenNode* first = writerOf(graph, node, {"reverse"});
  if (first == nullptr) return false;
  const auto axes = reversedAxes(graph, node);
  return axes && axes == reversedAxes(graph, *first) && undo(graph, node, first->inputs[0]);
}

bool undoNegation(OpenGraph& graph, const OpenNode& node) {
  const OpenNode* first = writerOf(graph, node, {"transform.Neg"});
  return first != nullptr && undo(graph, node, first->inputs[0]);
}

bool join(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  if (!node.isPure || node.outputs.size() != 1 || node.inputs.empty() || node.inputs[0] < 0) return false;
  if (isOneOf(node, RESHAPES)) return joinReshapes(graph, node);
  if (isOneOf(node, {"permute", "transpose"})) return joinPermutations(graph, id);
  if (isOneOf(node, CASTS)) return joinCasts(graph, node);
  if (node.is("reverse")) return undoReversal(graph, node);
  return node.is("transform.Neg") && undoNegation(graph, node);
}

}  // namespace

int joinChains(OpenGraph& graph) { return forEachNode(graph, join); }

}  // namespace sd::graph
