// Operations that use the LU factors of square matrices: the factors themselves, inverses, determinants, solutions.
// operations: lu matrix_inverse matrix_determinant log_matrix_determinant solve triangular_solve
#include <ops/declarable/headers/decompositions.h>

#include <cmath>
#include <numeric>

#include "linalg/Blas.h"
#include "linalg/Lapack.h"
#include "ops/declarable/helpers/matrices.h"

namespace sd::ops {
namespace {

/// Factors the matrices and calls f(b, factors, pivots, info) for each matrix b. getrf reads a row-major matrix as its
/// transpose; info is 0 or the number of a zero on the diagonal, counted from 1.
template <typename T, typename F>
void eachFactored(NDArray& work, const Matrices& m, F&& f) {
  T* data = work.bufferAsT<T>();
  eachMatrix(m.count, cubed(m.rows), [&](LongType b) {
    std::vector<int> pivots(static_cast<size_t>(m.rows));
    T* a = data + b * m.size();
    const int info = m.rows == 0 ? 0 : lapack::getrf<T>(m.rows, a, m.rows, pivots.data());
    f(b, a, pivots, info);
  });
}

/// Throws for the first matrix with a non-zero outcome.
template <typename Error>
void requireRegular(const std::vector<int>& outcome) {
  for (size_t b = 0; b < outcome.size(); b++)
    if (outcome[b] != 0) fail<Error>("[{}] input 0 'A': matrix {} is singular", RunningOp::name(), b);
}

/// The transposes of square matrices.
NDArray transposed(const NDArray& x, const Matrices& m) {
  NDArray work = scratchLike(x);
  const Dense dense(x, work.dataType());
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, static_cast<double>(m.size()), [&](LongType b) {
      transposeTo(dense.as<T>() + b * m.size(), m.rows, m.columns, work.bufferAsT<T>() + b * m.size());
    });
  });
  return work;
}

ShapeList* determinantShape(const LongType* x) {
  squares(x, 0, "A");
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), withLast(x, {})));
}

void determinants(const NDArray& x, NDArray& z, bool logarithm) {
  const Matrices m = squares(x.shapeInfo(), 0, "A");
  if (z.isEmpty()) return;
  NDArray work = workingCopy(x);
  DenseOut target(z, work.dataType());
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    T* results = target.as<T>();
    // The factors are those of the transpose, which has the same determinant.
    eachFactored<T>(work, m, [&](LongType b, const T* a, const std::vector<int>& pivots, int) {
      double product = 1, sum = 0;
      for (int i = 0; i < m.rows; i++) {
        const double pivot = a[static_cast<LongType>(i) * (m.rows + 1)];
        product *= pivots[static_cast<size_t>(i)] == i + 1 ? pivot : -pivot;
        sum += std::log(std::abs(pivot));
      }
      results[b] = static_cast<T>(logarithm ? sum : product);
    });
  });
  target.commit();
}

/// The shape of X in A X = b.
ShapeList* solutionShape(const ShapeList& inputs, bool sameRank) {
  const LongType *x = inputs.at(0), *y = inputs.at(1);
  const Matrices a = squares(x, 0, "A"), b(y, 1, "b");
  if (sameRank && shape::rank(x) != shape::rank(y)) reject("shapes {} and {} differ in rank", text(x), text(y));
  if (a.rows != b.rows)
    reject("input 1 'b': its shape is {}, but {} rows are needed (A: {})", text(y), a.rows, text(x));
  requireSameBatches(x, "A", y, "b");
  if (ArrayOptions::dataType(x) != ArrayOptions::dataType(y)) reject("inputs 0 'A' and 1 'b' differ in type");
  return shapes(like(y));
}

}  // namespace

CUSTOM_OP_IMPL(lu, 1, 2, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &z = *OUTPUT_VARIABLE(0), &p = *OUTPUT_VARIABLE(1);
  const Matrices m = squares(x.shapeInfo(), 0, "A");
  if (m.empty()) return Status::OK;
  NDArray work = transposed(x, m), factors = scratchLike(x);
  std::vector<int> outcome(static_cast<size_t>(m.count));
  NDArray order('c', {m.count, m.rows}, INT32);
  auto* rows = order.bufferAsT<int>();
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachFactored<T>(work, m, [&](LongType b, const T* a, const std::vector<int>& pivots, int info) {
      // If only the last pivot is 0 the factors are still complete.
      outcome[static_cast<size_t>(b)] = info == m.rows ? 0 : info;
      int* permutation = rows + b * m.rows;
      std::iota(permutation, permutation + m.rows, 0);
      for (int i = 0; i < m.rows; i++) std::swap(permutation[i], permutation[pivots[static_cast<size_t>(i)] - 1]);
      transposeTo(a, m.rows, m.rows, factors.bufferAsT<T>() + b * m.size());
    });
  });
  requireRegular<std::runtime_error>(outcome);
  z.assign(factors);
  p.assign(order.reshape('c', p.getShapeAsVector()));
  return Status::OK;
}
DECLARE_SHAPE_FN(lu) {
  const LongType* x = inputShape->at(0);
  const Matrices m = squares(x, 0, "A");
  const LongType type = integer(block, 0, INT32);
  if (type != INT32 && type != INT64) reject("argument 0 'type': {} is neither INT32 (9) nor INT64 (10)", type);
  return shapes(like(x), shapeOf(static_cast<DataType>(type), 'c', withLast(x, {m.rows})));
}
DECLARE_TYPES(lu) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes(0, {ALL_FLOATS})
      ->setAllowedOutputTypes(1, {INT32, INT64})
      ->document({.summary = "The LU factors of square matrices with partial pivoting.",
                  .formula = "A[P] = L U",
                  .inputs = "A: [..., n, n]",
                  .outputs = "LU: [..., n, n], U on and above the diagonal, L below it (the ones on L's diagonal are "
                             "not stored)\nP: [..., n], INT32 or INT64: row i of L U is row P[i] of A",
                  .integers = "type?: the code of the type of P: 9 is INT32 (default), 10 is INT64"});
}

