// Diagonals of matrices: setting, reading, summing.
// operations: eye diag diag_part matrix_diag matrix_diag_part matrix_set_diag trace
// aliases: MatrixDiag DiagPart MatrixSetDiag
// calls: Sum
#include <ops/declarable/headers/linalg.h>

#include <algorithm>

#include "array/ElementConvert.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

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

void requireMatrix(const LongType* x) {
  if (shape::rank(x) < 2) reject("input 0 'x': its rank is {}, below 2 (shape {})", shape::rank(x), text(x));
}

/// The sizes of `x` without the last two, and min(M, N).
Dims diagonalSizes(const LongType* x) {
  requireMatrix(x);
  Dims sizes = dimsOf(x);
  const LongType last = sizes.back();
  sizes.pop_back();
  sizes.back() = std::min(sizes.back(), last);
  return sizes;
}

struct Eye {
  char order = 'c';
  DataType type;
  Dims sizes;
};

Eye eyeOf(graph::Context& block) {
  Eye result{'c', FLOAT32, {}};
  Dims values;
  if (block.width() > 0) {
    for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
      const NDArray& given = *block.array(i);
      requireRank(given, 1, i, "sizes");
      const auto more = integersOf(given, i, "sizes");
      values.insert(values.end(), more.begin(), more.end());
    }
  } else {
    values = integerArguments(block);
  }
  if (!values.empty() && (values[0] == -'c' || values[0] == -'f')) {
    result.order = values[0] == -'f' ? 'f' : 'c';
    values.erase(values.begin());
  }
  if (values.empty()) reject("the number of rows is missing");
  requireSizes(values, "rows");
  if (block.numT() > 0) result.type = checkedType(elements::fromReal<LongType>(block.floatArgument(0)), "type");
  const LongType rows = values[0], columns = values.size() > 1 ? values[1] : rows;
  if (values.size() > 2) result.sizes.assign(values.begin() + 2, values.end());
  result.sizes.push_back(rows);
  result.sizes.push_back(columns);
  return result;
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
DECLARE_SHAPE_FN(eye) {
  const Eye asked = eyeOf(block);
  return shapes(shapeOf(asked.type, asked.order, asked.sizes));
}
DECLARE_TYPES(eye) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->document({.summary = "Matrices with ones on the main diagonal and zeros elsewhere.",
                  .formula = "z[.., i, j] = 1 where i = j, else 0",
                  .inputs = "sizes0, sizes1, …?: integer vectors, concatenated, used instead of the arguments",
                  .outputs = "z: [batch.., rows, columns], FLOAT32 or the requested type",
                  .floats = "type?: code of the type (default 5, FLOAT32)",
                  .integers = "order?: -99 'c' (default), -102 'f'\nrows: the rows of a matrix\ncolumns?: the columns "
                              "of a matrix (default rows)\n"
                              "batch?: the leading sizes"});
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
DECLARE_SHAPE_FN(diag) {
  const LongType* x = inputShape->at(0);
  const int rank = shape::rank(x);
  if (rank > 3) reject("input 0 'x': its rank is {}, above 3 (shape {})", rank, text(x));
  Dims sizes = dimsOf(x);
  const LongType length = shape::isEmpty(x) ? 0 : shape::length(x);
  if (rank == 0 || (rank == 2 && (sizes[0] == 1 || sizes[1] == 1))) sizes = {length};
  const Dims half = sizes;
  sizes.insert(sizes.end(), half.begin(), half.end());
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}
DECLARE_TYPES(diag) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Puts an array on the diagonal of an array of twice the rank.",
       .formula = "z[i.., i..] = x[i..], 0 elsewhere",
       .inputs = "x: rank 0 to 3; matrices with one row or column count as vectors",
       .outputs = "z: x's shape twice, x's type and order"});
}
DECLARE_SYN(MatrixDiag, diag);

