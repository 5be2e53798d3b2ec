// Diagonals of matrices: setting, reading, summing.
// operations: eye diag diag_part matrix_diag matrix_diag_part matrix_set_diag trace
// aliases: MatrixDiag DiagPart MatrixSetDiag
// calls: Sum
#include <ops/declarable/headers/linalg.h>

#include <algorithm>

#include "array/ElementConvert.h"
#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// The diagonals of the matrices in the last two dimensions: [.., min(M, N)].
Region matrixDiagonals(const NDArray& x) { return Region(x).diagonal(x.rankOf() - 2, x.rankOf() - 1); }

/// For an array of even rank, the elements whose first half of indices equals the second half.
Region halvesDiagonal(const NDArray& x) {
  Region region(x);
  const int half = x.rankOf() / 2;
  for (int d = 0; d < half; d++) region.diagonal(d, half);
  return region;
}

/// The sizes of `x` without the last two, and min(M, N).
PartialShape diagonalShape(const PartialShape& x) {
  if (!x.hasRank()) return PartialShape(x.type());
  const LongType m = x[-2], n = x[-1];
  Dims sizes = x.sizes();
  sizes.pop_back();
  sizes.back() = m == PartialShape::UNKNOWN || n == PartialShape::UNKNOWN ? PartialShape::UNKNOWN : std::min(m, n);
  return PartialShape(x.type(), sizes, x.order());
}
PartialShape diagonalShape(const NDArray& x) { return diagonalShape(PartialShape::of(x.shapeInfo())); }

// ---- eye

bool isOrder(LongType number) { return number == -'c' || number == -'f'; }

/// The list of integers: [order], rows, [columns, batch sizes..]. It does not count when there are inputs.
std::vector<LongType> eyeIntegers(const graph::Context& block, MemoryOrder& order) {
  std::vector<LongType> values;
  if (block.width() > 0) return values;
  for (size_t i = 0; i < block.numI(); i++) values.push_back(block.intArgument64(i));
  if (!values.empty() && isOrder(values[0])) {
    order = values[0] == -'f' ? MemoryOrder::Fortran : MemoryOrder::C;
    values.erase(values.begin());
  }
  return values;
}

/// Reads the part of the list from `first` on.
template <size_t First, bool Rest>
bool readSizes(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  MemoryOrder order = MemoryOrder::C;
  const std::vector<LongType> values = eyeIntegers(block, order);
  if (values.size() <= First) return false;
  row.access().setIntegers(row.memberOf(arguments), values.data() + First, Rest ? values.size() - First : 1);
  return true;
}

bool readOrder(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  MemoryOrder order = MemoryOrder::C;
  eyeIntegers(block, order);
  const auto enumerator = static_cast<LongType>(order);
  row.access().setIntegers(row.memberOf(arguments), &enumerator, 1);
  return true;
}

/// The list of floats holds the code of the type.
bool readType(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numT() == 0) return false;
  const LongType code = elements::fromReal<LongType>(block.floatArgument(0));
  row.access().setIntegers(row.memberOf(arguments), &code, 1);
  return true;
}

void inferEye(Inference& in) {
  const auto& a = in.arguments<Eye>();
  char order = a.order == MemoryOrder::C ? 'c' : 'f';
  Dims sizes;
  if (in.inputs() == 0) {
    if (!a.rows) reject("argument 'rows' is missing");
    sizes = a.batchShape;
    sizes.push_back(*a.rows);
    sizes.push_back(a.columns.value_or(*a.rows));
    return in.output(PartialShape(a.dtype, sizes, order));
  }
  Dims values;
  for (int i = 0; i < in.inputs(); i++) {
    in.input(i);
    const NDArray* given = in.values(i);
    if (given == nullptr) return in.output(PartialShape(a.dtype));
    const auto more = integersOf(*given, i, "sizes");
    values.insert(values.end(), more.begin(), more.end());
  }
  if (!values.empty() && isOrder(values[0])) {
    order = values[0] == -'f' ? 'f' : 'c';
    values.erase(values.begin());
  }
  if (values.empty()) reject("the number of rows is missing");
  requireSizes(values, "sizes");
  if (values.size() > 2) sizes.assign(values.begin() + 2, values.end());
  sizes.push_back(values[0]);
  sizes.push_back(values.size() > 1 ? values[1] : values[0]);
  in.output(PartialShape(a.dtype, sizes, order));
}

