// Code that operations on batches of matrices share: the last two dimensions are a matrix, the others are the batch.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_MATRICES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_MATRICES_H

#include <execution/Parallel.h>

#include <algorithm>
#include <limits>

#include "ops/declarable/Common.h"

namespace sd::ops {

/// The sizes of an array [..., M, N].
struct Matrices {
  LongType count = 1;  ///< 1 for rank 2
  int rows, columns;

  /// @throws std::invalid_argument for a rank below 2 and for sizes that do not fit LAPACK's integers
  Matrices(const LongType* info, int input, const char* name) {
    const int rank = shape::rank(info);
    if (rank < 2)
      reject("input {} '{}': its rank is {}, matrices are needed (shape {})", input, name, rank, text(info));
    // Wraps only when there are no elements.
    for (int d = 0; d < rank - 2; d++) __builtin_mul_overflow(count, shape::shapeOf(info)[d], &count);
    for (int d = rank - 2; d < rank; d++)
      if (shape::shapeOf(info)[d] > std::numeric_limits<int>::max())
        reject("input {} '{}': a matrix of shape {} is too large", input, name, text(info));
    rows = static_cast<int>(shape::shapeOf(info)[rank - 2]);
    columns = static_cast<int>(shape::shapeOf(info)[rank - 1]);
  }
  Matrices(const NDArray& array, int input, const char* name) : Matrices(array.shapeInfo(), input, name) {}

  LongType size() const { return static_cast<LongType>(rows) * columns; }
  bool empty() const { return count == 0 || size() == 0; }
};

/// As Matrices, and requires square matrices.
inline Matrices squares(const LongType* info, int input, const char* name) {
  const Matrices m(info, input, name);
  if (m.rows != m.columns) reject("input {} '{}': matrices of shape {} are not square", input, name, text(info));
  return m;
}

/// DOUBLE for DOUBLE, else FLOAT32.
inline DataType computingType(DataType type) { return type == DOUBLE ? DOUBLE : FLOAT32; }

/// The relative precision of a floating type.
inline double roundingOf(DataType type) {
  switch (type) {
    case DOUBLE:
      return std::numeric_limits<double>::epsilon();
    case FLOAT32:
      return std::numeric_limits<float>::epsilon();
    case HALF:
      return 1.0 / 1024;
    default:
      return 1.0 / 128;
  }
}

/// An uninitialised array in c order with the shape of `array`, in its compute type.
inline NDArray scratchLike(const NDArray& array) {
  return NDArray::uninitialized(computingType(array.dataType()), 'c', array.rankOf(), array.shapeOf(),
                                LaunchContext::defaultContext());
}
/// A copy in c order, in the compute type. LAPACK works on the copy, so outputs stay unwritten when it fails.
inline NDArray workingCopy(const NDArray& array) {
  NDArray copy = scratchLike(array);
  copy.assign(array);
  return copy;
}

/// Calls f(float()) or f(double()), by the compute type of `type`.
template <typename F>
void inComputingType(DataType type, F&& f) {
  if (type == DOUBLE)
    f(double());
  else
    f(float());
}

/// Calls f(index) for each of `count` matrices; one matrix takes `flops` operations.
template <typename F>
void eachMatrix(LongType count, double flops, F&& f) {
  const double nanoseconds = static_cast<double>(count) * (500 + flops / 4);
  execution::parallelFor(count, execution::threadsFor(nanoseconds), [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) f(i);
  });
}

/// z[n, m] = x[m, n]^T; the rows of both are contiguous, and begin so many elements apart.
template <typename T>
void transposeTo(const T* x, LongType xStride, LongType m, LongType n, T* z, LongType zStride) {
  constexpr LongType tile = 32;
  for (LongType i0 = 0; i0 < m; i0 += tile)
    for (LongType j0 = 0; j0 < n; j0 += tile)
      for (LongType j = j0; j < std::min(n, j0 + tile); j++)
        for (LongType i = i0; i < std::min(m, i0 + tile); i++) z[j * zStride + i] = x[i * xStride + j];
}
/// The same without gaps between the rows.
template <typename T>
void transposeTo(const T* x, LongType m, LongType n, T* z) {
  transposeTo(x, n, m, n, z, m);
}
/// z[m, n] = x[m, n], as above.
template <typename T>
void copyRows(const T* x, LongType xStride, LongType m, LongType n, T* z, LongType zStride) {
  for (LongType i = 0; i < m; i++) std::copy_n(x + i * xStride, n, z + i * zStride);
}

inline double cubed(int n) { return static_cast<double>(n) * n * n; }

}  // namespace sd::ops

#endif
