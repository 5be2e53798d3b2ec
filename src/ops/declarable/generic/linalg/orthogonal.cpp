// Orthogonal factorisations: QR, singular values, and least squares solutions.
// operations: qr svd lstsq solve_ls
// aliases: MatrixSolveLs
// calls: IsInfOrNan
#include <ops/declarable/headers/decompositions.h>

#include <algorithm>
#include <cmath>

#include "linalg/Blas.h"
#include "linalg/Lapack.h"
#include "ops/declarable/helpers/matrices.h"

namespace sd::ops {
namespace {

/// Sets each matrix of an output to the identity, for calls that LAPACK need not handle.
void setIdentities(NDArray& z) {
  if (z.isEmpty()) return;
  const Matrices m(z, 0, "z");
  NDArray work = scratchLike(z);
  work.nullify();
  inComputingType(z.dataType(), [&](auto zero) {
    using T = decltype(zero);
    for (LongType b = 0; b < m.count; b++)
      for (LongType i = 0; i < std::min(m.rows, m.columns); i++)
        work.bufferAsT<T>()[b * m.size() + i * (m.columns + 1)] = T(1);
  });
  z.assign(work);
}

/// Factors one matrix; a[rows, columns], q[rows, qColumns] and r[rRows, columns] are row-major. LAPACK sees the
/// transpose of a, and its LQ factors are the transposes of Q and R. R_kk gets the sign of A_kk (- for 0).
template <typename T>
void qrOf(const T* a, int rows, int columns, T* q, int qColumns, T* r, int rRows) {
  const int k = std::min(rows, columns);
  std::vector<T> work, factors(static_cast<size_t>(k)), copy(a, a + static_cast<LongType>(rows) * columns);
  lapack::gelqf<T>(columns, rows, copy.data(), columns, factors.data(), work);
  for (LongType i = 0; i < rRows; i++)
    for (LongType j = 0; j < columns; j++)
      r[i * columns + j] = j < i ? T(0) : copy[static_cast<size_t>(i * columns + j)];
  for (LongType i = 0; i < rows; i++)
    std::copy_n(copy.data() + i * columns, std::min(columns, qColumns), q + i * qColumns);
  lapack::orglq<T>(qColumns, rows, k, q, qColumns, factors.data(), work);
  for (LongType i = 0; i < k; i++) {
    if ((r[i * columns + i] > 0) == (a[i * columns + i] > 0)) continue;
    for (LongType j = i; j < columns; j++) r[i * columns + j] = -r[i * columns + j];
    for (LongType j = 0; j < rows; j++) q[j * qColumns + i] = -q[j * qColumns + i];
  }
}

bool isFinite(const NDArray& array) { return array.reduceNumber(reduce::IsInfOrNan).e<bool>(0) == false; }

}  // namespace

CUSTOM_OP_IMPL(qr, 1, 2, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &q = *OUTPUT_VARIABLE(0), &r = *OUTPUT_VARIABLE(1);
  const Matrices m(x, 0, "A"), mq(q, 0, "Q"), mr(r, 0, "R");
  if (m.empty()) {
    setIdentities(q);
    return Status::OK;
  }
  const Dense dense(x, computingType(x.dataType()));
  NDArray left = scratchLike(q), right = scratchLike(r);
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, 4.0 * static_cast<double>(m.size()) * std::min(m.rows, m.columns), [&](LongType b) {
      qrOf(dense.as<T>() + b * m.size(), m.rows, m.columns, left.bufferAsT<T>() + b * mq.size(), mq.columns,
           right.bufferAsT<T>() + b * mr.size(), mr.rows);
    });
  });
  q.assign(left);
  r.assign(right);
  return Status::OK;
}
DECLARE_SHAPE_FN(qr) {
  const LongType* x = inputShape->at(0);
  const Matrices m(x, 0, "A");
  const bool full = flag(block, 0);
  if (!full && m.rows < m.columns)
    reject("input 0 'A': matrices of shape {} have fewer rows than columns, so fullMatrices is needed", text(x));
  const DataType type = ArrayOptions::dataType(x);
  const char order = shape::order(x);
  return shapes(full ? shapeOf(type, order, withLast(x, {m.rows, m.rows})) : like(x),
                shapeOf(type, order, withLast(x, {full ? m.rows : m.columns, m.columns})));
}
DECLARE_TYPES(qr) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The QR factors of matrices.",
                  .formula = "A = Q R, Q^T Q = I, R upper triangular",
                  .inputs = "A: [..., M, N], M >= N unless fullMatrices",
                  .outputs = "Q: [..., M, N], or [..., M, M] with fullMatrices\nR: [..., N, N], or [..., M, N]",
                  .booleans = "fullMatrices?: default false",
                  .notes = "R_kk is positive where A_kk is, and negative elsewhere."});
}