// ---- the other operations

void inferDiagonalArray(Inference& in) {
  const PartialShape x = in.input(0);
  if (!x.hasRank()) return in.output(PartialShape(x.type()));
  Dims sizes = x.sizes();
  const bool row = x.rank() == 2 && (x[0] == 1 || x[1] == 1);
  if (x.rank() == 0 || row) sizes = {x.isEmpty() ? 0 : x.length()};
  // A matrix of unknown sizes may have one row or column.
  if (x.rank() == 2 && !row && !x.hasKnownSizes()) return in.output(PartialShape(x.type()));
  const Dims half = sizes;
  sizes.insert(sizes.end(), half.begin(), half.end());
  in.output(PartialShape(x.type(), sizes, x.order()));
}

void inferDiagonalOfHalves(Inference& in) {
  const PartialShape x = in.input(0);
  if (!x.hasRank()) return in.output(PartialShape(x.type()));
  const int half = x.rank() / 2;
  const Dims sizes = x.sizes();
  const PartialShape first(x.type(), Dims(sizes.begin(), sizes.begin() + half), x.order());
  const PartialShape second(x.type(), Dims(sizes.begin() + half, sizes.end()), x.order());
  if (x.rank() % 2 != 0 || !compatible(first, second))
    reject("input 0 'x': shape {} is not a shape of rank 1 to 3 repeated twice", x.text());
  in.output(merged(first, second));
}

}  // namespace

CUSTOM_OP_IMPL(eye, -2, 1, false, -2, -2) {
  const NDArray& z = *OUTPUT_VARIABLE(0);
  NDArray one(z.dataType());
  one.assign(1);
  Region(z).fillZeros();
  matrixDiagonals(z).fill(one);
  return Status::OK;
}
INFERRED_SHAPES(eye)
DECLARE_SCHEMA(eye) {
  schema.summary("Matrices with ones on the main diagonal and zeros elsewhere.")
      .formula("z[.., i, j] = 1 where i = j, else 0");
  schema.input("sizes", "integer vectors, joined, instead of the arguments: rows, columns, sizes of the batch")
      .any()
      .types({ALL_INTS, ALL_FLOATS})
      .rank(1)
      .shapesNeedValues();
  schema.argument(&Eye::rows, "rows", "the rows of a matrix; needed when there are no inputs")
      .atInteger(0)
      .readBy(readSizes<0, false>)
      .atLeast(0);
  schema.argument(&Eye::columns, "columns", "the columns of a matrix, as many as rows when they are not given")
      .atInteger(1)
      .readBy(readSizes<1, false>)
      .atLeast(0);
  schema.argument(&Eye::batchShape, "batch_shape", "the leading sizes")
      .atInteger(2)
      .readBy(readSizes<2, true>)
      .atLeast(0);
  schema.argument(&Eye::order, "order", "the memory order of z; -99 (c) or -102 (fortran) before the rows of a list")
      .readBy(readOrder);
  schema.argument(&Eye::dtype, "dtype", "the type of the result; in the list of floats its code")
      .atFloat(0)
      .readBy(readType);
  schema.output("z", "batch_shape, then [rows, columns]; of type dtype");
  schema.outputTypes({ALL_FLOATS, ALL_INTS, BOOL}).infer(inferEye).notDifferentiable(CONSTANT_RESULT);
  schema.example(R"({"rows": 2, "columns": 3})")
      .elsewhere({.numpy = "numpy.eye", .torch = "torch.eye", .tensorflow = "tf.eye", .onnx = "EyeLike"})
      .words("identity matrix, diagonal")
      .see("diag matrix_diag tri");
}

