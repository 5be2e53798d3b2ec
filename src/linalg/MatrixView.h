// Matrices and vectors of T in the buffers of arrays, with any strides, for the decomposition classes.
#ifndef NDFORGE_SRC_LINALG_MATRIXVIEW_H
#define NDFORGE_SRC_LINALG_MATRIXVIEW_H

#include <array/NDArray.h>
#include <exceptions/datatype_exception.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "system/Error.h"

namespace sd::linalg {

template <typename T>
struct VectorView {
  T* data;
  LongType step;
  LongType length;

  T& operator[](LongType i) const { return data[i * step]; }
  VectorView from(LongType first) const { return {data + first * step, step, length - first}; }
  VectorView head(LongType count) const { return {data, step, count}; }
  void fill(T value) const {
    for (LongType i = 0; i < length; i++) (*this)[i] = value;
  }
  void scale(T factor) const {
    for (LongType i = 0; i < length; i++) (*this)[i] *= factor;
  }
  void swap(const VectorView& other) const {
    for (LongType i = 0; i < length; i++) std::swap((*this)[i], other[i]);
  }
  T squares() const {
    T sum = 0;
    for (LongType i = 0; i < length; i++) sum += (*this)[i] * (*this)[i];
    return sum;
  }
  /// The Euclidean norm, safe from overflow.
  T norm() const {
    const T largest = maxAbs();
    if (!(largest > 0) || !std::isfinite(largest)) return largest;
    T sum = 0;
    for (LongType i = 0; i < length; i++) sum += ((*this)[i] / largest) * ((*this)[i] / largest);
    return largest * std::sqrt(sum);
  }
  T maxAbs() const {
    T largest = 0;
    for (LongType i = 0; i < length; i++) largest = std::max(largest, std::abs((*this)[i]));
    return largest;
  }
};

template <typename T>
struct MatrixView {
  T* data;
  LongType rowStep, columnStep;
  LongType rows, columns;