CUSTOM_OP_IMPL(svd, 1, 1, false, 0, 3) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& s = *OUTPUT_VARIABLE(0);
  const Matrices m(x, 0, "A");
  const bool full = INT_ARG(0) != 0, vectors = INT_ARG(1) != 0;
  if (m.empty()) {
    if (vectors) {
      setIdentities(*OUTPUT_VARIABLE(1));
      setIdentities(*OUTPUT_VARIABLE(2));
    }
    return Status::OK;
  }
  if (!isFinite(x)) reject("input 0 'A': it contains values that are not finite");
  const int k = std::min(m.rows, m.columns), uColumns = full ? m.rows : k, vColumns = full ? m.columns : k;
  NDArray work = workingCopy(x), values = scratchLike(s);
  NDArray u = vectors ? scratchLike(*OUTPUT_VARIABLE(1)) : NDArray(values.dataType());
  NDArray v = vectors ? scratchLike(*OUTPUT_VARIABLE(2)) : NDArray(values.dataType());
  std::vector<int> outcome(static_cast<size_t>(m.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, 10.0 * static_cast<double>(m.size()) * k, [&](LongType b) {
      std::vector<T> memory, columns(vectors ? static_cast<size_t>(m.columns) * static_cast<size_t>(vColumns) : 1);
      // LAPACK sees A^T = V diag(s) U^T.
      T* left = u.bufferAsT<T>() + (vectors ? b * m.rows * uColumns : 0);
      outcome[static_cast<size_t>(b)] =
          lapack::gesdd<T>(!vectors ? 'N' : (full ? 'A' : 'S'), m.columns, m.rows, work.bufferAsT<T>() + b * m.size(),
                           m.columns, values.bufferAsT<T>() + b * k, columns.data(), m.columns, left, uColumns, memory);
      if (vectors) transposeTo(columns.data(), vColumns, m.columns, v.bufferAsT<T>() + b * m.columns * vColumns);
    });
  });
  for (size_t b = 0; b < outcome.size(); b++)
    if (outcome[b] != 0) fail<std::runtime_error>("[svd] matrix {}: the iteration did not converge", b);
  s.assign(values);
  if (vectors) {
    OUTPUT_VARIABLE(1)->assign(u);
    OUTPUT_VARIABLE(2)->assign(v);
  }
  return Status::OK;
}
DECLARE_SHAPE_FN(svd) {
  const LongType* x = inputShape->at(0);
  const Matrices m(x, 0, "A");
  const DataType type = ArrayOptions::dataType(x);
  const char order = shape::order(x);
  const bool full = INT_ARG(0) != 0;
  const LongType k = std::min(m.rows, m.columns);
  const LongType* s = shapeOf(type, order, withLast(x, {k}));
  if (INT_ARG(1) == 0) return shapes(s);
  return shapes(s, shapeOf(type, order, withLast(x, {m.rows, full ? m.rows : k})),
                shapeOf(type, order, withLast(x, {m.columns, full ? m.columns : k})));
}
DECLARE_TYPES(svd) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = "The singular values and vectors of matrices.",
           .formula = "A = U diag(S) V^T",
           .inputs = "A: [..., M, N]",
           .outputs = "S: [..., K], K = min(M, N), descending\nU?: [..., M, K], or [..., M, M] with fullUV\nV?: "
                      "[..., N, K], or [..., N, N] with fullUV; not its transpose",
           .integers = "fullUV: 1 for square U and V\ncalcUV: 0 for the singular values only\nswitchNum: not used",
           .notes = "The signs of the vectors are not specified."});
}

