// Contraction of two tensors over pairs of dimensions.
// operations: tensormmul tensormmul_bp
// aliases: tensordot
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/blas.h>

#include <algorithm>
#include <numeric>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

/// The paired dimensions, and the remaining ones of each operand.
struct Contraction {
  std::vector<int> axesA, axesB, freeA, freeB;

  Contraction(graph::Context& block, const LongType* a, const LongType* b) {
    const auto& args = *block.getIArguments();
    size_t at = 0;
    axesA = read(args, at, shape::rank(a), "axes of a");
    axesB = read(args, at, shape::rank(b), "axes of b");
    if (axesA.size() != axesB.size())
      fail<std::runtime_error>("[{}] the numbers of paired axes differ: {} of a and {} of b", RunningOp::name(),
                               axesA.size(), axesB.size());
    for (size_t k = 0; k < axesA.size(); k++)
      if (shape::shapeOf(a)[axesA[k]] != shape::shapeOf(b)[axesB[k]])
        fail<std::runtime_error>("[{}] shapes {} and {}: dimensions {} and {} differ in size", RunningOp::name(),
                                 text(a), text(b), axesA[k], axesB[k]);
    freeA = rest(axesA, shape::rank(a));
    freeB = rest(axesB, shape::rank(b));
  }

  Dims resultDims(const LongType* a, const LongType* b) const {
    Dims dims;
    for (int d : freeA) dims.push_back(shape::shapeOf(a)[d]);
    for (int d : freeB) dims.push_back(shape::shapeOf(b)[d]);
    return dims;
  }

 private:
  static std::vector<int> read(const std::vector<int>& args, size_t& at, int rank, const char* what) {
    if (at >= args.size()) reject("the number of {} is missing", what);
    const int count = args[at++];
    if (count < 0 || count > rank || at + static_cast<size_t>(count) > args.size())
      fail<std::runtime_error>("[{}] {} {} are requested, but the rank is {} and {} integers follow", RunningOp::name(),
                               count, what, rank, args.size() - at);
    std::vector<int> axes;
    for (int k = 0; k < count; k++) axes.push_back(checkedAxis(args[at++], rank, what));
    std::vector<int> sorted(axes);
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      fail<std::runtime_error>("[{}] the {} contain a dimension twice", RunningOp::name(), what);
    return axes;
  }

  static std::vector<int> rest(const std::vector<int>& axes, int rank) {
    std::vector<int> free;
    for (int d = 0; d < rank; d++)
      if (std::find(axes.begin(), axes.end(), d) == axes.end()) free.push_back(d);
    return free;
  }
};

void requireSameTypes(graph::Context& block) {
  for (int i = 1; i < static_cast<int>(block.width()); i++)
    if (block.array(i)->dataType() != block.array(0)->dataType())
      reject("inputs 0 and {} differ in type: {} and {}", i, DataTypeUtils::describe(block.array(0)->dataType()),
             DataTypeUtils::describe(block.array(i)->dataType()));
}

/// The array as a matrix: its rows run over the dimensions `first`, its columns over `second`.
NDArray matrix(const NDArray& array, const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<int> order(first);
  order.insert(order.end(), second.begin(), second.end());
  LongType rows = 1, columns = 1;
  for (int d : first) rows *= array.sizeAt(d);
  for (int d : second) columns *= array.sizeAt(d);
  if (order.empty()) return array.reshape('c', {1, 1});
  return array.permute(order).reshape('c', {rows, columns});
}

/// Writes a matrix whose rows run over the dimensions `first` of target and whose columns run over `second`.
void scatterMatrix(const NDArray& values, const std::vector<int>& first, const std::vector<int>& second,
                   NDArray& target) {
  std::vector<int> order(first);
  order.insert(order.end(), second.begin(), second.end());
  Dims dims;
  for (int d : order) dims.push_back(target.sizeAt(d));
  if (order.empty()) return target.assign(values);
  NDArray view = target.permute(order);
  view.assign(values.reshape('c', dims));
}

}  // namespace

