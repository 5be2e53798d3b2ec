// Orthogonal factorisations: QR, singular values, and least squares solutions.
// operations: qr svd lstsq solve_ls
// aliases: MatrixSolveLs
// calls: IsInfOrNan
#include <ops/declarable/headers/decompositions.h>
#include <ops/declarable/headers/linalg.h>

#include <algorithm>
#include <cmath>

#include "linalg/Blas.h"
#include "linalg/Lapack.h"
#include "ops/declarable/helpers/finite.h"
#include "ops/declarable/helpers/matrix_inference.h"
#include "ops/declarable/helpers/rules.h"

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

/// Factors one matrix; a[rows, columns], q[rows, qColumns] and r[rRows, columns] are row-major. R_kk gets the sign of
/// A_kk (- for 0).
template <typename T>
void qrOf(const T* a, int rows, int columns, T* q, int qColumns, T* r, int rRows) {
  const int k = std::min(rows, columns), stride = lapack::leadingDimension(rows);
  std::vector<T> work, factors(static_cast<size_t>(k));
  std::vector<T> copy(static_cast<size_t>(stride) * static_cast<size_t>(std::max(columns, qColumns)));
  transposeTo(a, columns, rows, columns, copy.data(), stride);
  lapack::geqrf<T>(rows, columns, copy.data(), stride, factors.data(), work);
  transposeTo(copy.data(), stride, columns, rRows, r, columns);
  for (LongType i = 1; i < rRows; i++) std::fill_n(r + i * columns, std::min<LongType>(i, columns), T(0));
  lapack::orgqr<T>(rows, qColumns, k, copy.data(), stride, factors.data(), work);
  transposeTo(copy.data(), stride, qColumns, rows, q, qColumns);
  for (LongType i = 0; i < k; i++) {
    if ((r[i * columns + i] > 0) == (a[i * columns + i] > 0)) continue;
    for (LongType j = i; j < columns; j++) r[i * columns + j] = -r[i * columns + j];
    for (LongType j = 0; j < rows; j++) q[j * qColumns + i] = -q[j * qColumns + i];
  }
}

bool isFinite(const NDArray& array) { return array.reduceNumber(reduce::IsInfOrNan).e<bool>(0) == false; }

constexpr const char* NOT_UNIQUE = "the columns that complete a basis are not unique";

/// Of tall or square a: with m = r gradR^T - gradQ^T q and its lower triangle mirrored to the upper one,
/// gradA = (gradQ + q m) r^-T.
void qrRule(Gradient& g) {
  const Symbol a = g.input(0), q = g.output(0), r = g.output(1);
  if (g.size(a, -2) < g.size(a, -1) || (g.arguments<Qr>().fullMatrices && g.size(a, -2) != g.size(a, -1)))
    return g.none(0, NOT_UNIQUE);
  const Symbol m = g.matmul(r, g.ofOrZero(1), false, true) - g.matmul(g.ofOrZero(0), q, true);
  const Symbol lower = g.call("matrix_band_part", {m}, BandLimits{-1, 0});
  const Symbol strict = lower - g.call("matrix_band_part", {m}, BandLimits{0, 0});
  const Symbol sum = g.ofOrZero(0) + g.matmul(q, lower + g.matrixTranspose(strict));
  const Symbol solved = g.call("triangular_solve", {r, g.matrixTranspose(sum)}, TriangularSolve{false, false});
  g.set(0, g.matrixTranspose(solved));
}

/// gradA = u (diag(gradS) + (F u^T gradU)_sym s + s (F v^T gradV)_sym) v^T + the parts of gradU and gradV outside of
/// the spaces of u and v, with F_ij = 1 / (s_j^2 - s_i^2) and m_sym = m + m^T.
void svdRule(Gradient& g) {
  const Symbol a = g.input(0);
  const bool vectors = g.of(1) || g.of(2);
  if (vectors && g.arguments<Svd>().fullMatrices && g.size(a, -2) != g.size(a, -1)) return g.none(0, NOT_UNIQUE);
  const std::vector<Symbol> thin = g.callAll("svd", {a}, Svd{false, true});
  const auto& usv = vectors ? std::vector<Symbol>{g.output(0), g.output(1), g.output(2)} : thin;
  const Symbol s = usv[0], u = usv[1], v = usv[2];
  Symbol middle = g.call("matrix_diag", {g.ofOrZero(0)});
  if (!vectors) return g.set(0, g.matmul(g.matmul(u, middle), v, false, true));
  const Symbol row = g.expandDims(s, -2), column = g.expandDims(s, -1);
  const Symbol gaps = row * row - column * column;
  const auto rotation = [&](Symbol basis, Symbol gradient) {
    const Symbol m = g.call("divide_no_nan", {g.matmul(basis, gradient, true), gaps});
    return m + g.matrixTranspose(m);
  };
  const auto outside = [&](Symbol basis, Symbol gradient) {
    return gradient - g.matmul(basis, g.matmul(basis, gradient, true));
  };
  const Symbol gradU = g.ofOrZero(1), gradV = g.ofOrZero(2);
  middle = middle + rotation(u, gradU) * row + column * rotation(v, gradV);
  const Symbol left = g.matmul(outside(u, gradU) / row, v, false, true);
  const Symbol right = g.matmul(u / row, outside(v, gradV), false, true);
  g.set(0, g.matmul(g.matmul(u, middle), v, false, true) + left + right);
}

}  // namespace

