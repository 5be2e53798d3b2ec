// Operations that use the LU factors of square matrices: the factors themselves, inverses, determinants, solutions.
// operations: lu matrix_inverse matrix_determinant log_matrix_determinant solve triangular_solve
#include <ops/declarable/headers/decompositions.h>
#include <ops/declarable/headers/linalg.h>
#include <ops/declarable/headers/parity_ops.h>

#include <cmath>
#include <numeric>

#include "linalg/Blas.h"
#include "linalg/Lapack.h"
#include "ops/declarable/helpers/matrix_inference.h"
#include "ops/declarable/helpers/rules.h"

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

/// What is wrong with the first matrix whose outcome is not 0; empty when all are.
std::string singularMatrix(const std::vector<int>& outcome) {
  const auto first = std::find_if(outcome.begin(), outcome.end(), [](int info) { return info != 0; });
  return first == outcome.end() ? "" : fmt::format("input 0 'a': matrix {} is singular", first - outcome.begin());
}

void requireRegular(const std::vector<int>& outcome) {
  const std::string singular = singularMatrix(outcome);
  if (!singular.empty()) fail("[{}] {}", RunningOp::name(), singular);
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

void determinants(const NDArray& x, NDArray& z, bool logarithm) {
  const Matrices m = squares(x.shapeInfo(), 0, "a");
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

/// The shape of x in a x = b.
template <bool SameRank>
void inferSolution(Inference& in) {
  const PartialShape a = squareMatrices(in, 0, "a"), b = matrices(in, 1, "b");
  requireSystem(a, b, SameRank);
  requireSameType(b, 1, "b", a, 0, "a");
  in.output(b);
}

Symbol wide(Gradient& g, Symbol number) { return g.expandDims(g.expandDims(number, -1), -1); }

/// z = det a, or ln |det a|: gradA = gradZ z a^-T, without z for the logarithm.
template <bool LOGARITHM>
void determinantRule(Gradient& g) {
  const Symbol inverse = g.call("matrix_inverse", {g.input(0)});
  g.set(0, wide(g, LOGARITHM ? g.of() : g.of() * g.output()) * g.matrixTranspose(inverse));
}

}  // namespace

CUSTOM_OP_IMPL(lu, 1, 2, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &z = *OUTPUT_VARIABLE(0), &p = *OUTPUT_VARIABLE(1);
  const Matrices m = squares(x.shapeInfo(), 0, "a");
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
  requireRegular(outcome);
  z.assign(factors);
  p.assign(order.reshape('c', p.getShapeAsVector()));
  return Status::OK;
}
INFERRED_SHAPES(lu)
DECLARE_SCHEMA(lu) {
  schema.summary("The LU factors of square matrices with partial pivoting.").formula("a[permutation] = L U");
  schema.input("a", "[..., n, n]").rankAtLeast(2);
  schema.argument(&Lu::dtype, "dtype", "the type of permutation: INT32 or INT64").atInteger(0);
  schema.output("lu", "[..., n, n]; U on and above the diagonal, L below it (the ones on its diagonal are not stored)");
  schema.output("permutation", "[..., n], dtype; row i of L U is row permutation[i] of a");
  schema.inputTypes({ALL_FLOATS}).outputTypes(0, {ALL_FLOATS}).outputTypes(1, {INT32, INT64}).infer([](Inference& in) {
    const PartialShape a = squareMatrices(in, 0, "a");
    const DataType type = in.arguments<Lu>().dtype;
    if (type != INT32 && type != INT64)
      reject("argument 'dtype': {} is neither INT32 nor INT64", DataTypeUtils::describe(type));
    in.output(a);
    in.output(withLast(a, {a.hasRank() ? a[-1] : PartialShape::UNKNOWN}).withType(type).withOrder('c'));
  });
  schema.example(R"({"a": [[1.0, 2.0], [4.0, 4.0]]})")
      .elsewhere({.torch = "torch.linalg.lu_factor", .tensorflow = "tf.linalg.lu"})
      .words("factor, decomposition, pivot")
      .see("solve matrix_inverse qr");
  schema.gradient([](Gradient& g) {
    if (!g.of(0)) return;
    // a = P^T L U: gradA = P^T L^-T (tril(L^T gradL, -1) + triu(gradU U^T)) U^-T
    const Symbol lu = g.output(0), upper = g.call("triu", {lu}), strict = lu - upper;
    const Symbol lower = g.call("matrix_set_diag", {strict, g.onesLike(g.call("matrix_diag_part", {lu}))});
    const Symbol gradUpper = g.call("triu", {g.of(0)}), gradLower = g.of(0) - gradUpper;
    const Symbol byLower = g.matmul(lower, gradLower, true), byUpper = g.matmul(gradUpper, upper, false, true);
    const Symbol middle = byLower - g.call("triu", {byLower}) + g.call("triu", {byUpper});
    // m U^-T = (U^-1 m^T)^T
    const Symbol left = g.call("triangular_solve", {lower, middle}, TriangularSolve{true, true});
    const Symbol right = g.call("triangular_solve", {upper, g.matrixTranspose(left)}, TriangularSolve{false, false});
    OneHot rows;
    rows.depth = g.size(lu, -1);
    rows.dtype = g.shape(lu).type();
    g.set(0, g.matmul(g.call("onehot", {g.output(1)}, rows), g.matrixTranspose(right), true));
  });
}

OP_IMPL(matrix_inverse, 1, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Matrices m = squares(x.shapeInfo(), 0, "a");
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
  const std::string singular = singularMatrix(outcome);
  if (!singular.empty()) return invalid(Status::VALIDATION, singular);
  z.assign(work);
  return Status::OK;
}
DECLARE_SCHEMA(matrix_inverse) {
  schema.summary("The inverse of square matrices.").formula("z = a^-1");
  schema.input("a", "[..., n, n]; invertible").rankAtLeast(2);
  schema.output("z", "[..., n, n]; the inverse, the type of a");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeSquares);
  schema.example(R"({"a": [[2.0, 0.0], [0.0, 4.0]]})")
      .elsewhere({.numpy = "numpy.linalg.inv", .torch = "torch.linalg.inv", .tensorflow = "tf.linalg.inv"})
      .words("inverse")
      .see("solve lu");
  schema.gradient([](Gradient& g) {
    const Symbol z = g.output();
    g.set(0, -g.matmul(g.matmul(z, g.of(), true), z, false, true));
  });
}

