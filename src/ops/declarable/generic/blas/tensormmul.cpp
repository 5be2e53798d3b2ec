// Contraction of two tensors over pairs of dimensions.
// operations: tensormmul tensormmul_bp
// aliases: tensordot
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/blas.h>

#include <algorithm>
#include <numeric>

#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// The paired dimensions, and the remaining ones of each operand.
struct Pairing {
  std::vector<int> axesX, axesY, freeX, freeY;

  /// The ranks must be known.
  Pairing(const TensorContraction& a, const PartialShape& x, const PartialShape& y)
      : axesX(checked(a.axesX, x.rank(), "axes_x")), axesY(checked(a.axesY, y.rank(), "axes_y")) {
    if (axesX.size() != axesY.size())
      fail<std::runtime_error>("[{}] the numbers of paired axes differ: {} of x and {} of y", RunningOp::name(),
                               axesX.size(), axesY.size());
    for (size_t k = 0; k < axesX.size(); k++) {
      const LongType m = x[axesX[k]], n = y[axesY[k]];
      if (m != n && m != PartialShape::UNKNOWN && n != PartialShape::UNKNOWN)
        fail<std::runtime_error>("[{}] shapes {} and {}: dimensions {} and {} differ in size", RunningOp::name(),
                                 x.text(), y.text(), axesX[k], axesY[k]);
    }
    freeX = rest(axesX, x.rank());
    freeY = rest(axesY, y.rank());
  }
  /// Those of the running call.
  static const Pairing& current(graph::Context& block) {
    return kept<Pairing>(block, [&] {
      return Pairing(arguments<TensorContraction>(block), PartialShape::of(block.array(0)->shapeInfo()),
                     PartialShape::of(block.array(1)->shapeInfo()));
    });
  }

  PartialShape result(const PartialShape& x, const PartialShape& y) const {
    PartialShape z = PartialShape::scalar(x.type());
    for (int d : freeX) z.append(x[d]);
    for (int d : freeY) z.append(y[d]);
    return z;
  }

 private:
  static std::vector<int> checked(const std::vector<int>& given, int rank, const char* argument) {
    if (given.size() > static_cast<size_t>(rank))
      fail<std::runtime_error>("[{}] argument '{}': {} axes are given, but the rank is {}", RunningOp::name(), argument,
                               given.size(), rank);
    std::vector<int> axes;
    for (int axis : given) axes.push_back(checkedAxis(axis, rank, argument));
    std::vector<int> sorted(axes);
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      fail<std::runtime_error>("[{}] argument '{}': an axis is given twice", RunningOp::name(), argument);
    return axes;
  }

  static std::vector<int> rest(const std::vector<int>& axes, int rank) {
    std::vector<int> free;
    for (int d = 0; d < rank; d++)
      if (std::find(axes.begin(), axes.end(), d) == axes.end()) free.push_back(d);
    return free;
  }
};

/// The list of integers holds the number of axes of x, these axes, the number of axes of y, and those axes.
bool readAxes(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  auto& a = *static_cast<TensorContraction*>(arguments);
  const bool isX = row.memberOf(arguments) == static_cast<const void*>(&a.axesX);
  // The axes of x have been read before those of y.
  const size_t at = isX ? 0 : a.axesX.size() + 1, given = block.numI();
  if (at >= given)
    fail<std::out_of_range>("[{}] argument '{}': the number of axes is missing", RunningOp::name(), row.name());
  const int count = block.intArgument(at);
  if (count < 0 || static_cast<size_t>(count) > given - at - 1)
    fail<std::runtime_error>("[{}] argument '{}': {} axes are requested, but {} integers follow", RunningOp::name(),
                             row.name(), count, given - at - 1);
  auto& axes = isX ? a.axesX : a.axesY;
  axes.clear();
  for (size_t i = at + 1; i <= at + static_cast<size_t>(count); i++) axes.push_back(block.intArgument(i));
  return true;
}