namespace {

/// x[n, k] = (A^T A + l2 I)^-1 A^T b for one matrix. Returns false when the matrix is not positive definite.
template <typename T>
bool normalEquations(const T* a, int rows, int n, const T* b, int k, double l2, T* x) {
  std::vector<T> gram(static_cast<size_t>(n) * static_cast<size_t>(n));
  std::vector<T> right(static_cast<size_t>(n) * static_cast<size_t>(k));
  blas::gemm(true, false, n, n, rows, T(1), a, n, a, n, T(0), gram.data(), n);
  for (int i = 0; i < n; i++) gram[static_cast<size_t>(i) * static_cast<size_t>(n + 1)] += static_cast<T>(l2);
  if (lapack::potrf<T>(true, n, gram.data(), n) != 0) return false;
  // b^T A in row-major order is A^T b in column-major order.
  blas::gemm(true, false, k, n, rows, T(1), b, k, a, n, T(0), right.data(), n);
  lapack::potrs<T>(true, n, k, gram.data(), n, right.data(), n);
  transposeTo(right.data(), k, n, x);
  return true;
}

/// The minimum-norm solution by orthogonal factorisation.
template <typename T>
int orthogonally(const T* a, int rows, int n, const T* b, int k, T* x) {
  const int tall = std::max(rows, n);
  std::vector<T> matrix(static_cast<size_t>(rows) * static_cast<size_t>(n)), work;
  std::vector<T> right(static_cast<size_t>(tall) * static_cast<size_t>(k), T(0));
  transposeTo(a, rows, n, matrix.data());
  for (LongType j = 0; j < k; j++)
    for (LongType i = 0; i < rows; i++) right[static_cast<size_t>(j * tall + i)] = b[i * k + j];
  const T smallest = std::numeric_limits<T>::epsilon() * static_cast<T>(tall);
  const int info = lapack::gelsy<T>(rows, n, k, matrix.data(), rows, right.data(), tall, smallest, work);
  for (LongType j = 0; j < k; j++)
    for (LongType i = 0; i < n; i++) x[i * k + j] = right[static_cast<size_t>(j * tall + i)];
  return info;
}

void leastSquares(graph::Context& block, NDArray& z) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  const Matrices a(x, 0, "A"), b(y, 1, "b");
  if (a.empty() || b.empty()) return;
  const double l2 = number(block, 0, 0);
  if (!isFinite(x) || !isFinite(y)) reject("the inputs contain values that are not finite");
  const bool regularised = flag(block, 0, true) && l2 != 0;
  const Dense left(x, computingType(x.dataType())), right(y, computingType(x.dataType()));
  NDArray result = scratchLike(z);
  std::vector<int> outcome(static_cast<size_t>(a.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(a.count, 4.0 * static_cast<double>(a.size()) * (std::min(a.rows, a.columns) + b.columns),
               [&](LongType i) {
                 const T *matrix = left.as<T>() + i * a.size(), *target = right.as<T>() + i * b.size();
                 T* solution = result.bufferAsT<T>() + i * a.columns * b.columns;
                 int& info = outcome[static_cast<size_t>(i)];
                 if (regularised)
                   info = normalEquations(matrix, a.rows, a.columns, target, b.columns, l2, solution) ? 0 : 1;
                 else
                   info = orthogonally(matrix, a.rows, a.columns, target, b.columns, solution);
               });
  });
  for (size_t i = 0; i < outcome.size(); i++)
    if (outcome[i] != 0) reject("input 0 'A': A^T A + {} I of matrix {} is not positive definite", l2, i);
  z.assign(result);
}

ShapeList* leastSquaresShape(const LongType* x, const LongType* y, DataType emptyType) {
  const Matrices a(x, 0, "A"), b(y, 1, "b");
  if (shape::rank(x) != shape::rank(y)) reject("shapes {} and {} differ in rank", text(x), text(y));
  if (a.rows != b.rows)
    reject("input 1 'b': its shape is {}, but {} rows are needed (A: {})", text(y), a.rows, text(x));
  requireSameBatches(x, "A", y, "b");
  if (a.empty() || b.empty()) return shapes(ConstantShapeHelper::getInstance().emptyShapeInfo(emptyType));
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(y), withLast(y, {a.columns, b.columns})));
}

}  // namespace

#define LEAST_SQUARES_OP(NAME, EMPTY_INPUT)                                                                    \
  CUSTOM_OP_IMPL(NAME, 2, 1, false, 0, 0) {                                                                    \
    leastSquares(block, *OUTPUT_VARIABLE(0));                                                                  \
    return Status::OK;                                                                                         \
  }                                                                                                            \
  DECLARE_SHAPE_FN(NAME) {                                                                                     \
    return leastSquaresShape(inputShape->at(0), inputShape->at(1),                                             \
                             ArrayOptions::dataType(inputShape->at(EMPTY_INPUT)));                             \
  }                                                                                                            \
  DECLARE_TYPES(NAME) {                                                                                        \
    getOpDescriptor()                                                                                          \
        ->setAllowedInputTypes({ALL_FLOATS})                                                                   \
        ->setAllowedOutputTypes({ALL_FLOATS})                                                                  \
        ->document({.summary = "Solves overdetermined and underdetermined systems by least squares.",          \
                    .formula = "min |A X - b|^2 + l2 |X|^2; without l2, the X of least norm among all minima", \
                    .inputs = "A: [..., M, N]\nb: [..., M, K]",                                                \
                    .outputs = "X: [..., N, K]; empty of rank 0 when an input is empty",                       \
                    .floats = "l2?: default 0",                                                                \
                    .booleans = "fast?: false ignores l2 (default true)"});                                    \
  }
LEAST_SQUARES_OP(lstsq, 0)
LEAST_SQUARES_OP(solve_ls, 1)
#undef LEAST_SQUARES_OP
DECLARE_SYN(MatrixSolveLs, lstsq);

}  // namespace sd::ops
