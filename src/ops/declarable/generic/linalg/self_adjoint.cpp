// Eigenvalues and eigenvectors of symmetric matrices.
// operations: eigh
// calls: IsInfOrNan
#include <ops/declarable/headers/linalg.h>
#include <ops/declarable/headers/matrix_functions.h>

#include <algorithm>
#include <cmath>

#include "linalg/Lapack.h"
#include "ops/declarable/helpers/finite.h"
#include "ops/declarable/helpers/matrix_inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// Makes the element of largest magnitude of a vector positive.
template <typename T>
void fixSign(T* vector, int n) {
  const T* largest = std::max_element(vector, vector + n, [](T a, T b) { return std::abs(a) < std::abs(b); });
  if (*largest >= 0) return;
  for (int i = 0; i < n; i++) vector[i] = -vector[i];
}

/// With the whole symmetric matrix, gradA = v (diag(gradW) + F v^T gradV) v^T, F_ij = 1 / (w_j - w_i). Each element of
/// the triangle that is read stands for two of them.
void symmetricEigenRule(Gradient& g) {
  const Symbol w = g.output(0), v = g.output(1);
  Symbol middle = g.call("matrix_diag", {g.ofOrZero(0)});
  if (g.of(1)) {
    const Symbol gaps = g.expandDims(w, -2) - g.expandDims(w, -1);
    middle = middle + g.call("divide_no_nan", {g.matmul(v, g.of(1), true), gaps});
  }
  const Symbol whole = g.matmul(g.matmul(v, middle), v, false, true);
  const Symbol both = whole + g.matrixTranspose(whole);
  const bool upper = g.arguments<Eigh>().upper;
  const Symbol triangle = g.call("matrix_band_part", {both}, upper ? BandLimits{0, -1} : BandLimits{-1, 0});
  const Symbol diagonal = g.call("matrix_band_part", {both}, BandLimits{0, 0});
  g.set(0, triangle - diagonal * 0.5);
}

}  // namespace

CUSTOM_OP_IMPL(eigh, 1, 2, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Matrices m = squares(x.shapeInfo(), 0, "a");
  if (m.empty()) return Status::OK;
  requireFinite(x, 0, "a");
  const bool upper = arguments<Eigh>(block).upper;
  NDArray work = workingCopy(x), values = scratchLike(*OUTPUT_VARIABLE(0)), vectors = scratchLike(*OUTPUT_VARIABLE(1));
  std::vector<int> outcome(static_cast<size_t>(m.count));
  const int n = m.rows;
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, 9 * cubed(n), [&](LongType b) {
      T* a = work.bufferAsT<T>() + b * m.size();
      std::vector<T> memory;
      // What is the upper triangle in rows is the lower one in columns.
      outcome[static_cast<size_t>(b)] = lapack::syevd<T>(!upper, n, a, n, values.bufferAsT<T>() + b * n, memory);
      for (LongType j = 0; j < n; j++) fixSign(a + j * n, n);
      transposeTo(a, n, n, vectors.bufferAsT<T>() + b * m.size());
    });
  });
  for (size_t b = 0; b < outcome.size(); b++)
    if (outcome[b] != 0) fail<std::runtime_error>("[eigh] matrix {}: the iteration did not converge", b);
  OUTPUT_VARIABLE(0)->assign(values);
  OUTPUT_VARIABLE(1)->assign(vectors);
  return Status::OK;
}
INFERRED_SHAPES(eigh)
DECLARE_SCHEMA(eigh) {
  schema.summary("The eigenvalues and eigenvectors of symmetric matrices.")
      .formula("a v_j = w_j v_j, v^T v = I")
      .note(
          "Only one triangle of each matrix is read, and has a gradient. In each vector the element of largest "
          "magnitude "
          "is positive. The gradient of vectors whose eigenvalues are equal is not defined; their differences count "
          "as no rotation.");
  schema.input("a", "[..., n, n]; symmetric, finite").rankAtLeast(2);
  schema.argument(&Eigh::upper, "upper", "whether the upper triangle is read, not the lower one").atFlag(0);
  schema.output("w", "[..., n], ascending; the type of a");
  schema.output("v", "[..., n, n]; column j is the vector of w_j, of unit length");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape a = squareMatrices(in, 0, "a");
    in.output(a.hasRank() ? withLast(a, {a[-1]}) : a);
    in.output(a);
  });
  schema.gradient(symmetricEigenRule);
  schema.example(R"({"a": [[2.0, 1.0], [1.0, 3.0]]})")
      .elsewhere({.numpy = "numpy.linalg.eigh", .torch = "torch.linalg.eigh", .tensorflow = "tf.linalg.eigh"})
      .words("symmetric eigenvalues, self-adjoint, Hermitian, spectrum, principal axes")
      .see("eig svd");
}

}  // namespace sd::ops