  T& operator()(LongType i, LongType j) const { return data[i * rowStep + j * columnStep]; }
  VectorView<T> row(LongType i) const { return {data + i * rowStep, columnStep, columns}; }
  VectorView<T> column(LongType j) const { return {data + j * columnStep, rowStep, rows}; }
  VectorView<T> diagonal() const { return {data, rowStep + columnStep, std::min(rows, columns)}; }
  MatrixView block(LongType i, LongType j, LongType height, LongType width) const {
    return {data + i * rowStep + j * columnStep, rowStep, columnStep, height, width};
  }
  /// The block from (i, j) to the lower right corner.
  MatrixView from(LongType i, LongType j) const { return block(i, j, rows - i, columns - j); }
  MatrixView transposed() const { return {data, columnStep, rowStep, columns, rows}; }
  void fill(T value) const {
    for (LongType i = 0; i < rows; i++) row(i).fill(value);
  }
  void setIdentity() const {
    fill(T(0));
    diagonal().fill(T(1));
  }
  T maxAbs() const {
    T largest = 0;
    for (LongType i = 0; i < rows; i++) largest = std::max(largest, row(i).maxAbs());
    return largest;
  }
};

template <typename T>
void requireType(const char* method, const NDArray& array) {
  if (array.dataType() != DataTypeUtils::fromT<T>())
    fail<datatype_exception>("[{}] the array has the type {}, {} is needed", method,
                             DataTypeUtils::describe(array.dataType()),
                             DataTypeUtils::describe(DataTypeUtils::fromT<T>()));
}

/// @throws std::invalid_argument unless the rank is 2, or 1 for a single row; sd::datatype_exception unless the
/// elements are T
template <typename T>
MatrixView<T> matrixOf(const char* method, const NDArray& array) {
  requireType<T>(method, array);
  T* data = const_cast<NDArray&>(array).bufferAsT<T>();  // views of const arrays are only read
  if (array.rankOf() == 1) return {data, 0, array.strideAt(0), 1, array.lengthOf()};
  if (array.rankOf() != 2) fail("[{}] a matrix is needed, the shape is {}", method, ShapeUtils::shapeAsString(&array));
  return {data, array.strideAt(0), array.strideAt(1), array.sizeAt(0), array.sizeAt(1)};
}

/// A view of an array in which at most one dimension differs from 1.
template <typename T>
VectorView<T> vectorOf(const char* method, const NDArray& array) {
  requireType<T>(method, array);
  T* data = const_cast<NDArray&>(array).bufferAsT<T>();
  int axis = 0;
  if (array.lengthOf() == 1) return {data, 1, 1};
  if (!array.isCommonVector(axis))
    fail("[{}] a vector is needed, the shape is {}", method, ShapeUtils::shapeAsString(&array));
  return {data, array.strideAt(axis), array.lengthOf()};
}

inline void requireMatrix(const char* method, const NDArray& array, bool square = false) {
  if (array.rankOf() != 2 || array.lengthOf() == 0 || (square && array.sizeAt(0) != array.sizeAt(1)))
    fail("[{}] a {}matrix is needed, the shape is {}", method, square ? "square " : "",
         ShapeUtils::shapeAsString(&array));
}

/// Calls f(float()) or f(double()), by the type of the array.
template <typename F>
void inTypeOf(const char* method, const NDArray& array, F&& f) {
  if (array.dataType() == FLOAT32)
    f(float());
  else if (array.dataType() == DOUBLE)
    f(double());
  else
    fail<datatype_exception>("[{}] the array has the type {}, FLOAT32 or DOUBLE is needed", method,
                             DataTypeUtils::describe(array.dataType()));
}

// Magnitudes below `TINY` count as 0; `PRECISION` is the relative precision of T.
template <typename T>
inline constexpr T TINY = std::numeric_limits<T>::min();
template <typename T>
inline constexpr T PRECISION = std::numeric_limits<T>::epsilon();

// ---- reflections P = I - coeff w w^T with w = (1, tail)

/// The reflection that maps x to (norm, 0, …, 0). `tail` may be a view of x from its second element on. Golub and Van
/// Loan, "Matrix Computations", section 5.1.
template <typename T>
void makeReflection(const VectorView<T>& x, const VectorView<T>& tail, T& coeff, T& norm) {
  const T first = x[0], rest = x.length > 1 ? x.from(1).squares() : T(0);
  if (rest <= TINY<T>) {
    coeff = 0;
    norm = first;
    if (x.length > 1) tail.fill(T(0));
    return;
  }
  norm = std::sqrt(first * first + rest);
  if (first >= 0) norm = -norm;
  coeff = (norm - first) / norm;
  for (LongType i = 0; i + 1 < x.length; i++) tail[i] = x[i + 1] / (first - norm);
}

/// matrix = P matrix
template <typename T>
void reflectRows(const MatrixView<T>& matrix, const VectorView<T>& tail, T coeff) {
  if (coeff == 0 || matrix.rows == 0) return;
  for (LongType j = 0; j < matrix.columns; j++) {
    const VectorView<T> column = matrix.column(j);
    T sum = column[0];
    for (LongType i = 1; i < matrix.rows; i++) sum += tail[i - 1] * column[i];
    sum *= coeff;
    column[0] -= sum;
    for (LongType i = 1; i < matrix.rows; i++) column[i] -= tail[i - 1] * sum;
  }
}

/// matrix = matrix P
template <typename T>
void reflectColumns(const MatrixView<T>& matrix, const VectorView<T>& tail, T coeff) {
  reflectRows(matrix.transposed(), tail, coeff);
}

// ---- rotations J = [[c, s], [-s, c]]

template <typename T>
struct Rotation {
  T c, s;
  Rotation transposed() const { return {c, -s}; }
};

/// J with J^T (p, q) = (r, 0). Golub and Van Loan, "Matrix Computations", section 5.1.8.
template <typename T>
Rotation<T> givens(T p, T q) {
  if (q == 0) return {p < 0 ? T(-1) : T(1), 0};
  if (p == 0) return {0, q < 0 ? T(1) : T(-1)};
  const bool first = std::abs(p) > std::abs(q);
  const T t = first ? q / p : p / q, divisor = first ? p : q;
  T u = std::sqrt(1 + t * t);
  if (divisor < 0) u = -u;
  return first ? Rotation<T>{1 / u, -t / u} : Rotation<T>{t / u, -1 / u};
}

/// (x, y) = J (x, y) for two rows or columns
template <typename T>
void rotate(const VectorView<T>& x, const VectorView<T>& y, const Rotation<T>& j) {
  for (LongType i = 0; i < x.length; i++) {
    const T a = x[i], b = y[i];
    x[i] = j.c * a + j.s * b;
    y[i] = -j.s * a + j.c * b;
  }
}
/// Columns p and q of the matrix: (p, q) = (p, q) J
template <typename T>
void rotateColumns(const MatrixView<T>& matrix, LongType p, LongType q, const Rotation<T>& j) {
  rotate(matrix.column(p), matrix.column(q), j.transposed());
}

}  // namespace sd::linalg

#endif
