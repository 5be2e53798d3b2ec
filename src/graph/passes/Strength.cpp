// Puts cheaper operations in the place of expensive ones that give the same bits.
#include <ops/declarable/NumberedArguments.h>

#include <cmath>
#include <limits>

#include "graph/passes/Rewrite.h"

namespace sd::graph {
namespace {

/// The second operand, as an argument or a constant; nullptr when it is not known. An argument is stored in `place`.
const NDArray* operandOf(const OpenGraph& graph, const OpenNode& node, NDArray& place) {
  if (node.inputs.size() == 2) return node.inputs[1] < 0 ? nullptr : graph.value(node.inputs[1]).constant;
  const auto given = argumentsOf<ops::NumberedScalar>(graph, node);
  if (node.inputs.size() != 1 || !given || !given->scalar) return nullptr;
  place.p(0, *given->scalar);
  return &place;
}

/// Whether x / y and x * (1 / y) are equal for all x: 1 / y is exact, and neither y nor 1 / y is denormal.
bool isPowerOfTwo(double y, DataType type) {
  int exponent;
  const double significand = std::frexp(y, &exponent);
  const int most = type == HALF ? 14 : type == DOUBLE ? 1022 : 126;
  return (significand == 0.5 || significand == -0.5) && std::abs(exponent - 1) <= most;
}

bool weaken(OpenGraph& graph, NodeId id) {
  const OpenNode& node = graph.node(id);
  const bool divides = isOneOf(node, {"divide", "realdiv", "scalar.Divide"}),
             raises = isOneOf(node, {"Pow", "scalar.Pow"});
  if ((!divides && !raises) || !node.isPure || node.outputs.size() != 1 || node.inputs[0] < 0) return false;
  const ValueId x = node.inputs[0], old = node.outputs[0];
  const DataType type = graph.value(old).shape.type();
  NDArray place(DOUBLE);
  const NDArray* y = DataTypeUtils::isR(type) && isSameShape(graph, x, old) ? operandOf(graph, node, place) : nullptr;
  if (y == nullptr || y->lengthOf() != 1 || !(y->isR() || y->isZ())) return false;
  const double operand = y->e<double>(0);
  // Squares of 16-bit floats are exact in float, in which powers are computed. Of wider types, pow() does not round
  // each result to the nearest number.
  const bool exactSquares = type == HALF || type == BFLOAT16;
  if (raises && operand == 2 && exactSquares)
    return supersedeByNode(graph, old,
                           graph.addNode(std::make_unique<Node>(OpType_TRANSFORM_SAME, transform::Square), {x}));
  if (raises || !isPowerOfTwo(operand, type)) return false;
  auto product = std::make_unique<Node>(OpType_SCALAR, scalar::Multiply);
  product->setScalar(1 / operand);
  return supersedeByNode(graph, old, graph.addNode(std::move(product), {x}));
}

}  // namespace

int reduceStrength(OpenGraph& graph) { return forEachNode(graph, weaken); }

}  // namespace sd::graph