CUSTOM_OP_IMPL(matrix_determinant, 1, 1, false, 0, 0) {
  determinants(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), false);
  return Status::OK;
}
INFERRED_SHAPES(matrix_determinant)
DECLARE_SCHEMA(matrix_determinant) {
  schema.summary("The determinant of square matrices.").formula("z = det a");
  schema.input("a", "[..., n, n]").rankAtLeast(2);
  schema.output("z", "[...], the type of a");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferNumberOfEach);
  schema.example(R"({"a": [[2.0, 1.0], [0.0, 4.0]]})")
      .elsewhere(
          {.numpy = "numpy.linalg.det", .torch = "torch.linalg.det", .tensorflow = "tf.linalg.det", .onnx = "Det"})
      .words("det, determinant")
      .see("log_matrix_determinant");
  schema.gradient(determinantRule<false>);
}

CUSTOM_OP_IMPL(log_matrix_determinant, 1, 1, false, 0, 0) {
  determinants(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), true);
  return Status::OK;
}
INFERRED_SHAPES(log_matrix_determinant)
DECLARE_SCHEMA(log_matrix_determinant) {
  schema.summary("The logarithm of the absolute determinant of square matrices.")
      .formula("z = ln |det a|, -inf for singular matrices");
  schema.input("a", "[..., n, n]").rankAtLeast(2);
  schema.output("z", "[...], the type of a; -inf for singular matrices");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferNumberOfEach);
  schema.example(R"({"a": [[1.0, 0.0], [0.0, 1.0]]})")
      .elsewhere({.numpy = "numpy.linalg.slogdet", .torch = "torch.linalg.slogdet", .tensorflow = "tf.linalg.slogdet"})
      .words("log determinant, slogdet")
      .see("matrix_determinant logdet");
  schema.gradient(determinantRule<true>);
}

