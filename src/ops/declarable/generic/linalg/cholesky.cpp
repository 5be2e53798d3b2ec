// The Cholesky factor of symmetric positive definite matrices and their log determinant: A = L L^T.
// operations: cholesky logdet
#include <ops/declarable/headers/decompositions.h>
#include <ops/declarable/headers/linalg.h>
#include <system/openmp_pragmas.h>

#include <algorithm>
#include <cmath>

#include "linalg/Lapack.h"
#include "loops/Kernels.h"
#include "ops/declarable/helpers/matrix_inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// Whether a matrix equals its transpose up to rounding errors of its largest element. Blocks, because columns alone
/// would read a cache line for each element.
template <typename T>
bool isSymmetric(const T* a, int n, double rounding) {
  constexpr LongType BLOCK = 32;
  const LongType size = n;
  T largest = 0;
  PRAGMA_OMP_SIMD_ARGS(reduction(max : largest))
  for (LongType i = 0; i < size * size; i++) {
    const T magnitude = std::abs(a[i]);
    largest = magnitude > largest ? magnitude : largest;
  }
  const T most = static_cast<T>(8 * rounding * static_cast<double>(largest));
  const auto transpose = simd::kernels().transpose[sizeof(T) == 8 ? 3 : 2];
  T across[BLOCK * BLOCK];
  for (LongType top = 0; top < size; top += BLOCK)
    for (LongType left = 0; left <= top; left += BLOCK) {
      const LongType height = std::min(BLOCK, size - top), width = std::min(BLOCK, size - left);
      transpose(a + left * size + top, size, across, BLOCK, width, height);
      for (LongType r = 0; r < height; r++) {
        const T *row = a + (top + r) * size + left, *column = across + r * BLOCK;
        const LongType below = std::min(width, top + r - left);
        int different = 0;
        PRAGMA_OMP_SIMD_SUM(different)
        for (LongType c = 0; c < below; c++) different += !(std::abs(row[c] - column[c]) <= most);
        if (different != 0) return false;
      }
    }
  return true;
}

/// The factors, in the compute type. @throws std::invalid_argument for a matrix without a factor
NDArray factors(const NDArray& x) {
  const Matrices m = squares(x.shapeInfo(), 0, "a");
  NDArray work = workingCopy(x);
  if (m.empty()) return work;
  const int n = m.rows;
  // 0 for success, the order of the minor that is not positive definite, or -1 for an asymmetric matrix
  std::vector<int> outcome(static_cast<size_t>(m.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    T* data = work.bufferAsT<T>();
    eachMatrix(m.count, cubed(n) / 3, [&](LongType b) {
      T* a = data + b * m.size();
      int& info = outcome[static_cast<size_t>(b)];
      if (!isSymmetric(a, n, roundingOf(x.dataType()))) {
        info = -1;
        return;
      }
      // The rows of the lower triangle are the columns of the upper one.
      info = lapack::potrf<T>(true, n, a, n);
      for (LongType r = 0; info == 0 && r < n; r++) {
        if (!(a[r * n + r] > 0)) info = static_cast<int>(r + 1);  // also true for NaN
        std::fill(a + r * n + r + 1, a + (r + 1) * n, T(0));
      }
    });
  });
  for (LongType b = 0; b < m.count; b++) {
    const int info = outcome[static_cast<size_t>(b)];
    if (info < 0) reject("input 0 'a': matrix {} is not symmetric", b);
    if (info > 0) reject("input 0 'a': matrix {} is not positive definite: its leading minor of order {}", b, info);
  }
  return work;
}

/// z = ln |det a|.
void logDeterminantRule(Gradient& g) {
  const Symbol inverse = g.call("matrix_inverse", {g.input(0)});
  g.set(0, g.expandDims(g.expandDims(g.of(), -1), -1) * g.matrixTranspose(inverse));
}

}  // namespace

OP_IMPL(cholesky, 1, 1, true) {
  OUTPUT_VARIABLE(0)->assign(factors(*INPUT_VARIABLE(0)));
  return Status::OK;
}
DECLARE_SCHEMA(cholesky) {
  schema.summary("The Cholesky factor of symmetric positive definite matrices.").formula("a = l l^T");
  schema.input("a", "[..., n, n]; symmetric, positive definite").rankAtLeast(2);
  schema.output("l", "[..., n, n]; lower triangular, zeros above the diagonal");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeSquares);
  schema.example(R"({"a": [[4.0, 2.0], [2.0, 5.0]]})")
      .elsewhere(
          {.numpy = "numpy.linalg.cholesky", .torch = "torch.linalg.cholesky", .tensorflow = "tf.linalg.cholesky"})
      .words("factor, decomposition")
      .see("logdet lu triangular_solve");
  schema.gradient([](Gradient& g) {
    // With P = the lower triangle of l^T gradL, its diagonal halved: gradA = l^-T (P + P^T) / 2 l^-1.
    const Symbol l = g.output(), product = g.matmul(l, g.of(), true);
    const Symbol lower = g.call("matrix_band_part", {product}, BandLimits{-1, 0});
    const Symbol diagonal = g.call("matrix_band_part", {product}, BandLimits{0, 0});
    const Symbol half = lower - diagonal * 0.5, middle = (half + g.matrixTranspose(half)) * 0.5;
    const TriangularSolve transposed{true, true};
    const Symbol left = g.call("triangular_solve", {l, middle}, transposed);
    g.set(0, g.call("triangular_solve", {l, g.matrixTranspose(left)}, transposed));
  });
}

CUSTOM_OP_IMPL(logdet, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Matrices m = squares(x.shapeInfo(), 0, "a");
  const NDArray l = factors(x);
  DenseOut target(z, computingType(z.dataType()));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    T* results = target.as<T>();
    for (LongType b = 0; b < m.count; b++) {
      double sum = 0;
      for (LongType r = 0; r < m.rows; r++)
        sum += std::log(static_cast<double>(l.bufferAsT<T>()[b * m.size() + r * (m.rows + 1)]));
      results[b] = static_cast<T>(2 * sum);
    }
  });
  target.commit();
  return Status::OK;
}
INFERRED_SHAPES(logdet)
DECLARE_SCHEMA(logdet) {
  schema.summary("The logarithm of the determinant of symmetric positive definite matrices.")
      .formula("z = ln det a = 2 sum_i ln l_ii, a = l l^T");
  schema.input("a", "[..., n, n]; symmetric, positive definite").rankAtLeast(2);
  schema.output("z", "[...], the type of a");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferNumberOfEach);
  schema.example(R"({"a": [[4.0, 2.0], [2.0, 5.0]]})")
      .elsewhere({.numpy = "numpy.linalg.slogdet", .torch = "torch.logdet", .tensorflow = "tf.linalg.logdet"})
      .words("log determinant")
      .see("log_matrix_determinant cholesky");
  schema.gradient(logDeterminantRule);
}

}  // namespace sd::ops