CUSTOM_OP_IMPL(diag, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  Region(z).fillZeros();
  const bool vector = z.rankOf() != 2 * x.rankOf();
  Region(vector ? x.reshape('c', {x.lengthOf()}) : x.reshape(x.ordering(), x.getShapeAsVector()))
      .copyTo(halvesDiagonal(z));
  return Status::OK;
}
INFERRED_SHAPES(diag)
DECLARE_SCHEMA(diag) {
  schema.summary("Puts an array on the diagonal of an array of twice the rank.")
      .formula("z[i.., i..] = x[i..], 0 elsewhere");
  schema.input("x", "rank 0 to 3; matrices with one row or column count as vectors").rank(0, 3);
  schema.output("z", "x.shape + x.shape, the type and order of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferDiagonalArray);
  schema.example(R"({"x": [1.0, 2.0]})")
      .elsewhere({.numpy = "numpy.diag", .torch = "torch.diag_embed", .tensorflow = "tf.linalg.tensor_diag"})
      .words("diagonal matrix")
      .see("diag_part matrix_diag eye");
  schema.gradient([](Gradient& g) { g.set(0, g.reshapeLike(g.call("diag_part", {g.of()}), g.input(0))); });
}
DECLARE_SYN(MatrixDiag, diag);

CUSTOM_OP_IMPL(diag_part, 1, 1, false, 0, 0) {
  halvesDiagonal(*INPUT_VARIABLE(0)).copyTo(Region(*OUTPUT_VARIABLE(0)));
  return Status::OK;
}
INFERRED_SHAPES(diag_part)
DECLARE_SCHEMA(diag_part) {
  schema.summary("The diagonal of an array whose second half of dimensions equals the first half.")
      .formula("z[i..] = x[i.., i..]");
  schema.input("x", "rank 2, 4 or 6, the second half of the sizes equal to the first").rank(2, 6);
  schema.output("z", "half of x.shape, the type of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferDiagonalOfHalves);
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]]})")
      .elsewhere({.numpy = "numpy.diagonal", .torch = "torch.diagonal", .tensorflow = "tf.linalg.tensor_diag_part"})
      .words("diagonal")
      .see("diag matrix_diag_part");
  schema.gradient([](Gradient& g) {
    // diag() takes a matrix with one row or column for a vector.
    g.set(0, g.reshapeLike(g.call("diag", {g.of()}), g.input(0)));
  });
}
DECLARE_SYN(DiagPart, diag_part);

CUSTOM_OP_IMPL(matrix_diag, 1, 1, false, 0, 0) {
  const NDArray& z = *OUTPUT_VARIABLE(0);
  Region(z).fillZeros();
  Region(*INPUT_VARIABLE(0)).copyTo(matrixDiagonals(z));
  return Status::OK;
}
INFERRED_SHAPES(matrix_diag)
DECLARE_SCHEMA(matrix_diag) {
  schema.summary("Matrices with given diagonals and zeros elsewhere.")
      .formula("z[.., i, i] = diagonal[.., i], 0 elsewhere");
  schema.input("diagonal", "[.., n]").rankAtLeast(1);
  schema.output("z", "[.., n, n], the type of diagonal");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    PartialShape z = in.input(0);
    if (z.hasRank()) z.append(z[-1]);
    in.output(z);
  });
  schema.example(R"({"diagonal": [1.0, 2.0]})")
      .elsewhere({.torch = "torch.diag_embed", .tensorflow = "tf.linalg.diag"})
      .words("diagonal matrix")
      .see("matrix_diag_part matrix_set_diag diag");
  schema.gradient([](Gradient& g) { g.set(0, g.call("matrix_diag_part", {g.of()})); });
}