CUSTOM_OP_IMPL(solve, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &given = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Matrices a = squares(x.shapeInfo(), 0, "a"), b(given, 1, "b");
  if (a.empty() || b.empty()) return Status::OK;
  const bool adjoint = arguments<Solve>(block).adjoint;
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
  requireRegular(outcome);
  z.assign(result);
  return Status::OK;
}
INFERRED_SHAPES(solve)
DECLARE_SCHEMA(solve) {
  schema.summary("Solves systems of linear equations.").formula("a x = b, or a^T x = b");
  schema.input("a", "[..., n, n]; invertible").rankAtLeast(2);
  schema.input("b", "[..., n, k], the type of a").rankAtLeast(2);
  schema.argument(&Solve::adjoint, "adjoint", "whether a is transposed").atFlag(0);
  schema.output("x", "[..., n, k], the type of a");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferSolution<true>);
  schema.example(R"({"a": [[2.0, 0.0], [0.0, 4.0]], "b": [[2.0], [8.0]]})")
      .elsewhere({.numpy = "numpy.linalg.solve", .torch = "torch.linalg.solve", .tensorflow = "tf.linalg.solve"})
      .words("linear equations, linear system")
      .see("triangular_solve lstsq matrix_inverse");
  schema.gradient([](Gradient& g) {
    const bool adjoint = g.arguments<Solve>().adjoint;
    const Symbol gradB = g.call("solve", {g.input(0), g.of()}, Solve{!adjoint}), x = g.output();
    g.set(1, gradB);
    g.set(0, adjoint ? -g.matmul(x, gradB, false, true) : -g.matmul(gradB, x, false, true));
  });
}

CUSTOM_OP_IMPL(triangular_solve, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &given = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Matrices a = squares(x.shapeInfo(), 0, "a"), b(given, 1, "b");
  if (a.empty() || b.empty()) return Status::OK;
  const auto& triangle = arguments<TriangularSolve>(block);
  const Dense left(x, computingType(x.dataType()));
  NDArray result = workingCopy(given);
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(a.count, static_cast<double>(a.size()) * b.columns, [&](LongType i) {
      blas::trsm(!triangle.lower, triangle.adjoint, a.rows, b.columns, left.as<T>() + i * a.size(),
                 result.bufferAsT<T>() + i * b.size());
    });
  });
  z.assign(result);
  return Status::OK;
}
INFERRED_SHAPES(triangular_solve)
DECLARE_SCHEMA(triangular_solve) {
  schema.summary("Solves systems of linear equations with a triangular matrix.")
      .formula("t x = b, or t^T x = b, t the lower or upper triangle of a");
  schema.input("a", "[..., n, n]; the other triangle is not read").rankAtLeast(2);
  schema.input("b", "[..., n, k], the type of a").rankAtLeast(2);
  schema.argument(&TriangularSolve::lower, "lower", "whether the lower triangle is used, not the upper one").atFlag(0);
  schema.argument(&TriangularSolve::adjoint, "adjoint", "whether the triangle is transposed").atFlag(1);
  schema.output("x", "[..., n, k], the type of a; a zero on the diagonal gives inf and NaN");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferSolution<false>);
  schema.example(R"({"a": [[2.0, 0.0], [1.0, 4.0]], "b": [[2.0], [9.0]]})")
      .elsewhere({.torch = "torch.linalg.solve_triangular", .tensorflow = "tf.linalg.triangular_solve"})
      .words("forward substitution, back substitution")
      .see("solve cholesky");
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<TriangularSolve>();
    const Symbol gradB = g.call("triangular_solve", {g.input(0), g.of()}, TriangularSolve{a.lower, !a.adjoint});
    const Symbol x = g.output();
    const Symbol full = a.adjoint ? -g.matmul(x, gradB, false, true) : -g.matmul(gradB, x, false, true);
    g.set(1, gradB);
    g.set(0, g.call("matrix_band_part", {full}, a.lower ? BandLimits{-1, 0} : BandLimits{0, -1}));
  });
}

}  // namespace sd::ops
