// The pseudoinverse of matrices, from their singular values.
// operations: pinv
// calls: IsInfOrNan
#include <ops/declarable/headers/matrix_functions.h>

#include <algorithm>

#include "linalg/Blas.h"
#include "linalg/Lapack.h"
#include "ops/declarable/helpers/finite.h"
#include "ops/declarable/helpers/matrix_inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// z[columns, rows] = the pseudoinverse of a[rows, columns], which is overwritten. Returns LAPACK's info.
template <typename T>
int invert(T* a, int rows, int columns, double rcond, T* z) {
  const int k = std::min(rows, columns);
  const auto count = static_cast<size_t>(k);
  std::vector<T> values(count), right(count * static_cast<size_t>(columns)), left(count * static_cast<size_t>(rows)),
      work;
  // LAPACK sees a^T = v diag(s) u^T. Its v is v^T in rows, and its u^T is u in rows.
  if (const int info =
          lapack::gesdd<T>('S', columns, rows, a, columns, values.data(), right.data(), columns, left.data(), k, work))
    return info;
  const double smallest = rcond * static_cast<double>(values[0]);
  for (size_t i = 0; i < count; i++) {
    const T factor = static_cast<double>(values[i]) > smallest ? T(1) / values[i] : T(0);
    for (size_t j = 0; j < static_cast<size_t>(columns); j++) right[i * static_cast<size_t>(columns) + j] *= factor;
  }
  blas::gemm(true, true, columns, rows, k, T(1), right.data(), columns, left.data(), k, T(0), z, rows);
  return 0;
}

/// dp = -p da p + p p^T da^T (I - a p) + (I - p a) da^T p^T p. Golub and Pereyra, "The differentiation of
/// pseudo-inverses and nonlinear least squares problems whose variables separate", 1973.
void pseudoInverseRule(Gradient& g) {
  const Symbol a = g.input(0), p = g.output(), gradient = g.of();
  const Symbol inner = g.matmul(g.matmul(p, gradient, true), p, false, true);  // p^T gradP p^T
  const Symbol left = g.matmul(g.matmul(gradient, p, true), p, false, true);   // gradP^T p p^T
  const Symbol right = g.matmul(p, g.matmul(p, gradient, false, true), true);  // p^T p gradP^T
  const Symbol outside = left - g.matmul(a, g.matmul(p, left)) + right - g.matmul(g.matmul(right, p), a);
  g.set(0, outside - inner);
}

}  // namespace

CUSTOM_OP_IMPL(pinv, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Matrices m(x, 0, "a");
  if (m.empty()) return Status::OK;
  requireFinite(x, 0, "a");
  const double rcond =
      arguments<PseudoInverse>(block).rcond.value_or(std::max(m.rows, m.columns) * roundingOf(x.dataType()));
  NDArray work = workingCopy(x), inverse = scratchLike(*OUTPUT_VARIABLE(0));
  std::vector<int> outcome(static_cast<size_t>(m.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, 12.0 * static_cast<double>(m.size()) * std::min(m.rows, m.columns), [&](LongType b) {
      outcome[static_cast<size_t>(b)] = invert<T>(work.bufferAsT<T>() + b * m.size(), m.rows, m.columns, rcond,
                                                  inverse.bufferAsT<T>() + b * m.size());
    });
  });
  for (size_t b = 0; b < outcome.size(); b++)
    if (outcome[b] != 0) fail<std::runtime_error>("[pinv] matrix {}: the iteration did not converge", b);
  OUTPUT_VARIABLE(0)->assign(inverse);
  return Status::OK;
}
INFERRED_SHAPES(pinv)
DECLARE_SCHEMA(pinv) {
  schema.summary("The pseudoinverse (Moore-Penrose inverse) of matrices.")
      .formula("a p a = a, p a p = p; a p and p a are symmetric")
      .note(
          "Singular values up to rcond times the largest one count as 0. The gradient holds where their number does "
          "not change.");
  schema.input("a", "[..., M, N]; finite").rankAtLeast(2);
  schema
      .argument(&PseudoInverse::rcond, "rcond",
                "relative to the largest singular value; by default max(M, N) times the precision of the type")
      .atFloat(0)
      .atLeast(0);
  schema.output("p", "[..., N, M], the type of a");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer([](Inference& in) {
    const PartialShape a = matrices(in, 0, "a");
    in.output(a.hasRank() ? withLast(a, {a[-1], a[-2]}) : a);
  });
  schema.gradient(pseudoInverseRule);
  schema.example(R"({"a": [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]})")
      .elsewhere({.numpy = "numpy.linalg.pinv", .torch = "torch.linalg.pinv", .tensorflow = "tf.linalg.pinv"})
      .words("Moore-Penrose inverse, generalized inverse, pseudo-inverse")
      .see("lstsq svd matrix_inverse");
}

}  // namespace sd::ops