OP_IMPL(matrix_inverse, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Matrices m = squares(x.shapeInfo(), 0, "A");
  if (m.empty()) return Status::OK;
  NDArray work = workingCopy(x);
  std::vector<int> outcome(static_cast<size_t>(m.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    // LAPACK inverts the transpose; its result read by rows is the inverse of the matrix.
    eachFactored<T>(work, m, [&](LongType b, T* a, const std::vector<int>& pivots, int info) {
      std::vector<T> memory;
      if (info == 0) info = lapack::getri<T>(m.rows, a, m.rows, pivots.data(), memory);
      outcome[static_cast<size_t>(b)] = info;
    });
  });
  requireRegular<std::invalid_argument>(outcome);
  z.assign(work);
  return Status::OK;
}
DECLARE_TYPES(matrix_inverse) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The inverse of square matrices.",
                  .formula = "z = A^-1",
                  .inputs = "A: [..., n, n], invertible",
                  .outputs = "z: [..., n, n]"});
}

CUSTOM_OP_IMPL(matrix_determinant, 1, 1, false, 0, 0) {
  determinants(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), false);
  return Status::OK;
}
DECLARE_SHAPE_FN(matrix_determinant) { return determinantShape(inputShape->at(0)); }
DECLARE_TYPES(matrix_determinant) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The determinant of square matrices.",
                  .formula = "z = det A",
                  .inputs = "A: [..., n, n]",
                  .outputs = "z: [...]"});
}

CUSTOM_OP_IMPL(log_matrix_determinant, 1, 1, false, 0, 0) {
  determinants(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), true);
  return Status::OK;
}
DECLARE_SHAPE_FN(log_matrix_determinant) { return determinantShape(inputShape->at(0)); }
DECLARE_TYPES(log_matrix_determinant) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The logarithm of the absolute determinant of square matrices.",
                  .formula = "z = ln |det A|, -inf for singular matrices",
                  .inputs = "A: [..., n, n]",
                  .outputs = "z: [...]"});
}

CUSTOM_OP_IMPL(solve, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &given = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Matrices a = squares(x.shapeInfo(), 0, "A"), b(given, 1, "b");
  if (a.empty() || b.empty()) return Status::OK;
  const bool adjoint = flag(block, 0);
  NDArray work = workingCopy(x), right = scratchLike(given), result = scratchLike(given);
  const Dense dense(given, right.dataType());
  std::vector<int> outcome(static_cast<size_t>(a.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachFactored<T>(work, a, [&](LongType i, const T* factors, const std::vector<int>& pivots, int info) {
      outcome[static_cast<size_t>(i)] = info;
      if (info != 0) return;
      T* columns = right.bufferAsT<T>() + i * b.size();
      transposeTo(dense.as<T>() + i * b.size(), b.rows, b.columns, columns);
      // The factors are those of the transpose.
      lapack::getrs<T>(!adjoint, a.rows, b.columns, factors, a.rows, pivots.data(), columns, b.rows);
      transposeTo(columns, b.columns, b.rows, result.bufferAsT<T>() + i * b.size());
    });
  });
  requireRegular<std::runtime_error>(outcome);
  z.assign(result);
  return Status::OK;
}
DECLARE_SHAPE_FN(solve) { return solutionShape(*inputShape, true); }
DECLARE_TYPES(solve) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Solves systems of linear equations.",
                  .formula = "A X = b, or A^T X = b",
                  .inputs = "A: [..., n, n], invertible\nb: [..., n, k], the type of A",
                  .outputs = "X: [..., n, k]",
                  .booleans = "adjoint?: solves with the transpose of A (default false)"});
}

CUSTOM_OP_IMPL(triangular_solve, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &given = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Matrices a = squares(x.shapeInfo(), 0, "A"), b(given, 1, "b");
  if (a.empty() || b.empty()) return Status::OK;
  const bool lower = flag(block, 0, true), adjoint = flag(block, 1);
  const Dense left(x, computingType(x.dataType()));
  NDArray result = workingCopy(given);
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(a.count, static_cast<double>(a.size()) * b.columns, [&](LongType i) {
      blas::trsm(!lower, adjoint, a.rows, b.columns, left.as<T>() + i * a.size(), result.bufferAsT<T>() + i * b.size());
    });
  });
  z.assign(result);
  return Status::OK;
}
DECLARE_SHAPE_FN(triangular_solve) { return solutionShape(*inputShape, false); }
DECLARE_TYPES(triangular_solve) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Solves systems of linear equations with a triangular matrix.",
                  .formula = "T X = b, or T^T X = b, T the lower or upper triangle of A",
                  .inputs = "A: [..., n, n], the other triangle is not read\nb: [..., n, k], the type of A",
                  .outputs = "X: [..., n, k]; a zero on the diagonal gives inf and NaN",
                  .booleans = "lower?: uses the lower triangle (default true)\nadjoint?: solves with the transpose of "
                              "the triangle (default false)"});
}

}  // namespace sd::ops