void contractionInputs(Schema& schema) {
  schema.input("x", "any shape");
  schema.input("y", "any shape, the type of x");
  schema
      .argument(&TensorContraction::axesX, "axes_x",
                "the paired axes of x; negative ones count from the end; positionally their number comes first, and "
                "after them the number of axes_y and axes_y")
      .atInteger(0)
      .readBy(readAxes)
      .require();
  schema
      .argument(&TensorContraction::axesY, "axes_y",
                "the paired axes of y, in the order of axes_x; positionally after their number, which follows axes_x")
      .readBy(readAxes)
      .require();
  schema.inputTypes({FLOAT32, DOUBLE, HALF}).outputTypes({FLOAT32, DOUBLE, HALF});
}

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
  const Pairing& pairs = Pairing::current(block);
  if (c.isEmpty()) return Status::OK;
  if (a.isEmpty()) {
    c.nullify();
    return Status::OK;
  }
  const NDArray left = matrix(a, pairs.freeX, pairs.axesX), right = matrix(b, pairs.axesY, pairs.freeY);
  NDArray product('c', {left.sizeAt(0), right.sizeAt(1)}, c.dataType());
  MmulHelper::matmul(&left, &right, &product, false, false);
  c.assign(product.reshape('c', c.getShapeAsVector()));
  return Status::OK;
}
INFERRED_SHAPES(tensormmul)
DECLARE_SCHEMA(tensormmul) {
  schema.summary("The contraction of two tensors.").formula("z = sum of x * y over the paired axes");
  contractionInputs(schema);
  schema.output("z", "the other axes of x, then those of y");
  schema.gradient("tensormmul_bp").infer([](Inference& in) {
    const PartialShape x = in.input(0), y = in.input(1);
    if (!x.hasRank() || !y.hasRank()) return in.output(PartialShape(x.type()));
    const Pairing pairs(in.arguments<TensorContraction>(), x, y);
    in.keep(pairs);
    in.output(pairs.result(x, y));
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [1.0, 10.0], "axes_x": [1], "axes_y": [0]})")
      .elsewhere({.numpy = "numpy.tensordot", .torch = "torch.tensordot", .tensorflow = "tf.tensordot"})
      .words("tensor contraction, tensordot, einsum")
      .see("matmul");
}
DECLARE_SYN(tensordot, tensormmul);

CUSTOM_OP_IMPL(tensormmul_bp, 3, 2, false, 0, -1) {
  const NDArray &a = *INPUT_VARIABLE(0), &b = *INPUT_VARIABLE(1), &given = *INPUT_VARIABLE(2);
  NDArray &gradA = *OUTPUT_VARIABLE(0), &gradB = *OUTPUT_VARIABLE(1);
  requireSameTypes(block);
  const Pairing& pairs = Pairing::current(block);
  const Dims dims = pairs.result(PartialShape::of(a.shapeInfo()), PartialShape::of(b.shapeInfo())).sizes();
  if (given.lengthOf() != 1 && given.getShapeAsVector() != dims)
    reject("input 2 'gradZ': its shape is {}, but the contraction has shape {}", text(given), text(dims));
  if (a.isEmpty() || b.isEmpty()) {
    gradA.nullify();
    gradB.nullify();
    return Status::OK;
  }
  const NDArray left = matrix(a, pairs.freeX, pairs.axesX), right = matrix(b, pairs.axesY, pairs.freeY);
  NDArray eps('c', {left.sizeAt(0), right.sizeAt(1)}, a.dataType());
  eps.assign(given.lengthOf() == 1 ? given.reshape('c', {}) : given.reshape('c', {left.sizeAt(0), right.sizeAt(1)}));
  NDArray byA = zeros(a.dataType(), left.getShapeAsVector()), byB = zeros(b.dataType(), right.getShapeAsVector());
  MmulHelper::matmul(&eps, &right, &byA, false, true);
  MmulHelper::matmul(&left, &eps, &byB, true, false);
  scatterMatrix(byA, pairs.freeX, pairs.axesX, gradA);
  scatterMatrix(byB, pairs.axesY, pairs.freeY, gradB);
  return Status::OK;
}
INFERRED_SHAPES(tensormmul_bp)
DECLARE_SCHEMA(tensormmul_bp) {
  schema.summary("The gradients of tensormmul.")
      .formula(
          "gradX = gradZ contracted with y over the free axes of y, gradY = x contracted with gradZ over those of x");
  contractionInputs(schema);
  schema.input("gradZ", "the shape of z or one element");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradY", "the shape and type of y");
  schema.gradient(bilinearBackwardRule).infer([](Inference& in) {
    const PartialShape x = in.input(0), y = in.input(1);
    in.output(x);
    in.output(y);
  });
  schema
      .example(
          R"({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [1.0, 10.0], "gradZ": [1.0, 1.0], "axes_x": [1], "axes_y": [0]})")
      .words("tensor contraction, tensordot")
      .see("tensormmul");
}

}  // namespace sd::ops
