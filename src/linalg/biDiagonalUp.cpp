#include <helpers/biDiagonalUp.h>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

namespace {

template <typename T>
void reduce(const MatrixView<T>& a, const MatrixView<T>& b) {
  for (LongType k = 0; k < a.columns; k++) {
    const auto column = a.column(k).from(k);
    T coeff;
    makeReflection(column, column.from(1), coeff, b(k, k));
    reflectRows(a.from(k, k + 1), column.from(1), coeff);
    a(k, k) = coeff;
    if (k + 1 == a.columns) break;
    const auto row = a.row(k).from(k + 1);
    makeReflection(row, row.from(1), coeff, b(k, k + 1));
    reflectColumns(a.from(k + 1, k + 1), row.from(1), coeff);
    a(k, k + 1) = coeff;
  }
}

}  // namespace

BiDiagonalUp::BiDiagonalUp(const NDArray& matrix) : _HHmatrix(matrix) {
  requireMatrix("BiDiagonalUp", matrix);
  const LongType columns = matrix.sizeAt(1);
  if (matrix.sizeAt(0) < columns)
    fail("[BiDiagonalUp] a matrix of shape {} has more columns than rows", ShapeUtils::shapeAsString(&matrix));
  inTypeOf("BiDiagonalUp", matrix, [&](auto zero) {
    using T = decltype(zero);
    _HHbidiag = NDArray(matrix.ordering(), {columns, columns}, matrix.dataType());
    reduce(matrixOf<T>("BiDiagonalUp", _HHmatrix), matrixOf<T>("BiDiagonalUp", _HHbidiag));
  });
}

HHsequence BiDiagonalUp::makeHHsequence(char type) const {
  if (type != 'u' && type != 'v') fail("[BiDiagonalUp::makeHHsequence] the type is '{}', not 'u' or 'v'", type);
  const int size = static_cast<int>(_HHbidiag.sizeAt(0)), shift = type == 'u' ? 0 : 1;
  NDArray coeffs(_HHmatrix.ordering(), {std::max(1, size - shift)}, _HHmatrix.dataType());
  for (int k = 0; k < size - shift; k++) coeffs.p(k, _HHmatrix.e<double>(k, k + shift));
  HHsequence sequence(_HHmatrix, coeffs, type);
  sequence._diagSize = size - shift;
  sequence._shift = shift;
  return sequence;
}

}  // namespace sd::ops::helpers