CUSTOM_OP_IMPL(tensormmul, 2, 1, false, 0, -1) {
  const NDArray &a = *INPUT_VARIABLE(0), &b = *INPUT_VARIABLE(1);
  NDArray& c = *OUTPUT_VARIABLE(0);
  requireSameTypes(block);
  const Contraction pairs(block, a.shapeInfo(), b.shapeInfo());
  if (c.isEmpty()) return Status::OK;
  if (a.isEmpty()) {
    c.nullify();
    return Status::OK;
  }
  const NDArray left = matrix(a, pairs.freeA, pairs.axesA), right = matrix(b, pairs.axesB, pairs.freeB);
  NDArray product('c', {left.sizeAt(0), right.sizeAt(1)}, c.dataType());
  MmulHelper::matmul(&left, &right, &product, false, false);
  c.assign(product.reshape('c', c.getShapeAsVector()));
  return Status::OK;
}
DECLARE_SHAPE_FN(tensormmul) {
  const LongType *a = inputShape->at(0), *b = inputShape->at(1);
  const Dims dims = Contraction(block, a, b).resultDims(a, b);
  const DataType type = ArrayOptions::dataType(a);
  return shapes(dims.empty() ? scalarOf(type) : shapeOf(type, 'c', dims));
}
DECLARE_TYPES(tensormmul) {
  getOpDescriptor()
      ->setAllowedInputTypes({FLOAT32, DOUBLE, HALF})
      ->setAllowedOutputTypes({FLOAT32, DOUBLE, HALF})
      ->document({.summary = "The contraction of two tensors.",
                  .formula = "c = sum of a * b over the paired dimensions",
                  .inputs = "a: any shape\nb: any shape, a's type",
                  .outputs = "c: the other dimensions of a, then those of b",
                  .integers =
                      "nA: number of paired dimensions\naxesA…: those of a\nnB: like nA\naxesB…: those of b, in "
                      "the order of axesA"});
}
DECLARE_SYN(tensordot, tensormmul);

CUSTOM_OP_IMPL(tensormmul_bp, 3, 2, false, 0, -1) {
  const NDArray &a = *INPUT_VARIABLE(0), &b = *INPUT_VARIABLE(1), &given = *INPUT_VARIABLE(2);
  NDArray &gradA = *OUTPUT_VARIABLE(0), &gradB = *OUTPUT_VARIABLE(1);
  requireSameTypes(block);
  const Contraction pairs(block, a.shapeInfo(), b.shapeInfo());
  const Dims dims = pairs.resultDims(a.shapeInfo(), b.shapeInfo());
  if (given.lengthOf() != 1 && given.getShapeAsVector() != dims)
    reject("input 2 'dLdC': its shape is {}, but the contraction has shape {}", text(given), text(dims));
  if (a.isEmpty() || b.isEmpty()) {
    gradA.nullify();
    gradB.nullify();
    return Status::OK;
  }
  const NDArray left = matrix(a, pairs.freeA, pairs.axesA), right = matrix(b, pairs.axesB, pairs.freeB);
  NDArray eps('c', {left.sizeAt(0), right.sizeAt(1)}, a.dataType());
  eps.assign(given.lengthOf() == 1 ? given.reshape('c', {}) : given.reshape('c', {left.sizeAt(0), right.sizeAt(1)}));
  NDArray byA = zeros(a.dataType(), left.getShapeAsVector()), byB = zeros(b.dataType(), right.getShapeAsVector());
  MmulHelper::matmul(&eps, &right, &byA, false, true);
  MmulHelper::matmul(&left, &eps, &byB, true, false);
  scatterMatrix(byA, pairs.freeA, pairs.axesA, gradA);
  scatterMatrix(byB, pairs.axesB, pairs.freeB, gradB);
  return Status::OK;
}
DECLARE_SHAPE_FN(tensormmul_bp) { return shapes(like(inputShape->at(0)), like(inputShape->at(1))); }
DECLARE_TYPES(tensormmul_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({FLOAT32, DOUBLE, HALF})
      ->setAllowedOutputTypes({FLOAT32, DOUBLE, HALF})
      ->document(
          {.summary = "The gradients of tensormmul.",
           .formula = "dLdA = dLdC contracted with b over b's free dimensions, dLdB = a contracted with dLdC over a's",
           .inputs = "a: as in tensormmul\nb: as in tensormmul\ndLdC: the gradient of the contraction, its shape or "
                     "one element",
           .outputs = "dLdA: the shape of a\ndLdB: the shape of b",
           .integers = "nA: number of paired dimensions\naxesA…: those of a\nnB: like nA\naxesB…: those of b"});
}

}  // namespace sd::ops