CUSTOM_OP_IMPL(matrix_diag_part, 1, 1, false, 0, 0) {
  matrixDiagonals(*INPUT_VARIABLE(0)).copyTo(Region(*OUTPUT_VARIABLE(0)));
  return Status::OK;
}
INFERRED_SHAPES(matrix_diag_part)
DECLARE_SCHEMA(matrix_diag_part) {
  schema.summary("The main diagonals of matrices.").formula("z[.., i] = x[.., i, i]");
  schema.input("x", "[.., M, N]").rankAtLeast(2);
  schema.output("z", "[.., min(M, N)], the type of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) { in.output(diagonalShape(in.input(0))); });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]]})")
      .elsewhere({.numpy = "numpy.diagonal", .torch = "torch.diagonal", .tensorflow = "tf.linalg.diag_part"})
      .words("diagonal")
      .see("matrix_diag trace");
  schema.gradient([](Gradient& g) { g.set(0, g.call("matrix_set_diag", {g.zerosLike(g.input(0)), g.of()})); });
}

CONFIGURABLE_OP_IMPL(matrix_set_diag, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &diagonal = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dims sizes = diagonalShape(x).sizes();
  if (!diagonal.isSameShape(sizes)) reject("input 1 'diagonal': its shape is {}, not {}", text(diagonal), text(sizes));
  if (diagonal.dataType() != x.dataType())
    reject("input 1 'diagonal': its type is {}, but x has type {}", DataTypeUtils::describe(diagonal.dataType()),
           DataTypeUtils::describe(x.dataType()));
  copy(x, z);
  Region(diagonal).copyTo(matrixDiagonals(z));
  return Status::OK;
}
DECLARE_SCHEMA(matrix_set_diag) {
  schema.summary("Matrices with their main diagonals replaced.").formula("z[.., i, i] = diagonal[.., i], x elsewhere");
  schema.input("x", "[.., M, N]").rankAtLeast(2);
  schema.input("diagonal", "[.., min(M, N)], the type of x").rankAtLeast(1);
  schema.output("z", "x's shape and type");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "diagonal": [9.0, 8.0]})")
      .elsewhere(
          {.numpy = "numpy.fill_diagonal", .torch = "torch.diagonal_scatter", .tensorflow = "tf.linalg.set_diag"})
      .words("replace diagonal")
      .see("matrix_diag matrix_diag_part");
  schema.gradient([](Gradient& g) {
    g.set(0, g.call("matrix_set_diag", {g.of(), g.zerosLike(g.input(1))}));
    g.set(1, g.call("matrix_diag_part", {g.of()}));
  });
}
DECLARE_SYN(MatrixSetDiag, matrix_set_diag);

CUSTOM_OP_IMPL(trace, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const Dims sizes = diagonalShape(x).sizes();
  if (x.isEmpty()) {
    z.nullify();
    return Status::OK;
  }
  NDArray diagonals = zeros(DOUBLE, sizes);
  matrixDiagonals(x).copyTo(Region(diagonals));
  z.assign(diagonals.reduceAlongDimension(reduce::Sum, {-1}));
  return Status::OK;
}
INFERRED_SHAPES(trace)
DECLARE_SCHEMA(trace) {
  schema.summary("The sums of the main diagonals of matrices, added up in double.")
      .formula("z[..] = sum over i of x[.., i, i]");
  schema.input("x", "[.., M, N]").rankAtLeast(2);
  schema.output("z", "[..], the type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer([](Inference& in) {
    const PartialShape diagonal = diagonalShape(in.input(0));
    if (!diagonal.hasRank()) return in.output(diagonal);
    Dims sizes = diagonal.sizes();
    sizes.pop_back();
    in.output(PartialShape(diagonal.type(), sizes, diagonal.order()));
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]]})")
      .elsewhere({.numpy = "numpy.trace", .torch = "torch.trace", .tensorflow = "tf.linalg.trace"})
      .words("sum of diagonal")
      .see("matrix_diag_part");
  schema.gradient([](Gradient& g) {
    const Symbol zeros = g.zerosLike(g.input(0)), ones = g.onesLike(g.call("matrix_diag_part", {zeros}));
    g.set(0, g.call("matrix_set_diag", {zeros, ones}) * g.expandDims(g.expandDims(g.of(), -1), -1));
  });
}

}  // namespace sd::ops