CUSTOM_OP_IMPL(diag_part, 1, 1, false, 0, 0) {
  halvesDiagonal(*INPUT_VARIABLE(0)).copyTo(Region(*OUTPUT_VARIABLE(0)));
  return Status::OK;
}
DECLARE_SHAPE_FN(diag_part) {
  const LongType* x = inputShape->at(0);
  const int rank = shape::rank(x);
  bool fits = rank == 2 || rank == 4 || rank == 6;
  for (int d = 0; fits && d < rank / 2; d++) fits = sizeAt(x, d) == sizeAt(x, d + rank / 2);
  if (!fits) reject("input 0 'x': shape {} is not a shape of rank 1 to 3 repeated twice", text(x));
  const Dims sizes = dimsOf(x);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), Dims(sizes.begin(), sizes.begin() + rank / 2)));
}
DECLARE_TYPES(diag_part) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "The diagonal of an array whose second half of dimensions equals the first half.",
       .formula = "z[i..] = x[i.., i..]",
       .inputs = "x: rank 2, 4 or 6, the second half of the sizes equal to the first",
       .outputs = "z: half of x's shape, x's type"});
}
DECLARE_SYN(DiagPart, diag_part);

CUSTOM_OP_IMPL(matrix_diag, 1, 1, false, 0, 0) {
  const NDArray& z = *OUTPUT_VARIABLE(0);
  Region(z).fillZeros();
  Region(*INPUT_VARIABLE(0)).copyTo(matrixDiagonals(z));
  return Status::OK;
}
DECLARE_SHAPE_FN(matrix_diag) {
  const LongType* x = inputShape->at(0);
  if (shape::rank(x) == 0) reject("input 0 'd': it is a scalar");
  Dims sizes = dimsOf(x);
  sizes.push_back(sizes.back());
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}
DECLARE_TYPES(matrix_diag) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Matrices with given diagonals and zeros elsewhere.",
       .formula = "z[.., i, i] = d[.., i], 0 elsewhere",
       .inputs = "d: [.., n]",
       .outputs = "z: [.., n, n], d's type"});
}

CUSTOM_OP_IMPL(matrix_diag_part, 1, 1, false, 0, 0) {
  matrixDiagonals(*INPUT_VARIABLE(0)).copyTo(Region(*OUTPUT_VARIABLE(0)));
  return Status::OK;
}
DECLARE_SHAPE_FN(matrix_diag_part) {
  const LongType* x = inputShape->at(0);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), diagonalSizes(x)));
}
DECLARE_TYPES(matrix_diag_part) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "The main diagonals of matrices.",
       .formula = "z[.., i] = x[.., i, i]",
       .inputs = "x: [.., M, N]",
       .outputs = "z: [.., min(M, N)], x's type"});
}

CONFIGURABLE_OP_IMPL(matrix_set_diag, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &diagonal = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dims sizes = diagonalSizes(x.shapeInfo());
  if (!diagonal.isSameShape(sizes) || diagonal.rankOf() == 0)
    reject("input 1 'd': its shape is {}, not {}", text(diagonal), text(sizes));
  if (diagonal.dataType() != x.dataType())
    reject("input 1 'd': its type is {}, but x has type {}", DataTypeUtils::describe(diagonal.dataType()),
           DataTypeUtils::describe(x.dataType()));
  copy(x, z);
  Region(diagonal).copyTo(matrixDiagonals(z));
  return Status::OK;
}
DECLARE_TYPES(matrix_set_diag) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Matrices with their main diagonals replaced.",
       .formula = "z[.., i, i] = d[.., i], x elsewhere",
       .inputs = "x: [.., M, N]\nd: [.., min(M, N)], x's type",
       .outputs = "z: x's shape and type"});
}
DECLARE_SYN(MatrixSetDiag, matrix_set_diag);

CUSTOM_OP_IMPL(trace, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const Dims sizes = diagonalSizes(x.shapeInfo());
  if (x.isEmpty()) {
    z.nullify();
    return Status::OK;
  }
  NDArray diagonals = zeros(DOUBLE, sizes);
  matrixDiagonals(x).copyTo(Region(diagonals));
  z.assign(diagonals.reduceAlongDimension(reduce::Sum, {-1}));
  return Status::OK;
}
DECLARE_SHAPE_FN(trace) {
  const LongType* x = inputShape->at(0);
  Dims sizes = diagonalSizes(x);
  sizes.pop_back();
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}
DECLARE_TYPES(trace) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The sums of the main diagonals of matrices, added up in double.",
                  .formula = "z[..] = sum over i of x[.., i, i]",
                  .inputs = "x: [.., M, N]",
                  .outputs = "z: [..], x's type"});
}

}  // namespace sd::ops