CUSTOM_OP_IMPL(qr, 1, 2, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &q = *OUTPUT_VARIABLE(0), &r = *OUTPUT_VARIABLE(1);
  const Matrices m(x, 0, "a"), mq(q, 0, "Q"), mr(r, 0, "R");
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
INFERRED_SHAPES(qr)
DECLARE_SCHEMA(qr) {
  schema.summary("The QR factors of matrices.")
      .formula("a = q r, q^T q = I, r upper triangular")
      .note("r_kk is positive where a_kk is, and negative elsewhere.");
  schema.input("a", "[..., M, N]; M >= N unless full_matrices").rankAtLeast(2);
  schema.argument(&Qr::fullMatrices, "full_matrices", "whether q is square").atFlag(0);
  schema.output("q", "[..., M, N], or [..., M, M] with full_matrices; the type of a");
  schema.output("r", "[..., N, N], or [..., M, N] with full_matrices; the type of a");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape a = matrices(in, 0, "a");
    const bool full = in.arguments<Qr>().fullMatrices;
    if (!a.hasRank()) {
      in.output(a);
      return in.output(a);
    }
    const LongType m = a[-2], n = a[-1];
    if (!full && m != PartialShape::UNKNOWN && m < n)
      reject("input 0 'a': matrices of shape {} have fewer rows than columns, so full_matrices is needed", a.text());
    in.output(full ? withLast(a, {m, m}) : a);
    in.output(withLast(a, {full ? m : n, n}));
  });
  schema.example(R"({"a": [[3.0, 1.0], [4.0, 2.0]]})")
      .elsewhere({.numpy = "numpy.linalg.qr", .torch = "torch.linalg.qr", .tensorflow = "tf.linalg.qr"})
      .words("factor, decomposition, orthogonal")
      .see("svd lstsq");
  schema.gradient(qrRule);
}

