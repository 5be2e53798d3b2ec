// The exponential of matrices.
// operations: expm
// calls: Exp IsInfOrNan
#include <ops/declarable/headers/matrix_functions.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/Blas.h"
#include "linalg/Lapack.h"
#include "ops/declarable/helpers/finite.h"
#include "ops/declarable/helpers/matrix_inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// Replaces a[n, n] by its exponential: the Padé approximant of degree 13 of a / 2^s, squared s times. Higham, "The
/// scaling and squaring method for the matrix exponential revisited", 2005. Returns false when the denominator is
/// singular, which it is not unless numbers overflow.
template <typename T>
bool exponential(T* a, int n) {
  static constexpr T B[] = {64764752532480000.,
                            32382376266240000.,
                            7771770303897600.,
                            1187353796428800.,
                            129060195264000.,
                            10559470521600.,
                            670442572800.,
                            33522128640.,
                            1323241920.,
                            40840800.,
                            960960.,
                            16380.,
                            182.,
                            1.};
  // Up to this norm the approximant is exact to double precision.
  constexpr double LARGEST = 5.371920351148152;
  const LongType size = static_cast<LongType>(n) * n;
  double norm = 0;
  for (LongType i = 0; i < n; i++) {
    double sum = 0;
    for (LongType j = 0; j < n; j++) sum += std::abs(static_cast<double>(a[i * n + j]));
    norm = std::max(norm, sum);
  }
  if (std::isinf(norm)) norm = std::numeric_limits<double>::max();
  const int squarings = norm > LARGEST ? static_cast<int>(std::ceil(std::log2(norm / LARGEST))) : 0;
  for (LongType i = 0; squarings > 0 && i < size; i++) a[i] = std::ldexp(a[i], -squarings);

  std::vector<T> memory(static_cast<size_t>(6 * size));
  T *a2 = memory.data(), *a4 = a2 + size, *a6 = a4 + size, *inner = a6 + size, *odd = inner + size, *even = odd + size;
  const auto product = [n](const T* x, const T* y, T* z, T beta = T(0)) {
    blas::gemm(false, false, n, n, n, T(1), x, n, y, n, beta, z, n);
  };
  product(a, a, a2);
  product(a2, a2, a4);
  product(a4, a2, a6);
  const auto combine = [&](T c6, T c4, T c2, T c0, T* z) {
    for (LongType i = 0; i < size; i++) z[i] = c6 * a6[i] + c4 * a4[i] + c2 * a2[i];
    for (LongType i = 0; i < n; i++) z[i * (n + 1)] += c0;
  };
  // The terms of odd degree are a times a polynomial of a^2.
  combine(B[13], B[11], B[9], 0, inner);
  combine(B[7], B[5], B[3], B[1], even);
  product(a6, inner, even, T(1));
  product(a, even, odd);
  combine(B[12], B[10], B[8], 0, inner);
  combine(B[6], B[4], B[2], B[0], even);
  product(a6, inner, even, T(1));
  // exp(a) = (even - odd)^-1 (even + odd). Polynomials of one matrix commute, so the transposes that LAPACK sees solve
  // the same system.
  T *denominator = a2, *result = a4, *next = a6;
  for (LongType i = 0; i < size; i++) denominator[i] = even[i] - odd[i];
  for (LongType i = 0; i < size; i++) result[i] = even[i] + odd[i];
  std::vector<int> pivots(static_cast<size_t>(n));
  if (lapack::getrf<T>(n, denominator, n, pivots.data()) != 0) return false;
  lapack::getrs<T>(false, n, n, denominator, n, pivots.data(), result, n);
  for (int k = 0; k < squarings; k++) {
    product(result, result, next);
    std::swap(result, next);
  }
  std::copy_n(result, size, a);
  return true;
}

/// The derivative at a^T in the direction of the gradient, which is the upper right block of the exponential of
/// [[a^T, gradZ], [0, a^T]]. Higham, "Functions of Matrices", section 3.2.
void exponentialRule(Gradient& g) {
  const Symbol a = g.matrixTranspose(g.input(0));
  const int rank = g.rank(a);
  const LongType n = g.size(a, -1);
  const Symbol upper = g.call("concat", {a, g.of()}, Concat{rank - 1});
  const Symbol lower = g.call("concat", {g.zerosLike(a), a}, Concat{rank - 1});
  const Symbol whole = g.call("expm", {g.call("concat", {upper, lower}, Concat{rank - 2})});
  Slice corner{std::vector<LongType>(static_cast<size_t>(rank), 0),
               std::vector<LongType>(static_cast<size_t>(rank), -1)};
  corner.begin.back() = n;
  corner.size[static_cast<size_t>(rank) - 2] = n;
  g.set(0, g.call("slice", {whole}, corner));
}

}  // namespace

CUSTOM_OP_IMPL(expm, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Matrices m = squares(x.shapeInfo(), 0, "a");
  if (m.empty()) return Status::OK;
  requireFinite(x, 0, "a");
  if (m.rows == 1) {
    x.applyTransform(transform::Exp, *OUTPUT_VARIABLE(0));
    return Status::OK;
  }
  NDArray work = workingCopy(x);
  std::vector<int> outcome(static_cast<size_t>(m.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, 20 * cubed(m.rows), [&](LongType b) {
      outcome[static_cast<size_t>(b)] = exponential(work.bufferAsT<T>() + b * m.size(), m.rows) ? 0 : 1;
    });
  });
  for (size_t b = 0; b < outcome.size(); b++)
    if (outcome[b] != 0) reject("input 0 'a': the exponential of matrix {} overflows", b);
  OUTPUT_VARIABLE(0)->assign(work);
  return Status::OK;
}
INFERRED_SHAPES(expm)
DECLARE_SCHEMA(expm) {
  schema.summary("The exponential of square matrices.")
      .formula("z = I + a + a^2 / 2! + a^3 / 3! + ...")
      .note("Elements that overflow become infinite or NaN.");
  schema.input("a", "[..., n, n]; finite").rankAtLeast(2);
  schema.output("z", "[..., n, n], the type of a");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeSquares).gradient(exponentialRule);
  schema.example(R"({"a": [[0.0, 1.0], [0.0, 0.0]]})")
      .elsewhere({.torch = "torch.linalg.matrix_exp", .tensorflow = "tf.linalg.expm"})
      .words("matrix exponential, scipy.linalg.expm, exponential map")
      .see("sqrtm");
}

}  // namespace sd::ops
