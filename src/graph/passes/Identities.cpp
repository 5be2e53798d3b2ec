// Removes nodes that return their input.
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/headers/random.h>
#include <ops/declarable/headers/tensor.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

/// Larger constants are not searched for an element that matters.
constexpr LongType MOST_ELEMENTS = LongType(1) << 20;

// ---- one operand that changes nothing

/// Whether every element is `value`; of zeros, whether their sign is that of `value` too.
bool consistsOf(const NDArray& array, double value) {
  if (array.lengthOf() == 0 || array.lengthOf() > MOST_ELEMENTS || array.isS()) return false;
  for (LongType i = 0; i < array.lengthOf(); i++) {
    const double element = array.e<double>(i);
    if (element != value || std::signbit(element) != std::signbit(value)) return false;
  }
  return true;
}

/// x + y = x for y = -0 alone: 0 makes a 0 of -0.
bool isNeutral(std::string_view operation, bool isReal, double y) {
  if (operation == "Add") return y == 0 && (!isReal || std::signbit(y));
  if (operation == "Subtract") return y == 0 && (!isReal || !std::signbit(y));
  return (operation == "Multiply" || operation == "Divide" || operation == "Pow") && y == 1;
}

bool isNeutral(std::string_view operation, bool isReal, const NDArray& y) {
  if (y.lengthOf() == 0 || y.isS()) return false;
  const double first = y.e<double>(0);
  return isNeutral(operation, isReal, first) && consistsOf(y, first);
}

std::string_view arithmeticOf(const OpenNode& node) {
  struct Row {
    const char *name, *operation;
  };
  static constexpr Row ROWS[] = {{"add", "Add"},       {"subtract", "Subtract"}, {"multiply", "Multiply"},
                                 {"divide", "Divide"}, {"realdiv", "Divide"},    {"Pow", "Pow"}};
  for (const Row& row : ROWS)
    if (node.is(row.name)) return row.operation;
  return elementOperation(node);
}

/// The input that an operation with a neutral operand returns; -1: none.
int keptOperand(const OpenGraph& graph, const OpenNode& node) {
  const std::string_view operation = arithmeticOf(node);
  if (operation.empty()) return -1;
  const DataType type = graph.value(node.outputs[0]).shape.type();
  const bool isReal = DataTypeUtils::isR(type);
  if (!isReal && !DataTypeUtils::isZ(type)) return -1;
  if (node.inputs.size() == 1) {
    const auto given = argumentsOf<ops::NumberedScalar>(graph, node);
    return given && given->scalar && isNeutral(operation, isReal, *given->scalar) ? 0 : -1;
  }
  if (node.inputs.size() != 2 || node.inputs[0] < 0 || node.inputs[1] < 0) return -1;
  const OpenValue &x = graph.value(node.inputs[0]), &y = graph.value(node.inputs[1]);
  if (y.constant != nullptr && isNeutral(operation, isReal, *y.constant)) return 0;
  const bool commutes = operation == "Add" || operation == "Multiply";
  if (commutes && x.constant != nullptr && isNeutral(operation, isReal, *x.constant)) return 1;
  return -1;
}

// ---- one input

/// Operations whose result is their input whenever both have one shape.
bool followsShape(const OpenNode& node) {
  return isOneOf(
      node,
      {"identity",  "stop_gradient",      "reshape",          "reshapeas", "squeeze",  "cast",          "flatten_2d",
       "order",     "transform.Identity", "transform.Assign", "slice",     "tile",     "tile_to_shape", "broadcast_to",
       "to_double", "to_float16",         "to_float32",       "to_int32",  "to_int64", "to_uint32",     "to_uint64"});
}

/// Steps that go forwards and reach every element keep their order.
bool takesEverything(const OpenGraph& graph, const OpenNode& node) {
  const auto given = argumentsOf<ops::StridedSlice>(graph, node);
  return given && std::all_of(given->stride.begin(), given->stride.end(), [](LongType s) { return s > 0; });
}

bool joinsOne(const OpenGraph& graph, const OpenNode& node) {
  const auto given = argumentsOf<ops::Concat>(graph, node);
  return given && node.inputs.size() == (given->axisIsInput ? 2 : 1);
}

/// The mask of a dropout that keeps everything is not drawn.
bool dropsNothing(const OpenGraph& graph, const OpenNode& node) {
  const auto given = argumentsOf<ops::Dropout>(graph, node);
  return given && given->p == (given->inverted ? 0 : 1);
}

bool reversesOnes(const OpenGraph& graph, const OpenNode& node) {
  const auto given = argumentsOf<ops::Reverse>(graph, node);
  if (!given) return false;
  const ops::PartialShape& x = graph.value(node.inputs[0]).shape;
  if (given->axis.empty()) return std::all_of(x.begin(), x.end(), [](LongType size) { return size == 1; });
  return std::all_of(given->axis.begin(), given->axis.end(), [&x](int axis) { return x[axis] == 1; });
}

/// The input that output 0 is, bit for bit; -1: none.
ValueId returned(const OpenGraph& graph, const OpenNode& node) {
  if (!node.isPure || node.outputs.size() != 1 || node.inputs.empty() || node.inputs[0] < 0) return -1;
  const bool first = isSameShape(graph, node.inputs[0], node.outputs[0]);
  if (first && followsShape(node)) return node.inputs[0];
  if (first &&
      ((node.is("strided_slice") && takesEverything(graph, node)) || (node.is("concat") && joinsOne(graph, node)) ||
       (node.is("dropout") && dropsNothing(graph, node)) || (node.is("reverse") && reversesOnes(graph, node))))
    return node.inputs[0];
  // The sum of a gradient to the shape from which its value was stretched: without a stretch, the gradient.
  if (node.is("tile_to_shape_bp") && node.inputs.size() > 1 && isSameShape(graph, node.inputs[1], node.outputs[0]))
    return node.inputs[1];
  if (first && isOneOf(node, {"permute", "transpose"})) {
    const auto permutation = permutationOf(graph, node);
    if (permutation && isIdentity(*permutation)) return node.inputs[0];
  }
  const int kept = keptOperand(graph, node);
  if (kept < 0) return -1;
  const ValueId value = node.inputs[static_cast<size_t>(kept)];
  return isSameShape(graph, value, node.outputs[0]) ? value : -1;
}

}  // namespace

int removeIdentities(OpenGraph& graph) {
  int removed = 0;
  for (NodeId id = 0; id < graph.nodes(); id++) {
    const OpenNode& node = graph.node(id);
    if (node.removed) continue;
    const ValueId value = returned(graph, node);
    if (value < 0) continue;
    supersede(graph, node.outputs[0], value);
    removed++;
  }
  if (removed > 0) graph.sort();
  return removed;
}

}  // namespace sd::graph