CUSTOM_OP_IMPL(svd, 1, 1, false, 0, 3) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& s = *OUTPUT_VARIABLE(0);
  const Matrices m(x, 0, "a");
  const bool full = arguments<Svd>(block).fullMatrices, vectors = arguments<Svd>(block).computeUv;
  if (m.empty()) {
    if (vectors) {
      setIdentities(*OUTPUT_VARIABLE(1));
      setIdentities(*OUTPUT_VARIABLE(2));
    }
    return Status::OK;
  }
  requireFinite(x, 0, "a");
  const int k = std::min(m.rows, m.columns), uColumns = full ? m.rows : k, vColumns = full ? m.columns : k;
  const Dense dense(x, computingType(x.dataType()));
  NDArray values = scratchLike(s);
  NDArray u = vectors ? scratchLike(*OUTPUT_VARIABLE(1)) : NDArray(values.dataType());
  NDArray v = vectors ? scratchLike(*OUTPUT_VARIABLE(2)) : NDArray(values.dataType());
  std::vector<int> outcome(static_cast<size_t>(m.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, 10.0 * static_cast<double>(m.size()) * k, [&](LongType b) {
      // LAPACK sees A^T = V diag(s) U^T.
      const int stride = lapack::leadingDimension(m.columns), uStride = lapack::leadingDimension(uColumns);
      const auto sizeOf = [&](int rowStride, int rows) {
        return static_cast<size_t>(rowStride) * static_cast<size_t>(rows);
      };
      std::vector<T> memory, matrix(sizeOf(stride, m.rows));
      std::vector<T> right(vectors ? sizeOf(stride, vColumns) : 1), left(vectors ? sizeOf(uStride, m.rows) : 1);
      copyRows(dense.as<T>() + b * m.size(), m.columns, m.rows, m.columns, matrix.data(), stride);
      outcome[static_cast<size_t>(b)] =
          lapack::gesdd<T>(!vectors ? 'N' : (full ? 'A' : 'S'), m.columns, m.rows, matrix.data(), stride,
                           values.bufferAsT<T>() + b * k, right.data(), stride, left.data(), uStride, memory);
      if (!vectors) return;
      copyRows(left.data(), uStride, m.rows, uColumns, u.bufferAsT<T>() + b * m.rows * uColumns, uColumns);
      transposeTo(right.data(), stride, vColumns, m.columns, v.bufferAsT<T>() + b * m.columns * vColumns, vColumns);
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
INFERRED_SHAPES(svd)
DECLARE_SCHEMA(svd) {
  schema.summary("The singular values and vectors of matrices.")
      .formula("a = u diag(s) v^T")
      .note("The signs of the vectors are not specified.");
  schema.input("a", "[..., M, N]").rankAtLeast(2);
  schema.argument(&Svd::fullMatrices, "full_matrices", "whether u and v are square").atInteger(0);
  schema.argument(&Svd::computeUv, "compute_uv", "whether the vectors u and v are computed").atInteger(1);
  schema.output("s", "[..., K], K = min(M, N), descending; the type of a");
  schema.output("u", "[..., M, K], or [..., M, M] with full_matrices").when("compute_uv");
  schema.output("v", "[..., N, K], or [..., N, N] with full_matrices; not its transpose").when("compute_uv");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
    const PartialShape a = matrices(in, 0, "a");
    const auto& [full, vectors] = in.arguments<Svd>();
    const LongType m = a.hasRank() ? a[-2] : UNKNOWN, n = a.hasRank() ? a[-1] : UNKNOWN;
    const LongType k = m == UNKNOWN || n == UNKNOWN ? UNKNOWN : std::min(m, n);
    in.output(withLast(a, {k}));
    if (!vectors) return;
    in.output(withLast(a, {m, full ? m : k}));
    in.output(withLast(a, {n, full ? n : k}));
  });
  schema.example(R"({"a": [[3.0, 0.0], [0.0, 4.0]], "full_matrices": false, "compute_uv": false})")
      .elsewhere({.numpy = "numpy.linalg.svd", .torch = "torch.linalg.svd", .tensorflow = "tf.linalg.svd"})
      .words("singular values, decomposition")
      .see("qr eig");
  schema.gradient(svdRule);
}

namespace {

/// x[n, k] = (A^T A + l2 I)^-1 A^T b for one matrix. Returns false when the matrix is not positive definite.
bool normalEquations(const double* a, int rows, int n, const double* b, int k, double l2, double* x) {
  std::vector<double> gram(static_cast<size_t>(n) * static_cast<size_t>(n));
  std::vector<double> right(static_cast<size_t>(n) * static_cast<size_t>(k));
  blas::gemm(true, false, n, n, rows, 1.0, a, n, a, n, 0.0, gram.data(), n);
  for (int i = 0; i < n; i++) gram[static_cast<size_t>(i) * static_cast<size_t>(n + 1)] += l2;
  if (lapack::potrf<double>(true, n, gram.data(), n) != 0) return false;
  // b^T A in row-major order is A^T b in column-major order.
  blas::gemm(true, false, k, n, rows, 1.0, b, k, a, n, 0.0, right.data(), n);
  lapack::potrs<double>(true, n, k, gram.data(), n, right.data(), n);
  transposeTo(right.data(), k, n, x);
  return true;
}

/// The minimum-norm solution by orthogonal factorisation. `epsilon`: of the type of the elements, for the rank.
int orthogonally(const double* a, int rows, int n, const double* b, int k, double* x, double epsilon) {
  const int tall = std::max(rows, n);
  std::vector<double> matrix(static_cast<size_t>(rows) * static_cast<size_t>(n)), work;
  std::vector<double> right(static_cast<size_t>(tall) * static_cast<size_t>(k), 0.0);
  transposeTo(a, rows, n, matrix.data());
  for (LongType j = 0; j < k; j++)
    for (LongType i = 0; i < rows; i++) right[static_cast<size_t>(j * tall + i)] = b[i * k + j];
  const double smallest = epsilon * tall;
  const int info = lapack::gelsy<double>(rows, n, k, matrix.data(), rows, right.data(), tall, smallest, work);
  for (LongType j = 0; j < k; j++)
    for (LongType i = 0; i < n; i++) x[i * k + j] = right[static_cast<size_t>(j * tall + i)];
  return info;
}

void leastSquares(graph::Context& block, NDArray& z) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  const Matrices a(x, 0, "a"), b(y, 1, "b");
  if (a.empty() || b.empty()) return;
  const auto& settings = arguments<LeastSquares>(block);
  const double l2 = settings.l2Regularizer;
  if (!isFinite(x) || !isFinite(y)) reject("the inputs contain values that are not finite");
  const bool regularised = settings.fast && l2 != 0;
  // Floats too are computed in double: A^T A squares the condition number.
  const Dense left(x, DOUBLE), right(y, DOUBLE);
  NDArray result = zeros(DOUBLE, dimsOf(z.shapeInfo()));
  const double epsilon =
      x.dataType() == DOUBLE ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  std::vector<int> outcome(static_cast<size_t>(a.count));
  eachMatrix(a.count, 4.0 * static_cast<double>(a.size()) * (std::min(a.rows, a.columns) + b.columns), [&](LongType i) {
    const double *matrix = left.as<double>() + i * a.size(), *target = right.as<double>() + i * b.size();
    double* solution = result.bufferAsT<double>() + i * a.columns * b.columns;
    int& info = outcome[static_cast<size_t>(i)];
    if (regularised)
      info = normalEquations(matrix, a.rows, a.columns, target, b.columns, l2, solution) ? 0 : 1;
    else
      info = orthogonally(matrix, a.rows, a.columns, target, b.columns, solution, epsilon);
  });
  for (size_t i = 0; i < outcome.size(); i++)
    if (outcome[i] != 0) reject("input 0 'a': A^T A + {} I of matrix {} is not positive definite", l2, i);
  z.assign(result);
}

/// EmptyInput: the input that gives the type of the result when an input is empty.
template <int EmptyInput>
void inferLeastSquares(Inference& in) {
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  const PartialShape a = matrices(in, 0, "a"), b = matrices(in, 1, "b");
  requireSystem(a, b, true);
  if (a.isEmpty() || b.isEmpty()) return in.output(PartialShape::empty(in.input(EmptyInput).type()));
  const PartialShape x = withLast(b, {a.hasRank() ? a[-1] : UNKNOWN, b.hasRank() ? b[-1] : UNKNOWN});
  in.output(x.withType(a.type()));
}

void leastSquaresRule(Gradient& g) {
  const auto& settings = g.arguments<LeastSquares>();
  const Symbol a = g.input(0), b = g.input(1), x = g.output(), gradX = g.of();
  const Symbol residual = b - g.matmul(a, x);
  if (settings.fast && settings.l2Regularizer != 0) {
    // x = c a^T b with c = (a^T a + l2 I)^-1
    const Symbol gram = g.matmul(a, a, true);
    const Symbol diagonal = g.call("matrix_diag_part", {gram}) + settings.l2Regularizer;
    const Symbol u = g.call("solve", {g.call("matrix_set_diag", {gram, diagonal}), gradX});
    const Symbol au = g.matmul(a, u);
    g.set(1, au);
    g.set(0, g.matmul(residual, u, false, true) - g.matmul(au, x, false, true));
    return;
  }
  // x = p b with the pseudoinverse p of a: dx = p (db - da x) + p p^T da^T (b - a x) + (I - p a) da^T p^T x
  const Symbol ones = g.onesLike(g.sum(a, {-1}));
  const Symbol p = g.call("lstsq", {a, g.call("matrix_diag", {ones})}, g.ownArguments());
  const Symbol u = g.matmul(p, gradX, true);
  const Symbol rest = gradX - g.matmul(a, u, true);
  g.set(1, u);
  g.set(0, g.matmul(residual, g.matmul(p, u), false, true) + g.matmul(g.matmul(p, x, true), rest, false, true) -
               g.matmul(u, x, false, true));
}

void describeLeastSquares(Schema& schema, InferenceFunction inference) {
  schema.summary("Solves overdetermined and underdetermined systems by least squares.")
      .formula("min |a x - b|^2 + l2 |x|^2; without l2, the x of least norm among all minima");
  schema.input("a", "[..., M, N]").rankAtLeast(2);
  schema.input("b", "[..., M, K]").rankAtLeast(2);
  schema.argument(&LeastSquares::l2Regularizer, "l2_regularizer", "the weight l2 of the squared norm of x").atFloat(0);
  schema.argument(&LeastSquares::fast, "fast", "whether l2_regularizer counts").atFlag(0);
  schema.output("x", "[..., N, K], the type of a; empty of rank 0 when an input is empty");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inference).gradient(leastSquaresRule);
  schema.example(R"({"a": [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]], "b": [[1.0], [4.0], [5.0]]})")
      .elsewhere({.numpy = "numpy.linalg.lstsq", .torch = "torch.linalg.lstsq", .tensorflow = "tf.linalg.lstsq"})
      .words("least squares, regression, ridge")
      .see("solve qr");
}

}  // namespace

CUSTOM_OP_IMPL(lstsq, 2, 1, false, 0, 0) {
  leastSquares(block, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(lstsq)
DECLARE_SCHEMA(lstsq) { describeLeastSquares(schema, inferLeastSquares<0>); }
DECLARE_SYN(MatrixSolveLs, lstsq);

CUSTOM_OP_IMPL(solve_ls, 2, 1, false, 0, 0) {
  leastSquares(block, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(solve_ls)
DECLARE_SCHEMA(solve_ls) { describeLeastSquares(schema, inferLeastSquares<1>); }

}  // namespace sd::ops
